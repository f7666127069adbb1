"""The protocol of workers: four calls.

Tasks and actors are names in a registry (`registry.py`) with plain arguments, which JSON can
express; results are bytes of files.  No code and no object is ever sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from demotic.lines import PathLike

__all__ = ["Actors", "Arguments", "Item", "Progress", "Shared", "Workers"]

Arguments = dict[str, Any]
"""What JSON can express, and shared files."""
Item = tuple[Arguments, bytes]
Shared = dict[str, str]
"""A shared file or directory among the arguments; the worker gets a path in its place."""
Progress = Callable[[int, int, str], None]
"""Called with the amount done, the total, and a remark on who did it."""


class Actors(Protocol):
    """Objects with the same state, one per worker."""

    def tell(self, arguments: Arguments, data: bytes = b"") -> None:
        """Changes the state of all of them; in the order of the calls."""

    def map(self, items: Sequence[Item], progress: Progress | None = None) -> Iterator[bytes]:
        """Answers to questions in their order, each from any of the actors, as they arrive."""

    @property
    def kept_bytes(self) -> int:
        """Size of the changes since the last `reset`, which a new actor has to repeat."""

    def reset(self, arguments: Arguments, data: bytes = b"") -> None:
        """A new initial state: actors that replace lost ones begin with it."""


class Workers(Protocol):
    """Several workers; a context manager that closes them."""

    @property
    def count(self) -> int:
        """How many there are now; workers may join and leave."""

    @property
    def shares(self) -> str:
        """How many parts of the work each worker has done, in words."""

    def share(self, path: PathLike) -> Shared:
        """Makes a file or directory available to all workers, which check its digest."""

    def folder(self) -> AbstractContextManager[Path]:
        """A temporary folder for files that are made to be shared: where workers can read them."""

    def map(
        self, task: str, shards: Sequence[Arguments], progress: Progress | None = None
    ) -> Iterator[Path]:
        """The results of a task in the order of the shards, as files that the caller may move."""

    def actors(self, kind: str, arguments: Arguments, data: bytes = b"") -> Actors:
        """Objects of a kind, made of these arguments."""

    def close(self) -> None: ...

    def __enter__(self) -> Workers: ...

    def __exit__(self, *error: object) -> None: ...
