"""Long work in steps that are done once: run the same command again and it goes on where it was.

A step is known by a key: the hash of its name, its options, the contents of the files it reads and
the keys of the steps before it.  When it has ended, a small record says so, with the sizes and
times of what it wrote.  A step runs again if its key has changed or its outputs are not as it left
them.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from demotic.errors import IoError
from demotic.lines import PathLike, write_text

__all__ = ["Steps", "file_digest"]

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


class Steps:
    """The steps of one piece of work, recorded in `folder`."""

    def __init__(self, folder: PathLike, *, force: bool = False) -> None:
        self.folder = Path(folder)
        self.force = force
        self.skipped: list[str] = []
        self._digests: dict[str, str] = {}

    def recorded(self, name: str) -> bool:
        """Whether a step with this name, of this or of other work, has ended here."""
        return isinstance(_read(self._record(name)), dict)

    def began_with(self, name: str, files: Sequence[PathLike]) -> bool:
        """Whether the first step here, `name`, had files of the same contents and no options."""
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
        """Does `work` unless it has been done; gives the step's key for the steps after it."""
        key = self._key(name, options or {}, files, after)
        record = self._record(name)
        if not self.force and _read(record) == {"key": key, "outputs": _marks(outputs)}:
            self.skipped.append(name)
            return key
        record.unlink(missing_ok=True)
        work()
        with write_text(record) as file:
            json.dump({"key": key, "outputs": _marks(outputs)}, file, indent=1)
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
        """Each file is read once, however often it is asked for."""
        name = os.fspath(path)
        if name not in self._digests:
            self._digests[name] = file_digest(name)
        return self._digests[name]


def _marks(outputs: Sequence[Path]) -> dict[str, list[int] | None]:
    """Size and time of each output; None for one that is not there."""
    marks: dict[str, list[int] | None] = {}
    for path in outputs:
        status = path.stat() if path.exists() else None
        marks[path.name] = [status.st_size, status.st_mtime_ns] if status else None
    return marks


def _read(record: Path) -> object:
    try:
        return json.loads(record.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None  # no record, or one that was cut short: the step has to be done
