"""What a worker does with a message; the same in every process, on every machine.

A task is run and its result returned.  An actor is made by `start`, changed by `tell`, asked by
`ask`.  Changes are numbered: one that arrives twice is ignored, and a question that comes when a
change is missing is answered with the number of the change that is expected next.
"""

from __future__ import annotations

import os
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from demotic.errors import Error
from demotic.workers.content import resolved
from demotic.workers.identity import identity
from demotic.workers.messages import Message, data_digest
from demotic.workers.registry import Actor, find_actor, find_task

__all__ = ["Find", "UnsuitableError", "Worker"]

Find = Callable[[str, str], str]
"""Returns the path of what is shared, by its digest and name."""


@dataclass
class _Kept:
    kind: str
    actor: Actor
    changes: int


class UnsuitableError(Error):
    """Why this worker, unlike others, cannot do the work."""


class Worker:
    def __init__(self, find: Find) -> None:
        self._find = find
        self._actors: dict[int, _Kept] = {}

    def handle(self, message: Message) -> Message | None:
        """The answer; None if there is none, as to changes of actors."""
        head = message.head
        try:
            if head["do"] == "hello":
                return Message(message.id, {"identity": identity(), "process": os.getpid()})
            if head["do"] == "run":
                return _signed(message.id, self._run(head))
            return self._handle_actor(message)
        except UnsuitableError as error:
            return Message(message.id, {"unsuitable": str(error)})
        except (Error, OSError) as error:
            return Message(message.id, {"error": str(error)})
        except MemoryError:
            return Message(message.id, {"error": "out of memory; give fewer workers"})
        except Exception:
            return Message(message.id, {"bug": traceback.format_exc()})

    def _run(self, head: dict[str, Any]) -> bytes:
        with tempfile.TemporaryDirectory(prefix="demotic-") as folder:
            out = Path(folder) / "result"
            find_task(head["task"])(resolved(head["arguments"], self._find), out)
            return out.read_bytes()

    def _handle_actor(self, message: Message) -> Message | None:
        head, kept = message.head, self._actors.get(message.head["actor"])
        arguments = resolved(head["arguments"], self._find)
        if head["do"] == "start":
            if kept is None or kept.changes < head["changes"]:
                for old in [key for key, one in self._actors.items() if one.kind == head["kind"]]:
                    del self._actors[old]  # a driver has one set of actors of a kind at a time
                made = find_actor(head["kind"])(arguments, message.data)
                self._actors[head["actor"]] = _Kept(head["kind"], made, head["changes"])
            return None
        if head["do"] == "tell":
            if kept is not None and kept.changes == head["change"]:
                kept.actor.tell(arguments, message.data)
                kept.changes += 1
            return None
        if kept is None or kept.changes != head["changes"]:
            return Message(message.id, {"behind": -1 if kept is None else kept.changes})
        return _signed(message.id, kept.actor.ask(arguments, message.data))


def _signed(number: int, data: bytes) -> Message:
    return Message(number, {"digest": data_digest(data)}, data)
