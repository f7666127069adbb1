"""Files and directories that are shared with workers, identified by their content.

Among the arguments of a task stands `{"shared": DIGEST, "name": NAME}`; the worker gets the path of
a file or directory of that name and content.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from demotic.errors import InputError
from demotic.lines import PathLike
from demotic.steps import file_digest
from demotic.workers.protocol import Shared

__all__ = ["Content", "SharedFiles", "content_of", "resolved", "same_content", "shared_in"]

# Folders of a model directory with which it was made, but which nobody needs who uses it.
_UNUSED = ("work", "runs", "training", "bitext")


@dataclass(frozen=True)
class Content:
    """A file, or a directory with its files by relative name; each has a digest."""

    path: Path
    files: Mapping[str, str]
    """A file that is not in a directory has the name ''."""

    @property
    def digest(self) -> str:
        if "" in self.files:
            return self.files[""]
        text = json.dumps(sorted(self.files.items()))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def content_of(path: PathLike) -> Content:
    """Reads all files of a directory but hidden ones and those of folders that no model needs."""
    home = Path(path)
    if not home.is_dir():
        return Content(home, {"": _digest(home)})
    files = {}
    for folder, below, names in os.walk(home):
        below[:] = [one for one in below if not one.startswith(".") and one not in _UNUSED]
        for name in names:
            if not name.startswith("."):
                file = Path(folder) / name
                files[file.relative_to(home).as_posix()] = _digest(file)
    return Content(home, files)


def same_content(path: str, digest: str) -> bool:
    """Whether this machine has it there: a shared file system, or one machine."""
    try:
        return content_of(path).digest == digest
    except OSError:
        return False


def _digest(path: Path) -> str:
    """The digest of a file, which is read again only if it has changed."""
    try:
        status = os.stat(path)
    except OSError:
        return file_digest(path)  # raises the error
    return _digest_of(os.path.realpath(path), status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=4096)
def _digest_of(path: str, size: int, time_ns: int) -> str:
    return file_digest(path)


@dataclass
class SharedFiles:
    """What a driver has shared, by digest."""

    known: dict[str, Content] = field(default_factory=dict)

    def add(self, path: PathLike) -> Shared:
        if os.fspath(path) == "-":
            raise InputError(
                "standard input for several workers", expected="a file", advice="write it to a file"
            )
        content = content_of(Path(path).resolve())
        self.known[content.digest] = content  # an earlier file of this content may be gone
        return {"shared": content.digest, "name": Path(path).name}

    def places(self, value: Any) -> dict[str, str]:
        """The paths of what is shared among the arguments, by digest."""
        return {digest: str(self.known[digest].path) for digest in shared_in(value)}


def shared_in(value: Any) -> set[str]:
    """The digests of what is shared among the arguments."""
    if isinstance(value, dict):
        if value.keys() == {"shared", "name"}:
            return {value["shared"]}
        value = list(value.values())
    return set().union(*map(shared_in, value)) if isinstance(value, list | tuple) else set()


def resolved(arguments: Any, find: Callable[[str, str], str]) -> Any:
    """The arguments with `find(digest, name)` in place of what is shared."""
    if isinstance(arguments, dict):
        if arguments.keys() == {"shared", "name"}:
            return find(arguments["shared"], arguments["name"])
        return {name: resolved(value, find) for name, value in arguments.items()}
    if isinstance(arguments, list | tuple):
        return [resolved(value, find) for value in arguments]
    return arguments
