"""Jobs take turns, end at their deadline or when they are stopped, and are bounded in number."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from typing import Any

import pytest

from demotic._core import JobQueue
from demotic.serve.jobs import CallJob, Check, TextJob
from demotic.serve.refusals import Busy, Late, Stopping, Vanished
from demotic.serve.scheduler import Scheduler
from demotic.serve.served_model import ServedModel

TASK = Callable[[Check], Any]


def job(*tasks: TASK, seconds: float = 30.0) -> CallJob[list[Any]]:
    return CallJob(tasks, list, seconds)


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


def test_a_job_ends_although_its_waiter_was_cancelled() -> None:
    begin, scheduler = threading.Event(), Scheduler(1, 2)
    submitted = scheduler.submit(job(lambda check: begin.wait(10)))

    async def give_up() -> None:
        waiter = asyncio.ensure_future(asyncio.wrap_future(submitted.future))
        await asyncio.sleep(0)
        waiter.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiter

    asyncio.run(give_up())
    begin.set()
    assert submitted.future.result(5) == [True]
    deadline = time.monotonic() + 5
    while scheduler.unfinished and time.monotonic() < deadline:
        time.sleep(0.001)
    assert scheduler.unfinished == 0
    scheduler.close()


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


def test_a_signal_may_stop_it_while_a_job_is_submitted(one: Scheduler) -> None:
    class Interrupted(CallJob[list[Any]]):
        def enter(self, queue: JobQueue) -> None:
            one.refuse_jobs()  # by the handler of the signal, on the same thread
            super().enter(queue)

    job = Interrupted([lambda check: "done"], list, 30.0)
    thread = threading.Thread(target=one.submit, args=(job,), daemon=True)
    thread.start()
    assert job.future.result(5) == ["done"]


class TestSentences:
    """Jobs of sentences that are translated without Python."""

    def job(self, model: ServedModel, *lines: str, seconds: float = 30.0) -> TextJob[list[str]]:
        return TextJob(model.decoder, lines, list, seconds)

    @pytest.mark.parametrize("kind", [0, 1])
    def test_translations_are_those_of_the_decoder(
        self, one: Scheduler, models: list[ServedModel], kind: int
    ) -> None:
        lines = ["das Haus ist klein", "ein Wort", "", "Haus Haus Wort"] * 5
        found = one.submit(self.job(models[kind], *lines)).future.result(20)
        assert found == models[kind].decoder.translate(lines).text

    def test_they_take_turns_with_calls(self, one: Scheduler, models: list[ServedModel]) -> None:
        begin, order = threading.Event(), []
        first = one.submit(job(lambda check: begin.wait(5)))
        text = self.job(models[0], "das Haus")
        text.future.add_done_callback(lambda _: order.append("text"))
        one.submit(text)
        call = one.submit(job(lambda check: text.future.result(5)))
        begin.set()
        assert call.future.result(5) == [text.future.result(5)]
        assert first.future.result(5)
        assert order == ["text"]

    @pytest.mark.parametrize("stops", [False, True])
    def test_they_end_when_they_are_late_or_stopped(
        self, one: Scheduler, models: list[ServedModel], stops: bool
    ) -> None:
        begin = threading.Event()
        first = one.submit(job(lambda check: begin.wait(5)))
        waiting = one.submit(self.job(models[0], "das Haus", seconds=30.0 if stops else 0.01))
        if stops:
            waiting.stop()
        while not waiting.check.flag.is_set():
            time.sleep(0.01)
        begin.set()
        with pytest.raises(Vanished if stops else Late):
            waiting.future.result(5)
        assert first.future.result(5)

    def test_an_error_while_they_are_joined(
        self, one: Scheduler, models: list[ServedModel]
    ) -> None:
        broken: TextJob[Any] = TextJob(models[0].decoder, ["das Haus"], lambda found: 1 // 0, 30.0)
        with pytest.raises(ZeroDivisionError):
            one.submit(broken).future.result(5)

    def test_what_was_submitted_is_finished_by_closing(self, models: list[ServedModel]) -> None:
        scheduler = Scheduler(2, 100)
        jobs = [scheduler.submit(self.job(models[i % 2], "das Haus")) for i in range(50)]
        scheduler.close()
        assert all(waiting.future.done() for waiting in jobs)
        assert scheduler.unfinished == 0

    def test_a_loop_collects_them(self, one: Scheduler, models: list[ServedModel]) -> None:
        async def collected() -> set[int]:
            loop = asyncio.get_running_loop()
            threads: set[int] = set()
            with one.collected_on(loop):
                text = self.job(models[0], "das Haus")
                text.future.add_done_callback(lambda _: threads.add(threading.get_ident()))
                await asyncio.wrap_future(one.submit(text).future)
            return threads

        assert asyncio.run(collected()) == {threading.get_ident()}
        assert one.submit(self.job(models[0], "das Haus")).future.result(5)

    def test_several_loops_collect_them(self, one: Scheduler, models: list[ServedModel]) -> None:
        async def used(entered: Callable[[], object], count: int) -> None:
            with one.collected_on(asyncio.get_running_loop()):
                entered()
                for _ in range(count):
                    text = one.submit(self.job(models[0], "das Haus", "Haus"))
                    await asyncio.wait_for(asyncio.wrap_future(text.future), 20)

        both = threading.Barrier(2)  # each has the other beside it at first, not to the end
        threads = [
            threading.Thread(target=lambda n=n: asyncio.run(used(both.wait, n))) for n in (20, 60)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive()
        assert one.submit(self.job(models[0], "das Haus")).future.result(5)
