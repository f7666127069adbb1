"""The four calls over any transport: the process that gives out work and puts results in order."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self, TypeVar

from demotic.lines import PathLike
from demotic.workers.content import SharedFiles
from demotic.workers.dispatch import Dispatch, Notify
from demotic.workers.messages import Message, Transport
from demotic.workers.protocol import Arguments, Item, Progress, Shared

__all__ = ["Driver"]

_PATIENCE = 120.0
_Result = TypeVar("_Result")


def _ignored(text: str) -> None:
    pass


class Driver:
    """Workers behind a transport."""

    def __init__(
        self,
        transport: Transport,
        *,
        notify: Notify = _ignored,
        patience: float = _PATIENCE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`notify` is told of lost workers and repeated work; `patience`: see Dispatch."""
        self._transport = transport
        self._files = SharedFiles()
        self._results = 0
        workers = transport.start(self._files)
        try:
            self._folder = tempfile.TemporaryDirectory(prefix="demotic-results-")
            self._dispatch = Dispatch(transport, workers, notify, patience=patience, clock=clock)
        except BaseException:
            transport.close()
            raise

    @property
    def count(self) -> int:
        """Those that are there now."""
        return len(self._dispatch.present)

    def share(self, path: PathLike) -> Shared:
        return self._files.add(path)

    @contextmanager
    def folder(self) -> Iterator[Path]:
        place = self._transport.place
        with tempfile.TemporaryDirectory(prefix="demotic-", dir=place) as name:
            yield Path(name)

    def map(
        self, task: str, shards: Sequence[Arguments], progress: Progress | None = None
    ) -> Iterator[Path]:
        def ask(worker: str, number: int, item: int) -> None:
            head = {"do": "run", "task": task, "arguments": shards[item]}
            self._transport.send(worker, Message(number, head))

        arriving = self._dispatch.run(len(shards), ask)
        stored = ((item, self._stored(data)) for item, data in arriving)
        return _in_order(stored, len(shards), self._dispatch, progress)

    def actors(self, kind: str, arguments: Arguments, data: bytes = b"") -> DrivenActors:
        return DrivenActors(self._transport, self._dispatch, kind, (arguments, data))

    @property
    def shares(self) -> str:
        """How many parts of the work each worker has done."""
        return _shares(self._dispatch.answers)

    def close(self) -> None:
        self._transport.close()
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _stored(self, data: bytes) -> Path:
        self._results += 1
        path = Path(self._folder.name) / str(self._results)
        path.write_bytes(data)
        return path


def _in_order(
    arriving: Iterator[tuple[int, _Result]],
    total: int,
    dispatch: Dispatch,
    progress: Progress | None,
) -> Iterator[_Result]:
    """Results by number, each as soon as all before it are there."""
    before, found, following = dispatch.answers.copy(), dict[int, _Result](), 0
    for item, result in arriving:
        found[item] = result
        if progress:
            done = dispatch.answers - before
            progress(done.total(), total, _shares(done))
        while following in found:
            yield found.pop(following)
            following += 1


def _shares(done: dict[str, int]) -> str:
    return ", ".join(f"worker {worker} did {count:,}" for worker, count in sorted(done.items()))


class DrivenActors:
    """Actors behind a transport: the driver keeps all changes, and repeats those that a worker has
    not seen before it asks it."""

    def __init__(self, transport: Transport, dispatch: Dispatch, kind: str, start: Item) -> None:
        self._transport, self._dispatch, self._kind = transport, dispatch, kind
        self._actor = dispatch.number()
        self._start, self._first = start, 0
        self._changes: list[Item] = []
        self._seen: dict[str, int] = {}  # by worker: the change that its actor expects next
        dispatch.on_lost.append(lambda worker: self._seen.pop(worker, None))

    @property
    def kept_bytes(self) -> int:
        """Size of the changes since the last `reset`."""
        return sum(len(data) for _, data in self._changes)

    def tell(self, arguments: Arguments, data: bytes = b"") -> None:
        self._changes.append((arguments, data))

    def reset(self, arguments: Arguments, data: bytes = b"") -> None:
        self._start, self._first = (arguments, data), self._first + len(self._changes)
        self._changes.clear()

    def map(self, items: Sequence[Item], progress: Progress | None = None) -> Iterator[bytes]:
        now = self._first + len(self._changes)

        def ask(worker: str, number: int, item: int) -> None:
            self._update(worker)
            arguments, data = items[item]
            self._send(worker, number, "ask", (arguments, data), changes=now)

        arriving = self._dispatch.run(len(items), ask, self._seen.__setitem__)
        return _in_order(arriving, len(items), self._dispatch, progress)

    def _update(self, worker: str) -> None:
        """Sends a worker what it has not seen, without waiting for an answer."""
        seen = self._seen.get(worker, -1)
        if seen < self._first:
            number = self._dispatch.number()
            self._send(worker, number, "start", self._start, kind=self._kind, changes=self._first)
            seen = self._first
        for change, item in enumerate(self._changes[seen - self._first :], seen):
            self._send(worker, self._dispatch.number(), "tell", item, change=change)
        self._seen[worker] = self._first + len(self._changes)

    def _send(self, worker: str, number: int, do: str, item: Item, **more: object) -> None:
        head = {"do": do, "actor": self._actor, "arguments": item[0], **more}
        self._transport.send(worker, Message(number, head, item[1]))
