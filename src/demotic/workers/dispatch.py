"""Gives every item to a worker, again if its answer is lost, until each has one.

The first answer to an item counts.  A later one must be the same, or two workers do not compute the
same, which is an error; answers to items of an earlier call are ignored.

A worker that dies is replaced, if the transport can do so, and others may join at any time.  One
that is late is asked whether it is there: as it answers in order, an answer to that question means
that the answer to the item was lost.  Meanwhile an idle worker gets the item too.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from demotic.errors import Error
from demotic.workers.identity import refuse_other
from demotic.workers.messages import Answer, Joined, Lost, Message, Transport, data_digest

__all__ = ["Ask", "Dispatch", "Notify"]

Ask = Callable[[str, int, int], None]
"""Sends an item to a worker: its name, the id of the message, the number of the item."""
Notify = Callable[[str], None]
Behind = Callable[[str, int], None]

_ATTEMPTS = 3  # workers that an item may lose before it is taken for the cause
_WAIT = 0.5  # seconds
_SLOW = 4.0  # times as long as any answer so far


def _no_actors(worker: str, change: int) -> None:
    pass


@dataclass
class _Asked:
    call: int
    item: int
    worker: str
    since: float
    doubted: float  # when the worker is taken for late
    given_up: bool = False  # the answer seems lost; if it still comes, it counts


@dataclass
class _Call:
    """The items of one call: those waiting, and the digests of the answers."""

    number: int
    after: int  # messages up to this one belong to earlier calls
    waiting: deque[int]
    behind: Behind
    digests: dict[int, str] = field(default_factory=dict)
    losses: Counter[int] = field(default_factory=Counter)


class Dispatch:
    """All questions to the workers of one driver."""

    def __init__(
        self,
        transport: Transport,
        workers: list[str],
        notify: Notify,
        *,
        patience: float,
        clock: Callable[[], float],
    ) -> None:
        """`patience`: seconds without an answer after which an item is given out once more."""
        self._clock = clock
        self._transport, self._notify, self._patience = transport, notify, patience
        self._idle: dict[str, None] = {}
        self._asked: dict[int, _Asked] = {}
        self._greeted: dict[int, str] = {}
        self._calls = self._messages = 0
        self._slowest = 0.0
        self.present: set[str] = set()
        """Workers that have joined and were not lost."""
        self._suitable: set[str] = set()  # those with our program and processor
        self.answers: Counter[str] = Counter()
        """Answers that counted, by worker."""
        self.on_lost: list[Callable[[str], object]] = []
        """Called with the name of a worker that was lost."""
        for worker in workers:
            self._welcome(worker)

    def number(self) -> int:
        """The id of a new message."""
        self._messages += 1
        return self._messages

    def run(self, items: int, ask: Ask, behind: Behind = _no_actors) -> Iterator[tuple[int, bytes]]:
        """The first answer to every item, as they arrive.

        `behind` is called with a worker and the change that its actor expects next; -1: it has no
        actor.
        """
        self._calls += 1
        call = _Call(self._calls, self._messages, deque(range(items)), behind)
        while len(call.digests) < items:
            self._assign(call, ask)
            for event in self._transport.receive(_WAIT):
                if isinstance(event, Lost):
                    self._lost(event, call)
                elif isinstance(event, Joined):
                    self._welcome(event.worker)
                elif (item := self._accepted(event, call)) is not None:
                    self.answers[event.worker] += 1
                    yield item, event.message.data
            self._doubt(call)

    def _welcome(self, worker: str) -> None:
        self.present.add(worker)
        self.answers[worker] += 0
        self._idle[worker] = None
        self._greet(worker)

    def _greet(self, worker: str) -> None:
        """Asks a worker that joins for its identity, which `_accepted` compares with ours."""
        number = self.number()
        self._greeted[number] = worker
        self._transport.send(worker, Message(number, {"do": "hello"}))

    def _assign(self, call: _Call, ask: Ask) -> None:
        while call.waiting and self._idle:
            item = call.waiting.popleft()
            if item not in call.digests:
                worker, number, now = next(iter(self._idle)), self.number(), self._clock()
                del self._idle[worker]
                late = now + self._slow_after()
                self._asked[number] = _Asked(call.number, item, worker, now, late)
                ask(worker, number, item)

    def _slow_after(self) -> float:
        return max(self._patience, _SLOW * self._slowest)

    def _accepted(self, answer: Answer, call: _Call) -> int | None:
        """The item that this answer is the first to; None for any other answer."""
        if answer.worker not in self.present:
            return None
        if answer.message.id > call.after:
            _refuse_error(answer)
        head = answer.message.head
        if "identity" in head:
            self._identify(answer, call)
        if "unsuitable" in head:
            self._refuse(Error(f"worker {answer.worker}: {head['unsuitable']}"), answer, call)
        asked = self._asked.pop(answer.message.id, None)
        # None: a greeting, or an answer that came before.
        return None if asked is None else self._counted(asked, answer.message, call)

    def _counted(self, asked: _Asked, answer: Message, call: _Call) -> int | None:
        """The item of a question if the answer counts."""
        head, data = answer.head, answer.data
        if not asked.given_up:
            self._idle[asked.worker] = None
        if asked.call != call.number:
            return None  # too late, also for an error
        if "behind" in head:
            call.behind(asked.worker, head["behind"])
        if asked.worker not in self._suitable:  # its greeting is late, or was lost
            self._greet(asked.worker)
            call.waiting.append(asked.item)
            return None
        if "behind" in head or head["digest"] != data_digest(data):
            call.waiting.append(asked.item)
            return None
        first = asked.item not in call.digests
        if call.digests.setdefault(asked.item, head["digest"]) != head["digest"]:
            raise Error(
                f"worker {asked.worker} has another result than a worker before it",
                expected="the same bytes from every worker",
                advice="check the memory of the machines, then repeat the command",
            )
        self._slowest = max(self._slowest, self._clock() - asked.since)
        return asked.item if first else None

    def _identify(self, answer: Answer, call: _Call) -> None:
        try:
            refuse_other(answer.worker, answer.message.head["identity"])
        except Error as error:
            self._refuse(error, answer, call)
        else:
            self._suitable.add(answer.worker)
            self._give_up_before(answer.message.id, call)

    def _refuse(self, error: Error, answer: Answer, call: _Call) -> None:
        """Gives a worker no more work; if it was the only one, raises the error."""
        self._leave_out(answer.worker, call)
        if not self.present:
            raise error
        self._notify(f"{error}; it gets no work")

    def _leave_out(self, worker: str, call: _Call) -> set[int]:
        """Gives it no more work; returns the items of this call that it had."""
        self.present.discard(worker)
        self._suitable.discard(worker)
        self._idle.pop(worker, None)
        gone = [number for number, one in self._asked.items() if one.worker == worker]
        asked = [self._asked.pop(number) for number in gone]
        items = {one.item for one in asked if one.call == call.number} - call.digests.keys()
        call.waiting.extendleft(sorted(items, reverse=True))
        return items

    def _give_up_before(self, greeting: int, call: _Call) -> None:
        """What a worker was asked before it answered a greeting has no answer any more."""
        worker = self._greeted.pop(greeting, None)
        for number, asked in self._asked.items():
            if asked.worker == worker and number < greeting and not asked.given_up:
                asked.given_up = True
                self._idle[worker] = None
                if asked.call == call.number and asked.item not in call.digests:
                    call.waiting.append(asked.item)

    def _doubt(self, call: _Call) -> None:
        """Greets workers that are late, and gives their items to idle workers as well."""
        now = self._clock()
        for asked in self._asked.values():
            if asked.given_up or now < asked.doubted:
                continue
            asked.doubted = now + 2 * (now - asked.since)
            self._greet(asked.worker)
            wanted = asked.call == call.number and asked.item not in call.digests
            if wanted and self._idle and not call.waiting:
                call.waiting.append(asked.item)
                self._notify(f"worker {asked.worker} is late; another one gets its part as well")

    def _lost(self, event: Lost, call: _Call) -> None:
        items = self._leave_out(event.worker, call)
        for item in sorted(items):
            call.losses[item] += 1
            if call.losses[item] == _ATTEMPTS:
                raise Error(
                    f"{_ATTEMPTS} workers were lost with the same part of the work: {event.reason}",
                    expected="workers with enough memory for it",
                    advice="give fewer workers, or more shards",
                )
        self._notify(
            f"worker {event.worker} was lost: {event.reason}"
            + ("; its part is repeated" if items else "")
        )
        self._greeted = {one: name for one, name in self._greeted.items() if name != event.worker}
        for tell in self.on_lost:
            tell(event.worker)
        if self._transport.restart(event.worker):
            self._welcome(event.worker)
        elif not self.present:
            self._notify("no worker is left; the work continues when another one joins")


def _refuse_error(answer: Answer) -> None:
    head = answer.message.head
    if "error" in head:
        raise Error(f"worker {answer.worker}: {head['error']}")
    if "bug" in head:
        raise RuntimeError(f"worker {answer.worker} failed:\n{head['bug']}")
