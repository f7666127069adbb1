"""Jobs take turns, end at their deadline or when they are stopped, and are bounded in number."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import wait
from typing import Any

import pytest

from demotic.serve.refusals import Busy, Late, Stopping, Vanished
from demotic.serve.scheduler import Check, Job, Scheduler, ShortTask

TASK = Callable[[Check], Any]


def job(*tasks: TASK, seconds: float = 30.0) -> Job[list[Any]]:
    return Job(tasks, list, seconds)


def until_stopped(check: Check) -> None:
    while True:
        check(0, 0)
        time.sleep(0.001)


@pytest.fixture
def one() -> Iterator[Scheduler]:
    scheduler = Scheduler(1, 2)
    yield scheduler
    scheduler.close()


def test_results_are_in_order(one: Scheduler) -> None:
    found = one.submit(job(*(lambda check, i=i: i for i in range(20)))).future.result(5)
    assert found == list(range(20))


def test_many_jobs_on_many_threads_all_end() -> None:
    scheduler = Scheduler(4, 1000)
    jobs = [
        scheduler.submit(job(*(lambda check, i=i, n=n: (n, i) for i in range(n % 7 + 1))))
        for n in range(200)
    ]
    assert not wait([one.future for one in jobs], 20).not_done
    assert [one.future.result() for one in jobs] == [
        [(n, i) for i in range(n % 7 + 1)] for n in range(200)
    ]
    scheduler.close()
    assert scheduler.unfinished == 0


def test_jobs_take_turns(one: Scheduler) -> None:
    begin, order = threading.Event(), []
    first = one.submit(job(lambda check: begin.wait(5)))
    long = one.submit(job(*(lambda check, i=i: order.append(f"long {i}") for i in range(5))))
    short = one.submit(job(lambda check: order.append("short")))
    begin.set()
    for waiting in (first, long, short):
        waiting.future.result(5)
    assert order.index("short") == 1


def test_a_full_queue_refuses(one: Scheduler) -> None:
    begin = threading.Event()
    jobs = [one.submit(job(lambda check: begin.wait(5))) for _ in range(3)]
    with pytest.raises(Busy, match="busy") as refused:
        one.submit(job(lambda check: None))
    assert refused.value.seconds >= 1
    begin.set()
    assert not wait([waiting.future for waiting in jobs], 5).not_done
    deadline = time.monotonic() + 5
    while one.unfinished and time.monotonic() < deadline:
        time.sleep(0.01)
    assert one.submit(job(lambda check: "free")).future.result(5) == ["free"]


def test_the_client_gets_the_cause_of_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task that ends because another one failed does not hide its error."""

    def fail(_check: Check) -> None:
        raise ValueError("the cause")

    failing = job(fail, until_stopped)
    stop = failing.check.stop

    def stop_and_end_the_other() -> None:
        monkeypatch.undo()
        stop()
        assert not failing.run(1)

    monkeypatch.setattr(failing.check, "stop", stop_and_end_the_other)
    assert failing.run(0)
    with pytest.raises(ValueError, match="the cause"):
        failing.future.result(5)


def test_a_deadline_stops_a_job(one: Scheduler) -> None:
    late = one.submit(job(until_stopped, seconds=0.05))
    with pytest.raises(Late, match=r"more than 0\.05 seconds"):
        late.future.result(5)


@pytest.mark.parametrize("stops", [False, True])
def test_the_flag_of_native_calls_is_set(one: Scheduler, stops: bool) -> None:
    """At the deadline, by the clock, and when the client has gone."""

    def native(check: Check) -> None:
        while not check.flag.is_set():
            time.sleep(0.001)
        raise KeyboardInterrupt  # as interrupted native calls do

    for _ in range(3):  # the clock sleeps and wakes up again
        running = one.submit(job(native, seconds=30.0 if stops else 0.05))
        time.sleep(0.02)
        if stops:
            running.stop()
        with pytest.raises(Vanished if stops else Late):
            running.future.result(5)


def test_a_deadline_includes_the_wait(one: Scheduler) -> None:
    begin = threading.Event()
    one.submit(job(lambda check: begin.wait(5)))
    late = one.submit(job(lambda check: "too late", seconds=0.01))
    time.sleep(0.05)
    begin.set()
    with pytest.raises(Late):
        late.future.result(5)


def test_a_stopped_job_ends_and_begins_nothing_more(one: Scheduler) -> None:
    begun: list[str] = []
    gone = one.submit(job(until_stopped, lambda check: begun.append("second")))
    time.sleep(0.02)
    gone.stop()
    with pytest.raises(Vanished):
        gone.future.result(5)
    assert one.submit(job(lambda check: "next")).future.result(5) == ["next"]
    assert begun == []


def test_an_error_is_the_result_of_its_job_alone(one: Scheduler) -> None:
    broken = one.submit(job(lambda check: 1 // 0, lambda check: 1))
    with pytest.raises(ZeroDivisionError):
        broken.future.result(5)
    assert one.submit(job(lambda check: "next")).future.result(5) == ["next"]


def test_stopping_finishes_what_was_submitted() -> None:
    scheduler = Scheduler(1, 5)
    begin = threading.Event()
    jobs = [scheduler.submit(job(lambda check: begin.wait(5))) for _ in range(3)]
    scheduler.refuse_jobs()
    with pytest.raises(Stopping):
        scheduler.submit(job(lambda check: None))
    begin.set()
    scheduler.close()
    assert [waiting.future.result() for waiting in jobs] == [[True]] * 3


class Short:
    """Short tasks of one group, and the items of each call."""

    def __init__(self) -> None:
        self.calls: list[list[Any]] = []

    def job(self, item: Any, seconds: float = 30.0) -> Job[list[Any]]:
        return job(ShortTask(self, item, self.work), seconds=seconds)

    def work(self, items: Sequence[Any], check: Check) -> list[Any]:
        self.calls.append(list(items))
        if "bad" in items:
            raise ValueError("a bad item")
        while "endless" in items:
            if check.flag.is_set():
                raise KeyboardInterrupt  # as interrupted native calls do
            time.sleep(0.001)
        return [f"{item} done" for item in items]


def submitted_together(
    jobs: Sequence[Job[Any]], threads: int = 1, before: Sequence[Job[Any]] = ()
) -> Scheduler:
    """Jobs that all wait before the first of them begins."""
    scheduler, begin = Scheduler(threads, 100), threading.Event()
    for one in before:
        scheduler.submit(one).future.result(5)
    for _ in range(threads):
        scheduler.submit(job(lambda check: begin.wait(5)))
    for one in jobs:
        scheduler.submit(one)
    begin.set()
    wait([one.future for one in jobs], 10)
    return scheduler


def test_short_tasks_are_done_together() -> None:
    short, other = Short(), Short()
    jobs = [short.job(i) for i in range(6)] + [other.job("x")] + [short.job(i) for i in (6, 7)]
    submitted_together(jobs, before=[short.job("first"), other.job("first")]).close()
    found = [one.future.result(5) for one in jobs]
    assert found == [[f"{i} done"] for i in (*range(6), "x", 6, 7)]
    assert short.calls == [["first"], [0, 1, 2, 3], [4, 5], [6, 7]]
    assert other.calls == [["first"], ["x"]]


def test_threads_share_short_tasks() -> None:
    short = Short()
    submitted_together([short.job(i) for i in range(4)], 4, [short.job("first")]).close()
    assert len(short.calls) >= 3  # a thread takes no more than its part


def test_slow_tasks_are_not_done_together() -> None:
    slow = Short()
    work = slow.work

    def sleeping(items: Sequence[Any], check: Check) -> list[Any]:
        time.sleep(0.05)
        return work(items, check)

    slow.work = sleeping  # type: ignore[method-assign]
    submitted_together([slow.job(i) for i in range(4)], before=[slow.job("first")]).close()
    assert slow.calls == [["first"], [0], [1], [2], [3]]


def test_an_error_among_short_tasks_is_that_of_its_job() -> None:
    short = Short()
    jobs = [short.job(item) for item in (1, "bad", 2)]
    submitted_together(jobs, before=[short.job("first")]).close()
    assert [jobs[0].future.result(5), jobs[2].future.result(5)] == [["1 done"], ["2 done"]]
    with pytest.raises(ValueError, match="a bad item"):
        jobs[1].future.result(5)


def test_short_tasks_of_clients_that_have_gone_are_stopped() -> None:
    short = Short()
    jobs = [short.job("endless", seconds=0.3), short.job(1, seconds=0.3)]
    submitted_together(jobs, before=[short.job("first")]).close()
    assert short.calls[1] == ["endless", 1]
    for one in jobs:
        with pytest.raises(Late):
            one.future.result(5)
