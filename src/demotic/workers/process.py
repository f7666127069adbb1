"""A worker process: reads messages from standard input, writes answers to standard output."""

from __future__ import annotations

import os
import signal
import sys

from demotic.allowed_code import ALLOW_CODE
from demotic.workers.messages import Message, read_message, write_message
from demotic.workers.worker import Worker

__all__ = ["main"]


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends the driver and all its workers
    os.environ[ALLOW_CODE] = "1"  # the driver, which opened the same model, has asked the user
    reader = sys.stdin.buffer
    writer = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a task prints is no answer
    places: dict[str, str] = {}
    worker = Worker(lambda digest, name: places[digest])
    while (message := read_message(reader)) is not None:
        places |= message.head.pop("places", {})
        answer = worker.handle(message)
        if answer is not None:
            write_message(writer, Message(answer.id, answer.head, answer.data))


if __name__ == "__main__":
    main()
