"""Runs requests on a fixed number of threads, in turn, with deadlines.

A request is a job of one or more tasks.  Jobs take turns task by task, so that a short text does
not wait for a long document, and a document uses all threads that are idle.  The number of
unfinished jobs is bounded.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

from demotic._core import StopFlag
from demotic.serve.refusals import Busy, Late, Refusal, Stopping, Vanished

__all__ = ["Check", "Job", "Scheduler"]

Result = TypeVar("Result")

_LONGEST_WAIT = 60  # seconds that a refused client is told to wait at most
_TICK = 0.1  # seconds between two looks at the deadlines of running jobs
_SMOOTHING = 0.1  # weight of the latest job in the mean duration


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


class Job(Generic[Result]):
    """Tasks that run in any order and concurrently; `future` gets what `finish` makes of their
    results, which are in order."""

    def __init__(
        self,
        tasks: Sequence[Callable[[Check], Any]],
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

    def begin(self) -> int:
        """The number of the next task."""
        self._begun += 1
        return self._begun - 1

    def run(self, number: int) -> bool:
        """Runs a task; returns whether the job is finished by it."""
        try:
            self.check()
            self._results[number] = self._tasks[number](self.check)
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


class Scheduler:
    """Threads that run the tasks of jobs in turn."""

    def __init__(self, threads: int, waiting: int) -> None:
        self.threads = threads
        self._waiting = waiting
        self._turn: deque[Job[Any]] = deque()  # jobs with tasks that have not begun
        self._jobs = 0  # unfinished
        self._mean = 0.0  # seconds from submitting a job to its end
        self._stopping = False
        self._changed = threading.Condition()
        self._running: list[Job[Any] | None] = [None] * threads
        self._busy = threading.Event()  # the clock ticks
        self._workers = [
            threading.Thread(target=self._work, args=(i,), name=f"translate-{i}", daemon=True)
            for i in range(threads)
        ]
        self._workers.append(threading.Thread(target=self._clock, name="clock", daemon=True))
        for worker in self._workers:
            worker.start()

    def submit(self, job: Job[Result]) -> Job[Result]:
        """Raises Busy if the queue is full, Stopping after `refuse_jobs`."""
        with self._changed:
            if self._stopping:
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
        """Jobs that were submitted are finished; further ones are refused."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()

    def close(self) -> None:
        """Ends the threads after the last job."""
        self.refuse_jobs()
        self._busy.set()
        for worker in self._workers:
            worker.join()

    def _work(self, thread: int) -> None:
        while (begun := self._next()) is not None:
            job, number = begun
            self._running[thread] = job
            finished = job.run(number)
            self._running[thread] = None
            if finished:
                with self._changed:
                    self._jobs -= 1
                    self._mean += _SMOOTHING * (job.age - self._mean)

    def _clock(self) -> None:
        """Raises the flags of running jobs whose time is over; sleeps while there are no jobs."""
        while self._jobs or not self._stopping:
            self._busy.wait()
            self._busy.clear()  # before the jobs are looked at, so that none is missed
            while self._jobs:
                time.sleep(_TICK)
                for job in [one for one in self._running if one is not None]:
                    if job.check.reason is not None:
                        job.check.flag.set()

    def _next(self) -> tuple[Job[Any], int] | None:
        with self._changed:
            while True:
                while self._turn:
                    job = self._turn.popleft()
                    if not job.has_tasks:  # it has failed meanwhile
                        continue
                    number = job.begin()
                    if job.has_tasks:
                        self._turn.append(job)
                        self._changed.notify()
                    return job, number
                if self._stopping:
                    return None
                self._changed.wait()
