"""What a driver returns does not depend on what happens to workers and their messages."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.errors import Error
from demotic.workers import registry
from demotic.workers.driver import Driver
from demotic.workers.identity import identity, refuse_other
from demotic.workers.messages import Answer, Lost, Message, data_digest
from tests.workers.chaos import ChaosTransport, chaotic


@pytest.fixture(autouse=True, scope="module")
def known() -> None:
    for name in ("square", "read", "fail", "break_", "random_"):
        registry.TASKS[name] = f"tests.workers.tasks:{name}"
    registry.ACTORS["sum"] = "tests.workers.tasks:Sum"


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5), st.integers(0, 10**9), st.integers(0, 30), st.booleans())
def test_results_are_in_shard_order_whatever_happens(
    count: int, seed: int, size: int, replaces: bool
) -> None:
    with chaotic(count, seed, replaces=replaces) as workers:
        for _ in range(2):  # answers of the first call may arrive during the second
            found = workers.map("square", [{"number": i} for i in range(size)])
            assert [int(path.read_text()) for path in found] == [i * i for i in range(size)]


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 4),
    st.integers(0, 10**9),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9), st.booleans()), max_size=12),
    st.booleans(),
)
def test_actors_have_seen_all_changes_in_order(
    count: int, seed: int, changes: list[tuple[int, int, bool]], replaces: bool
) -> None:
    with chaotic(count, seed, replaces=replaces) as workers:
        actors, value = workers.actors("sum", {}, b"7"), 7
        for times, more, reset in changes:
            actors.tell({"times": times}, str(more).encode())
            value = value * times + more
            if reset:
                actors.reset({}, str(value).encode())
                assert actors.kept_bytes == 0
            found = list(actors.map([({}, str(i).encode()) for i in range(5)]))
            assert found == [str(value + i).encode() for i in range(5)]


def test_all_fates_are_met() -> None:
    transport = ChaosTransport(3, seed=1)
    with Driver(transport, patience=2, clock=lambda: transport.time) as workers:
        assert len(list(workers.map("square", [{"number": i} for i in range(50)]))) == 50
    assert set(transport.fates) == {"arrives", "late", "twice", "lost", "damaged", "dies"}
    assert transport.closed


def test_shared_files_are_found_by_content(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    with chaotic() as workers:
        shared = workers.share(tmp_path / "a")
        (path,) = workers.map("read", [{"file": shared, "times": 3}])
        assert path.read_text() == "xxx"


def test_errors_of_tasks_are_those_of_the_caller() -> None:
    with chaotic() as workers:
        with pytest.raises(Error, match=r"worker w\d: a\.txt line 3: no such thing"):
            list(workers.map("fail", [{}]))
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            list(workers.map("break_", [{}]))


class _Other(ChaosTransport):
    """Workers of which some have another program, with other results."""

    def __init__(self, count: int, others: tuple[str, ...]) -> None:
        super().__init__(count)
        self._others = others

    def send(self, worker: str, message: Message) -> None:
        answer = self._workers[worker].handle(message)
        assert answer is not None
        if worker in self._others and message.head["do"] == "hello":
            answer = Message(answer.id, {"identity": identity() | {"version": "0"}})
        elif worker in self._others:
            answer = Message(answer.id, {"digest": data_digest(b"?")}, b"?")
        self._waiting.append(Answer(worker, answer))


def test_workers_with_another_program_get_no_work() -> None:
    """In whatever order their answers arrive."""
    said: list[str] = []
    with Driver(_Other(3, ("w0", "w2")), notify=said.append) as workers:
        found = workers.map("square", [{"number": i} for i in range(20)])
        assert [int(path.read_text()) for path in found] == [i * i for i in range(20)]
        assert workers.count == 1
    assert sorted(text[:33] for text in said) == [
        "worker w0 has another version 0; ",
        "worker w2 has another version 0; ",
    ]
    with (
        Driver(_Other(1, ("w0",))) as workers,
        pytest.raises(Error, match="worker w0 has another version 0"),
    ):
        list(workers.map("square", [{"number": 1}]))


class _Late(ChaosTransport):
    """All answers arrive at once, after each item was given out twice."""

    def send(self, worker: str, message: Message) -> None:
        answer = self._workers[worker].handle(message)
        assert answer is not None
        self._waiting.append(Answer(worker, answer))

    def receive(self, seconds: float) -> list[Answer | Lost]:
        self.time += 1
        return self._waiting if self.time > 4 else []


@pytest.mark.parametrize(("task", "agree"), [("square", True), ("random_", False)])
def test_workers_that_disagree_are_noticed(task: str, agree: bool) -> None:
    transport, said = _Late(2), []
    with Driver(transport, notify=said.append, patience=2, clock=lambda: transport.time) as workers:
        results = workers.map(task, [{"number": 5}])
        if agree:
            assert [path.read_text() for path in results] == ["25"]
        else:
            with pytest.raises(Error, match="another result than a worker before"):
                list(results)
    assert "worker w0 is late; another one gets its part as well" in said


class _Slow(ChaosTransport):
    """Workers that do one thing after another, of which a task takes 50 seconds."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.queues: dict[str, deque[tuple[float, Message]]] = {}
        self.tasks = 0

    def send(self, worker: str, message: Message) -> None:
        queue = self.queues.setdefault(worker, deque())
        is_task = message.head["do"] == "run"
        self.tasks += is_task
        begin = max([self.time, *(one for one, _ in queue)])
        queue.append((begin + 50 * is_task, message))

    def receive(self, seconds: float) -> list[Answer | Lost]:
        self.time += 1
        found: list[Answer | Lost] = []
        for worker, queue in self.queues.items():
            while queue and queue[0][0] <= self.time:
                answer = self._workers[worker].handle(queue.popleft()[1])
                assert answer is not None
                found.append(Answer(worker, answer))
        return found


def test_long_tasks_are_not_repeated_while_all_workers_are_busy() -> None:
    transport = _Slow(2)
    with Driver(transport, patience=2, clock=lambda: transport.time) as workers:
        found = workers.map("square", [{"number": i} for i in range(4)])
        assert [path.read_text() for path in found] == ["0", "1", "4", "9"]
    assert transport.tasks == 4


class _Dying(ChaosTransport):
    def send(self, worker: str, message: Message) -> None:
        if message.head["do"] == "run":
            self._waiting.append(Lost(worker, "killed by SIGKILL"))


def test_work_that_ends_every_worker_is_given_up() -> None:
    said: list[str] = []
    with (
        Driver(_Dying(2), notify=said.append) as workers,
        pytest.raises(Error, match=r"3 workers were lost with the same part.*killed by SIGKILL"),
    ):
        list(workers.map("square", [{"number": 1}]))
    assert said == [said[0]] * 2 or "its part is repeated" in said[0]


@pytest.mark.parametrize("name", ["program", "processor", "functions", "version"])
def test_a_worker_that_differs_is_refused(name: str) -> None:
    refuse_other("1", identity())
    with pytest.raises(Error, match=rf"worker 1 has another {name} old; expected {name} "):
        refuse_other("1", {**identity(), name: "old"})
