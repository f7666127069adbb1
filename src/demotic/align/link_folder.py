"""A directory with the links of many files, one after another; finished ones are not repeated.

The links of `x.tsv` are in `x.tsv.links`.  `finished.json` says from which file, of which size and
time, and with which aligner and settings each of them was made.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from demotic.align.pair_text import PairText
from demotic.align.stream import LinkStream, Report
from demotic.errors import Error
from demotic.lines import write_text
from demotic.outputs import refuse_file

__all__ = ["LinkFolder"]

_RECORD = "finished.json"


class LinkFolder:
    """`force` makes links again that were made from other text or in another way."""

    def __init__(self, home: Path, *, force: bool = False) -> None:
        if home.is_file():
            raise Error(
                "a file", path=str(home), expected="a directory for the links of several files"
            )
        self._home = home
        self._force = force
        self._finished: dict[str, Any] = {}
        with suppress(OSError, ValueError):  # without a record, links are made again
            self._finished = json.loads((home / _RECORD).read_text(encoding="utf-8"))

    @staticmethod
    def check(texts: Sequence[PairText]) -> None:
        """Refuses texts that cannot have a file of their own, before any work."""
        seen: dict[str, str] = {}
        for text in texts:
            name = os.path.basename(text.name)
            if text.standard_input or not Path(text.source).is_file():
                raise Error(
                    "no file", path=text.name, expected="files, whose links are named after them"
                )
            if name in seen:
                raise Error(
                    f"the name of {seen[name]}, too",
                    path=text.name,
                    expected="files with different names, which their links get",
                    advice="align them by separate commands, or rename one",
                )
            seen[name] = text.name

    def write(self, stream: LinkStream, text: PairText, *, report: Report | None = None) -> Path:
        """Writes the links of a text, unless they are finished."""
        path = self._home / f"{os.path.basename(text.name)}.links"
        made = {"key": stream.key, "from": _mark(Path(text.source))}
        before = self._finished.get(path.name)
        if before and path.exists() and {**made, "pairs": before["pairs"]} == before:
            stream.counts.pairs += before["pairs"]
            stream.counts.resumed += before["pairs"]
            return path
        refuse_file(path, force=self._force)
        pairs = stream.counts.pairs
        stream.write(text, path, force=self._force, report=report)
        self._finished[path.name] = {**made, "pairs": stream.counts.pairs - pairs}
        with write_text(self._home / _RECORD) as file:
            json.dump(self._finished, file, indent=1)
        return path


def _mark(path: Path) -> list[Any]:
    status = path.stat()
    return [str(path.resolve()), status.st_size, status.st_mtime_ns]
