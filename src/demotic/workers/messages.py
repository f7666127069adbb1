"""Messages between driver and workers: a JSON object and bytes; and what a transport does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol

from demotic._core import crc32c
from demotic.workers.content import SharedFiles

__all__ = [
    "Answer",
    "Joined",
    "Lost",
    "Message",
    "Transport",
    "data_digest",
    "read_message",
    "write_message",
]


@dataclass(frozen=True)
class Message:
    """From the driver: `head["do"]` says what to do.  An answer has the same id."""

    id: int
    head: dict[str, Any]
    data: bytes = field(default=b"", repr=False)


@dataclass(frozen=True)
class Answer:
    worker: str
    message: Message


@dataclass(frozen=True)
class Lost:
    """A worker that died, with everything it was doing."""

    worker: str
    reason: str


@dataclass(frozen=True)
class Joined:
    """A worker that was not there before."""

    worker: str


class Transport(Protocol):
    """Carries messages to named workers and back."""

    @property
    def place(self) -> Path | None:
        """Where files must be that are made to be shared; None: anywhere."""

    def start(self, files: SharedFiles) -> list[str]:
        """Starts the workers and returns their names; `files` are those that will be shared."""

    def send(self, worker: str, message: Message) -> None: ...

    def receive(self, seconds: float) -> Sequence[Answer | Lost | Joined]:
        """What has arrived; waits for at most some seconds."""

    def restart(self, worker: str) -> bool:
        """Replaces a lost worker by a new one of the same name, if it can; whether it has."""

    def close(self) -> None: ...


def data_digest(data: bytes) -> str:
    """Against accidents, and fast, since answers may have gigabytes."""
    return f"{len(data)}-{crc32c(data):08x}"


def write_message(file: IO[bytes], message: Message) -> None:
    head = {"id": message.id, "bytes": len(message.data), "head": message.head}
    file.write(json.dumps(head).encode() + b"\n")
    file.write(message.data)
    file.flush()


def read_message(file: IO[bytes]) -> Message | None:
    """The next message; None at the end, also in the middle of a message."""
    line = file.readline()
    if not line.endswith(b"\n"):
        return None
    head = json.loads(line)
    data = file.read(head["bytes"])
    return Message(head["id"], head["head"], data) if len(data) == head["bytes"] else None
