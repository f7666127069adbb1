"""Runs requests on a fixed number of threads, in turn, with deadlines.

A request is a job of one or more tasks.  Jobs take turns task by task, so that a short text does
not wait for a long document, and a document uses all threads that are idle.  Short tasks that wait
for the same model are done together, which saves handing each from thread to thread.  The number
of unfinished jobs is bounded.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar, cast

from demotic._core import StopFlag
from demotic.serve.refusals import Busy, Late, Refusal, Stopping, Vanished

__all__ = ["Check", "Job", "Scheduler", "ShortTask"]

Result = TypeVar("Result")

_LONGEST_WAIT = 60  # seconds that a refused client is told to wait at most
_TICK = 0.1  # seconds between two looks at the deadlines of running jobs
_SMOOTHING = 0.1  # weight of the latest job in the mean duration
_MOST_TOGETHER = 4  # short tasks
_LONGEST_TOGETHER = 0.02  # seconds that they may take


class Check:
    """Ends work early: called from time to time, it raises Late or Vanished when the work is to
    stop; native calls look at `flag`, which is raised a moment later."""

    def __init__(self, seconds: float = math.inf) -> None:
        self.flag = StopFlag()
        self.started = time.monotonic()
        self._seconds = seconds
        self._gone = False

    def __call__(self, _done: int = 0, _total: int = 0) -> None:
        """Takes the arguments of a progress callback."""
        reason = self.reason
        if reason is not None:
            raise reason

    @property
    def reason(self) -> Refusal | None:
        """Why the work is to stop, if it is."""
        if self._gone:
            return Vanished("the client has closed the connection")
        if time.monotonic() - self.started > self._seconds:
            return Late(f"the request took more than {self._seconds:g} seconds")
        return None

    def stop(self) -> None:
        self._gone = True
        self.flag.set()


Task = Callable[[Check], Any]


@dataclass(frozen=True)
class ShortTask:
    """A task that can be done together with others of the same group, in one call of `work`."""

    group: object
    item: Any
    work: Callable[[Sequence[Any], Check], list[Any]]  # the results of items, in order

    def __call__(self, check: Check) -> Any:
        return self.work([self.item], check)[0]


class Job(Generic[Result]):
    """Tasks that run in any order and concurrently; `future` gets what `finish` makes of their
    results, which are in order."""

    def __init__(
        self,
        tasks: Sequence[Task],
        finish: Callable[[list[Any]], Result],
        seconds: float,
    ) -> None:
        self.future: Future[Result] = Future()
        self._tasks = tasks
        self._finish = finish
        self._results: list[Any] = [None] * len(tasks)
        self._begun = self._done = 0
        self._lock = threading.Lock()
        self.check = Check(seconds)

    def stop(self) -> None:
        """Nobody waits for the results any more: running tasks end soon, others never start."""
        self.check.stop()

    @property
    def age(self) -> float:
        """Seconds since the job was made."""
        return time.monotonic() - self.check.started

    @property
    def has_tasks(self) -> bool:
        """Whether some task is to begin."""
        return self._begun < len(self._tasks) and not self.future.done()

    @property
    def next_task(self) -> Task:
        return self._tasks[self._begun]

    def begin(self) -> int:
        """The number of the next task."""
        self._begun += 1
        return self._begun - 1

    def run(self, number: int, task: Task | None = None) -> bool:
        """Runs a task, or `task` in its place; returns whether the job is finished by it."""
        try:
            self.check()
            self._results[number] = (task or self._tasks[number])(self.check)
            with self._lock:
                self._done += 1
                if self._done < len(self._tasks):
                    return False
            self.future.set_result(self._finish(self._results))
        except KeyboardInterrupt as error:  # a native call whose flag was raised
            return self._fail(self.check.reason or error)
        except BaseException as error:  # native code, a bug, out of memory: the client's answer
            return self._fail(error)
        return True

    def _fail(self, error: BaseException) -> bool:
        with self._lock:
            if self.future.done():
                return False
            self.future.set_exception(error)
        # The other tasks are of no use now; they fail, too, after the client has the cause.
        self.check.stop()
        return True


class _Begun(NamedTuple):
    """A task that a thread runs now."""

    job: Job[Any]
    number: int
    task: Task


class _JointCheck(Check):
    """Of tasks that are done together: stops when all their jobs are to stop."""

    def __init__(self, begun: Sequence[_Begun]) -> None:
        super().__init__()
        self._begun = begun

    @property
    def reason(self) -> Refusal | None:
        reasons = [one.job.check.reason for one in self._begun]
        return reasons[0] if all(reasons) else None


class Scheduler:
    """Threads that run the tasks of jobs in turn."""

    def __init__(self, threads: int, waiting: int) -> None:
        self.threads = threads
        self._waiting = waiting
        self._turn: deque[Job[Any]] = deque()  # jobs with tasks that have not begun
        self._jobs = 0  # unfinished
        self._mean = 0.0  # seconds from submitting a job to its end
        self._stopping = self._closed = False
        self._changed = threading.Condition()
        self._running: list[Check | None] = [None] * threads
        self._paces: dict[object, float] = {}  # seconds per short task of each group
        self._busy = threading.Event()  # the clock ticks
        self._workers = [
            threading.Thread(target=self._work, args=(i,), name=f"translate-{i}", daemon=True)
            for i in range(threads)
        ]
        self._workers.append(threading.Thread(target=self._clock, name="clock", daemon=True))
        for worker in self._workers:
            worker.start()

    def submit(self, job: Job[Result], *, accepted: bool = False) -> Job[Result]:
        """Raises Busy if the queue is full, Stopping after `refuse_jobs`.

        A job of a request that was `accepted` earlier is refused only after `close`.
        """
        with self._changed:
            if self._closed or (self._stopping and not accepted):
                raise Stopping("the server is shutting down")
            if self._jobs >= self.threads + self._waiting:
                raise Busy(min(max(1, math.ceil(self._mean)), _LONGEST_WAIT))
            self._jobs += 1
            self._turn.append(job)
            self._changed.notify()
        if not self._busy.is_set():
            self._busy.set()
        return job

    @property
    def unfinished(self) -> int:
        """Jobs that run or wait."""
        return self._jobs

    @property
    def is_stopping(self) -> bool:
        return self._stopping

    def refuse_jobs(self) -> None:
        """Jobs that were submitted are finished; those of further requests are refused."""
        with self._changed:
            self._stopping = True

    def close(self) -> None:
        """Ends the threads after the last job."""
        with self._changed:
            self._stopping = self._closed = True
            self._changed.notify_all()
        self._busy.set()
        for worker in self._workers:
            worker.join()

    def _work(self, thread: int) -> None:
        while begun := self._next():
            check = begun[0].job.check if len(begun) == 1 else _JointCheck(begun)
            self._running[thread] = check
            finished = self._run(begun, check)
            self._running[thread] = None
            if finished:
                with self._changed:
                    self._jobs -= len(finished)
                    for job in finished:
                        self._mean += _SMOOTHING * (job.age - self._mean)

    def _run(self, begun: Sequence[_Begun], check: Check) -> list[Job[Any]]:
        """The jobs that are finished by these tasks, which are one or of one group."""
        started, first = time.monotonic(), begun[0].task
        if len(begun) == 1:
            finished = [one.job for one in begun if one.job.run(one.number)]
        else:
            finished = _run_together(begun, check)
        if isinstance(first, ShortTask):
            seconds = (time.monotonic() - started) / len(begun)
            pace = self._paces.get(first.group, seconds)
            self._paces[first.group] = pace + _SMOOTHING * (seconds - pace)
        return finished

    def _clock(self) -> None:
        """Raises the flags of running jobs whose time is over; sleeps while there are no jobs."""
        while self._jobs or not self._closed:
            self._busy.wait()
            self._busy.clear()  # before the jobs are looked at, so that none is missed
            while self._jobs:
                time.sleep(_TICK)
                for check in [one for one in self._running if one is not None]:
                    if check.reason is not None:
                        check.flag.set()

    def _next(self) -> list[_Begun]:
        """A task, and others that are done together with it; none when all work is done."""
        with self._changed:
            while True:
                while self._turn:
                    job = self._turn.popleft()
                    if job.has_tasks:  # it has not failed meanwhile
                        return self._with_others(job)
                if self._closed:
                    return []
                self._changed.wait()

    def _with_others(self, job: Job[Any]) -> list[_Begun]:
        begun = [self._begin(job)]
        first = begun[0].task
        if isinstance(first, ShortTask):
            pace = self._paces.get(first.group, _LONGEST_TOGETHER)
            share = 1 + len(self._turn) // self.threads  # leaves as many to each other thread
            most = min(_MOST_TOGETHER, share, _LONGEST_TOGETHER / max(pace, 1e-6))
            while len(begun) < most and self._turn and _joins(self._turn[0], first):
                begun.append(self._begin(self._turn.popleft()))
        return begun

    def _begin(self, job: Job[Any]) -> _Begun:
        task = job.next_task
        number = job.begin()
        if job.has_tasks:
            self._turn.append(job)
            self._changed.notify()
        return _Begun(job, number, task)


def _joins(job: Job[Any], first: ShortTask) -> bool:
    if not job.has_tasks:
        return False
    task = job.next_task
    return isinstance(task, ShortTask) and task.group is first.group


def _run_together(begun: Sequence[_Begun], check: Check) -> list[Job[Any]]:
    tasks = [cast(ShortTask, one.task) for one in begun]
    try:
        results = tasks[0].work([task.item for task in tasks], check)
    except BaseException:  # by one of them, or nobody waits any more: each gets its own answer
        return [one.job for one in begun if one.job.run(one.number)]
    return [
        one.job
        for one, result in zip(begun, results, strict=True)
        if one.job.run(one.number, lambda _, result=result: result)  # type: ignore[misc]
    ]
