"""Workers that are processes on this machine, which talk through pipes."""

from __future__ import annotations

import queue
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import IO

from demotic.workers.content import SharedFiles
from demotic.workers.messages import Answer, Lost, Message, read_message, write_message

__all__ = ["LocalTransport"]

_PIPE = 1 << 20  # bytes that a process can write before it waits, where this can be chosen
_TAIL = 400  # characters of what a lost process printed


@dataclass
class _Process:
    process: subprocess.Popen[bytes]
    printed: IO[bytes]


class LocalTransport:
    """`count` processes, named by numbers from 1."""

    place = None

    def __init__(self, count: int) -> None:
        self._names = [str(number + 1) for number in range(count)]
        self._processes: dict[str, _Process] = {}
        self._events: queue.Queue[Answer | Lost] = queue.Queue()
        self._files = SharedFiles()
        self._closed = False

    def start(self, files: SharedFiles) -> list[str]:
        self._files = files
        for name in self._names:
            self.restart(name)
        return self._names

    def restart(self, worker: str) -> bool:
        if worker in self._processes:
            self._end(self._processes[worker])
        printed = tempfile.TemporaryFile()  # noqa: SIM115 closed with the process
        process = subprocess.Popen(
            [sys.executable, "-m", "demotic.workers.process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=printed,
            pipesize=_PIPE,
        )
        self._processes[worker] = started = _Process(process, printed)
        threading.Thread(target=self._read, args=(worker, started), daemon=True).start()
        return True

    def send(self, worker: str, message: Message) -> None:
        places = self._files.places(message.head)
        with suppress(OSError):  # lost, which the reader reports
            stdin = self._processes[worker].process.stdin
            assert stdin is not None
            write_message(stdin, replace(message, head={**message.head, "places": places}))

    def receive(self, seconds: float) -> list[Answer | Lost]:
        found: list[Answer | Lost] = []
        with suppress(queue.Empty):
            found.append(self._events.get(timeout=seconds))
            while True:
                found.append(self._events.get_nowait())
        return found

    def close(self) -> None:
        self._closed = True
        for one in self._processes.values():
            self._end(one)

    def processes(self) -> list[int]:
        """Their ids."""
        return [one.process.pid for one in self._processes.values()]

    def _read(self, worker: str, one: _Process) -> None:
        assert one.process.stdout is not None
        with one.process.stdout as pipe:
            while (message := read_message(pipe)) is not None:
                self._events.put(Answer(worker, message))
        code = one.process.wait()
        if not self._closed:
            self._events.put(Lost(worker, self._reason(one, code)))

    def _reason(self, one: _Process, code: int) -> str:
        with suppress(ValueError):
            if code < 0:
                return f"killed by {signal.Signals(-code).name}"
        printed = one.printed
        size = printed.seek(0, 2)
        printed.seek(max(0, size - _TAIL))
        tail = printed.read().decode("utf-8", "replace").strip()
        return f"exit code {code}" + (f", {tail}" if tail else "")

    def _end(self, one: _Process) -> None:
        with suppress(OSError):
            if one.process.stdin is not None:
                one.process.stdin.close()
        one.process.kill()
        one.process.wait()
        one.printed.close()
