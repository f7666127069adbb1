"""The tasks and actors that workers know, by name; imported on use.

A task is a function of its arguments that writes its result to a path.  An actor is a class that is
made of arguments and bytes, changed by `tell`, and asked by `ask`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from demotic.workers.protocol import Arguments

__all__ = ["ACTORS", "TASKS", "Actor", "Task", "find_actor", "find_task"]

Task = Callable[[Arguments, Path], None]

TASKS = {
    "force": "demotic.train.forced:write_part",
    "ngrams": "demotic.lm.shared_counts:count_part",
    "verb": "demotic.cli.shard_task:run",
}
ACTORS = {
    "alignment": "demotic.align.shared_training:AlignmentActor",
    "decoding": "demotic.learn.shared_decoding:DecodingActor",
    "extraction": "demotic.shared_extraction:ExtractionActor",
    "training": "demotic.train.shared_trainers:TrainingActor",
}


class Actor(Protocol):
    """What workers keep between messages."""

    def tell(self, arguments: Arguments, data: bytes) -> None: ...

    def ask(self, arguments: Arguments, data: bytes) -> bytes: ...


def find_task(name: str) -> Task:
    task: Task = _imported(TASKS[name])
    return task


def find_actor(kind: str) -> Callable[[Arguments, bytes], Actor]:
    make: Callable[[Arguments, bytes], Actor] = _imported(ACTORS[kind])
    return make


def _imported(place: str) -> Any:
    module, name = place.split(":")
    return getattr(import_module(module), name)
