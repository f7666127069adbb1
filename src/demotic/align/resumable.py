"""A text file that is written in pieces and can be continued after an interruption.

Until it is complete it is called `NAME.partial`; next to it, `NAME.partial.json` says how much of
the input it covers.  Resuming cuts the file back to that point and compares the input up to there
with what was read before, so nothing is lost, repeated or mixed with another text.
"""

from __future__ import annotations

import gzip
import json
import os
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from demotic._core import Lines
from demotic.errors import Error, IoError
from demotic.lines import PathLike

__all__ = ["Position", "ResumableText"]

_GZ_LEVEL = 4
_SECONDS = 1.0  # between two records of the position


@dataclass
class Position:
    """How far the input was read: the number of pairs, and chained hashes of both sides."""

    pairs: int = 0
    source: int = 0
    target: int = 0

    def advance(self, source: Lines, target: Lines) -> None:
        self.pairs += len(source)
        self.source = source.digest(self.source)
        self.target = target.digest(self.target)


class ResumableText:
    """`key` describes everything but the input that the text depends on."""

    def __init__(self, path: PathLike, key: dict[str, Any], *, force: bool = False) -> None:
        self.path = Path(path)
        self._partial = self.path.with_name(self.path.name + ".partial")
        self._record = self.path.with_name(self.path.name + ".partial.json")
        self._key = json.loads(json.dumps(key))
        self.begin_at = Position()
        self._bytes = 0  # written, for the input up to `_at`
        if force:
            self._partial.unlink(missing_ok=True)
            self._record.unlink(missing_ok=True)
        self._find_begin()
        self._at = self.begin_at
        self._file = self._open()
        self._recorded = time.monotonic()

    def _find_begin(self) -> None:
        try:
            stored = json.loads(self._record.read_text(encoding="utf-8"))
            size = self._partial.stat().st_size
        except (OSError, ValueError):
            if self._partial.exists():  # killed before its first record
                self._partial.unlink()
            return
        if stored["key"] != self._key:
            raise Error(
                "unfinished links of another aligner or with other settings",
                path=str(self._partial),
                expected="the same command that began them",
                advice="give --force to begin again, or choose another name",
            )
        if stored["bytes"] <= size:
            self.begin_at = Position(**stored["position"])
            self._bytes = stored["bytes"]

    def _open(self) -> IO[bytes]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            file = open(self._partial, "r+b" if self._partial.exists() else "w+b")  # noqa: SIM115
            file.truncate(self._bytes)
            file.seek(self._bytes)
        except OSError as error:
            raise IoError(
                "the file cannot be written", path=str(self._partial), errno=error.errno or 0
            ) from None
        return file

    def write(self, text: bytes, position: Position) -> None:
        """Appends the text of the input up to `position`, which must not change afterwards."""
        if self.path.suffix == ".gz":  # each piece is a gz member, so that the file can be cut
            text = gzip.compress(text, _GZ_LEVEL, mtime=0)
        try:
            self._file.write(text)
        except OSError as error:
            raise IoError(
                "the file cannot be written", path=str(self._partial), errno=error.errno or 0
            ) from None
        self._bytes, self._at = self._bytes + len(text), position
        if time.monotonic() - self._recorded >= _SECONDS:
            self.record()

    def record(self) -> None:
        """Remembers the position, from which the same command resumes."""
        self._file.flush()
        stored = {"key": self._key, "bytes": self._bytes, "position": asdict(self._at)}
        fresh = self._record.with_suffix(".new")
        fresh.write_text(json.dumps(stored), encoding="utf-8")
        os.replace(fresh, self._record)
        self._recorded = time.monotonic()

    def finish(self) -> None:
        """Gives the complete file its name."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        os.replace(self._partial, self.path)
        self._record.unlink(missing_ok=True)

    def close(self) -> None:
        """After an interruption: keeps what was written, if anything was."""
        with suppress(OSError, ValueError):  # closed, or the disk is full: the last record counts
            if self._at.pairs:
                self.record()
            self._file.close()
            if not self._at.pairs:
                self._partial.unlink()
