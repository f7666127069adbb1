"""Tasks and actors for tests, found by name."""

from __future__ import annotations

import json
import os
from pathlib import Path

from demotic.errors import Error
from demotic.workers import Arguments

calls = 0


def square(arguments: Arguments, out: Path) -> None:
    out.write_text(str(arguments["number"] ** 2))


def read(arguments: Arguments, out: Path) -> None:
    out.write_text(Path(arguments["file"]).read_text() * arguments["times"])


def fail(arguments: Arguments, out: Path) -> None:
    raise Error("no such thing", path="a.txt", line=3)


def break_(arguments: Arguments, out: Path) -> None:
    raise ZeroDivisionError


def end(arguments: Arguments, out: Path) -> None:
    os._exit(3)


def random_(arguments: Arguments, out: Path) -> None:
    """Another result every time."""
    global calls  # noqa: PLW0603
    calls += 1
    out.write_text(str(calls))


class Sum:
    """Changes do not commute, so that a lost, repeated or reordered one shows."""

    def __init__(self, arguments: Arguments, data: bytes) -> None:
        self.value = int(data)

    def tell(self, arguments: Arguments, data: bytes) -> None:
        self.value = self.value * arguments["times"] + int(data)

    def ask(self, arguments: Arguments, data: bytes) -> bytes:
        return str(self.value + int(data)).encode()


def list_(arguments: Arguments, out: Path) -> None:
    """The files of a shared directory, and the names of shared files."""
    home = Path(arguments["model"])
    files = [path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()]
    names = [Path(path).name for path in arguments["files"]]
    out.write_text(json.dumps({"model": sorted(files), "files": names}))
