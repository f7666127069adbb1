"""The folder of one `demotic make`: its command, its stages and how long they took.

`work/command.json` holds the inputs and options as given.  The same command resumes or finds
everything done; another command is refused, because it would overwrite the results.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from demotic.errors import Error
from demotic.lines import write_text
from demotic.model.file import MODEL_NAME
from demotic.model.partner import PARTNER

__all__ = ["CONTENTS", "Work"]

CONTENTS = "contents"
"""The key under which a command stores file hashes, which are not shown to people."""

_COMMAND = "command.json"
_TIMES = "times.json"
_INPUTS = "inputs.json"
_UNFINISHED = "unfinished.json"


class Work:
    """The model directory and its folder `work` with all intermediate results."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.folder = home / "work"

    def path(self, *parts: str) -> Path:
        return self.folder.joinpath(*parts)

    def claim(self, command: Mapping[str, Any], *, force: bool) -> None:
        """Creates the folder for this command, unless it exists. Raises Error."""
        known = self.read(_COMMAND)
        plain = json.loads(json.dumps(command))
        if known == plain and not force:
            return
        if known:
            if not force:
                raise _other(self.home, known, plain)
            self._clear()
        elif self.home.exists() and (not self.home.is_dir() or any(self.home.iterdir())):
            raise Error(
                "something that `demotic make` did not write",
                path=str(self.home),
                expected="a new or empty directory",
                advice="choose another name with -o",
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        self.write(_COMMAND, plain)

    def remember_inputs(self, paths: Mapping[str, Any]) -> None:
        """Names of the text files, whose contents the command has hashes of."""
        if self.inputs != paths:
            self.write(_INPUTS, paths)

    @property
    def command(self) -> dict[str, Any]:
        """The command that this folder was claimed for; empty if there is none."""
        return self.read(_COMMAND)

    @property
    def inputs(self) -> dict[str, Any]:
        return self.read(_INPUTS)

    def _clear(self) -> None:
        """Removes what `demotic make` wrote, but no other files."""
        shutil.rmtree(self.folder)
        (self.home / MODEL_NAME).unlink(missing_ok=True)
        shutil.rmtree(self.home / PARTNER, ignore_errors=True)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Measures the time of a stage; resumed runs add to it."""
        started = time.monotonic()
        self._record(stage, 0.0, finished=False)  # which is all that a killed process leaves
        finished = False
        try:
            yield
            finished = True
        finally:
            if self.folder.exists():
                self._record(stage, time.monotonic() - started, finished=finished)

    def _record(self, stage: str, seconds: float, *, finished: bool) -> None:
        times = self.times
        self.write(_TIMES, {**times, stage: times.get(stage, 0.0) + seconds})
        others = [name for name in self.unfinished if name != stage]
        self.write(_UNFINISHED, {"stages": others if finished else [*others, stage]})

    @property
    def unfinished(self) -> list[str]:
        """Stages that were begun and not finished."""
        return [str(name) for name in self.read(_UNFINISHED).get("stages", [])]

    @property
    def times(self) -> dict[str, float]:
        """Seconds by stage, in the order in which they were first started."""
        return {str(name): float(value) for name, value in self.read(_TIMES).items()}

    def write(self, name: str, values: Mapping[str, Any]) -> None:
        with write_text(self.path(name)) as file:
            json.dump(values, file, ensure_ascii=False, indent=1)

    def read(self, name: str) -> dict[str, Any]:
        """What `write` wrote; empty if missing or truncated."""
        try:
            found = json.loads(self.path(name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


def _other(home: Path, known: Mapping[str, Any], wanted: Mapping[str, Any]) -> Error:
    names = [name for name in {**known, **wanted} if known.get(name) != wanted.get(name)]
    changes = ", ".join(_change(name, known.get(name), wanted.get(name)) for name in names)
    return Error(
        f"a translator made by another command ({changes})",
        path=str(home),
        expected="the same command, which resumes, or a new directory",
        advice="choose another name with -o, or add --force to start again",
    )


def _change(name: str, before: object, now: object) -> str:
    if name == CONTENTS:
        return "other text"
    return f"{name}: {before} before, {now} now"
