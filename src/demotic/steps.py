"""Runs long work in steps; the same command again resumes after the last finished step.

The key of a step is the hash of its name, its options, the contents of its input files and the
keys of the preceding steps.  When a step has finished, its key and the sizes and times of its
outputs are recorded.  A step runs again if its key has changed or its outputs are not as it
left them.  `read_records` reads the records for people, who want to know what is done.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from demotic.errors import IoError
from demotic.lines import PathLike, write_text

__all__ = ["StepRecord", "Steps", "file_digest", "read_records"]

_CHUNK = 1 << 20


def file_digest(path: PathLike) -> str:
    """The hash of a file's content. Raises IoError."""
    digest = hashlib.blake2b(digest_size=16)
    try:
        with open(path, "rb") as file:
            while data := file.read(_CHUNK):
                digest.update(data)
    except OSError as error:
        raise IoError(
            "the file cannot be opened", path=os.fspath(path), errno=error.errno or 0
        ) from None
    return digest.hexdigest()


@dataclass(frozen=True)
class StepRecord:
    """A finished step: what it was made of and what it made."""

    name: str
    key: str
    outputs: dict[str, list[int] | None]  # size and time in nanoseconds by name
    paths: list[str] = field(default_factory=list)  # of the outputs, relative to the record
    files: dict[str, list[Any]] = field(default_factory=dict)  # inputs: size, time, digest
    after: list[str] = field(default_factory=list)  # keys of the preceding steps
    seconds: float = 0.0

    def changes(self, folder: Path) -> list[str]:
        """In words, how outputs and inputs differ from what they were."""
        found = []
        now = _marks([folder / path for path in self.paths])
        for name, mark in now.items():
            if mark != self.outputs.get(name):
                found.append(f"{name} {'was changed' if mark else 'is missing'}")
        for name, (size, time_ns, digest) in self.files.items():
            if not os.path.exists(name):
                found.append(f"input {name} is missing")
            elif _mark(name) != [size, time_ns] and file_digest(name) != digest:
                found.append(f"input {name} was changed")
        return found


def read_records(folder: PathLike) -> list[tuple[Path, StepRecord]]:
    """The finished steps recorded in a folder and below, each with its folder, in time order."""
    known = {one.name for one in fields(StepRecord)}
    found = []
    for path in Path(folder).rglob("*.json"):
        stored = _read(path)
        if isinstance(stored, dict) and isinstance(stored.get("outputs"), dict):
            values = {name: value for name, value in stored.items() if name in known}
            record = StepRecord(**{"name": path.stem, "key": "", **values})
            found.append((path.stat().st_mtime_ns, path.parent, record))
    return [(home, record) for _, home, record in sorted(found, key=lambda one: one[:2])]


class Steps:
    """The steps of one task, recorded in `folder`."""

    def __init__(self, folder: PathLike, *, force: bool = False) -> None:
        self.folder = Path(folder)
        self.force = force
        self.skipped: list[str] = []
        self._digests: dict[str, str] = {}

    def recorded(self, name: str) -> bool:
        """Whether a step with this name, of this or another task, has finished here."""
        return isinstance(_read(self._record(name)), dict)

    def began_with(self, name: str, files: Sequence[PathLike]) -> bool:
        """Whether the first step here, `name`, had files with the same contents and no options."""
        stored = _read(self._record(name))
        return isinstance(stored, dict) and stored.get("key") == self._key(name, {}, files, ())

    def run(
        self,
        name: str,
        work: Callable[[], None],
        *,
        outputs: Sequence[Path],
        options: Mapping[str, Any] | None = None,
        files: Sequence[PathLike] = (),
        after: Sequence[str] = (),
    ) -> str:
        """Runs `work` unless it was done; returns the step's key for the following steps."""
        key = self._key(name, options or {}, files, after)
        record = self._record(name)
        if not self.force and _is_done(record, key, outputs):
            self.skipped.append(name)
            return key
        record.unlink(missing_ok=True)
        inputs = {os.path.abspath(path): [*_mark(path), self._digest(path)] for path in files}
        started = time.monotonic()
        work()
        done = StepRecord(
            name=name,
            key=key,
            outputs=_marks(outputs),
            paths=[os.path.relpath(path, self.folder) for path in outputs],
            files=inputs,
            after=list(after),
            seconds=round(time.monotonic() - started, 3),
        )
        with write_text(record) as file:
            json.dump(asdict(done), file, indent=1)
        return key

    def _record(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _key(
        self, name: str, options: Mapping[str, Any], files: Sequence[PathLike], after: Sequence[str]
    ) -> str:
        material = {
            "name": name,
            "options": dict(options),
            "files": [self._digest(path) for path in files],
            "after": list(after),
        }
        text = json.dumps(material, sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def _digest(self, path: PathLike) -> str:
        """The digest of a file; each file is read only once."""
        name = os.fspath(path)
        if name not in self._digests:
            self._digests[name] = file_digest(name)
        return self._digests[name]


def _is_done(record: Path, key: str, outputs: Sequence[Path]) -> bool:
    stored = _read(record)
    wanted = {"key": key, "outputs": _marks(outputs)}
    return isinstance(stored, dict) and wanted.items() <= stored.items()


def _mark(path: PathLike) -> list[Any]:
    status = os.stat(path)
    return [status.st_size, status.st_mtime_ns]


def _marks(outputs: Sequence[Path]) -> dict[str, list[int] | None]:
    """Size and time of each output; None if it does not exist."""
    marks: dict[str, list[int] | None] = {}
    for path in outputs:
        status = path.stat() if path.exists() else None
        marks[path.name] = [status.st_size, status.st_mtime_ns] if status else None
    return marks


def _read(record: Path) -> object:
    try:
        return json.loads(record.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None  # no record, or a truncated one: the step has to run
