"""Workers in this process whose answers are delayed, repeated, reordered, lost, or damaged."""

from __future__ import annotations

import json
import random
from dataclasses import replace

from demotic.workers.content import SharedFiles
from demotic.workers.dispatch import Notify
from demotic.workers.driver import Driver
from demotic.workers.messages import Answer, Joined, Lost, Message
from demotic.workers.worker import Worker


class ChaosTransport:
    """Every message meets one fate, drawn by a seed; only two may kill, as three are too many.

    Workers that die are replaced by themselves, or later by others who join.
    """

    place = None

    def __init__(self, count: int = 3, seed: int = 0, *, replaces: bool = True) -> None:
        self._names = [f"w{number}" for number in range(count)]
        self._replaces = replaces
        self._random = random.Random(seed)
        self._waiting: list[Answer | Lost | Joined] = []
        self._workers: dict[str, Worker] = {}
        self._files = SharedFiles()
        self.fates: list[str] = []
        self.time = 0.0
        self.closed = False

    def start(self, files: SharedFiles) -> list[str]:
        self._files = files
        for name in self._names:
            self._begin(name)
        return self._names

    def restart(self, worker: str) -> bool:
        name = worker if self._replaces else f"{worker}'"
        self._begin(name)
        if not self._replaces:
            self._waiting.append(Joined(name))
        return self._replaces

    def _begin(self, worker: str) -> None:
        self._workers[worker] = Worker(lambda digest, name: str(self._files.known[digest].path))

    def send(self, worker: str, message: Message) -> None:
        head = json.loads(json.dumps(message.head))  # nothing but JSON gets through
        if worker not in self._workers:
            return  # it has died
        fate = self._random.choice("arrives arrives late twice lost damaged dies".split())
        if fate == "dies" and self.fates.count("dies") == 2:
            fate = "arrives"
        self.fates.append(fate)
        if fate == "lost" and self._random.random() < 0.5:
            return  # already the question, or a change of an actor
        answer = self._workers[worker].handle(replace(message, head=head))
        if fate == "dies":
            self._waiting = [one for one in self._waiting if one.worker != worker]
            del self._workers[worker]
            self._waiting.append(Lost(worker, "it had to die"))
        elif answer is not None and fate != "lost":
            if fate == "damaged":
                answer = replace(answer, data=answer.data + b"?")
            self._waiting += [Answer(worker, answer)] * (1 + (fate == "twice"))

    def receive(self, seconds: float) -> list[Answer | Lost | Joined]:
        self.time += 1
        self._random.shuffle(self._waiting)
        kept = len(self._waiting) // 2  # for later
        found, self._waiting = self._waiting[kept:], self._waiting[:kept]
        return found

    def close(self) -> None:
        self.closed = True


def chaotic(
    count: int = 3,
    seed: int = 0,
    notify: Notify = lambda text: None,
    *,
    replaces: bool = True,
) -> Driver:
    transport = ChaosTransport(count, seed, replaces=replaces)
    return Driver(transport, notify=notify, patience=2, clock=lambda: transport.time)
