"""Runs requests on a fixed number of threads, in turn, with deadlines.

A request is a job of one or more tasks.  Jobs take turns task by task, so that a short text does
not wait for a long document, and a document uses all threads that are idle.  The threads take tasks
from a native queue: sentences are translated without the interpreter, which only hears of the
results, so that neither waits for the other.  The number of unfinished jobs is bounded.
"""

from __future__ import annotations

import asyncio
import math
import selectors
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar, cast

from demotic._core import JobQueue
from demotic.serve.jobs import CallJob, Job
from demotic.serve.refusals import Busy, Stopping

__all__ = ["Scheduler"]

Result = TypeVar("Result")

_LONGEST_WAIT = 60  # seconds that a refused client is told to wait at most
_TICK = 0.1  # seconds between two looks at the deadlines of jobs
_SMOOTHING = 0.1  # weight of the latest job in the mean duration


class Scheduler:
    """Threads that run the tasks of jobs in turn."""

    def __init__(self, threads: int, waiting: int) -> None:
        self.threads = threads
        self._waiting = waiting
        self._jobs: dict[Job[Any], None] = {}  # unfinished
        self._mean = 0.0  # seconds from submitting a job to its end
        self._stopping = self._closed = self._ended_all = False
        self._lock = threading.Lock()
        self._busy = threading.Event()  # the clock ticks
        self._received, self._wake = socket.socketpair()
        for one in (self._received, self._wake):
            one.setblocking(False)
        self._queue = JobQueue(self._wake.fileno())
        self._workers = [_started(self._work, f"translate-{i}") for i in range(threads)]
        self._workers.append(_started(self._clock, "clock"))
        self._loops = 0  # that collect finished sentences
        self._collectors = threading.Lock()  # of the thread or the loops that do so
        self._collector = _started(self._collect_here, "collect")

    def submit(self, job: Job[Result], *, accepted: bool = False) -> Job[Result]:
        """Raises Busy if the queue is full, Stopping after `refuse_jobs`.

        A job of a request that was `accepted` earlier is refused only after `close`.
        """
        with self._lock:
            if self._closed or (self._stopping and not accepted):
                raise Stopping("the server is shutting down")
            if len(self._jobs) >= self.threads + self._waiting:
                raise Busy(min(max(1, math.ceil(self._mean)), _LONGEST_WAIT))
            job.enter(self._queue)  # it cannot end before the lock is free
            self._jobs[job] = None
        if not self._busy.is_set():
            self._busy.set()
        return job

    @property
    def unfinished(self) -> int:
        """Jobs that run or wait."""
        return len(self._jobs)

    @property
    def is_stopping(self) -> bool:
        return self._stopping

    def refuse_jobs(self) -> None:
        """Jobs that were submitted are finished; those of further requests are refused."""
        # Without the lock: a signal may come while this thread has it.
        self._stopping = True

    def close(self) -> None:
        """Ends the threads after the last job."""
        with self._lock:
            self._stopping = self._closed = True
        self._queue.close()
        self._busy.set()
        for worker in self._workers:
            worker.join()
        self._ended_all = True
        self._end_collector()
        self._collect()
        self._received.close()
        self._wake.close()

    @contextmanager
    def collected_on(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        """Meanwhile jobs of sentences are finished on the loop, so that its own futures need no
        other thread to wake it."""
        with self._collectors:
            self._loops += 1
            self._end_collector()
        loop.add_reader(self._received, self._collect)
        try:
            yield
        finally:
            loop.remove_reader(self._received)
            with self._collectors:
                self._loops -= 1
                if not self._loops:
                    self._collector = _started(self._collect_here, "collect")

    def _end_collector(self) -> None:
        """Of the thread, if there is one."""
        while self._collector.is_alive():
            with suppress(BlockingIOError):  # full: it is awake
                self._wake.send(b"\0")
            self._collector.join(_TICK)

    def _collect_here(self) -> None:
        with selectors.DefaultSelector() as received:
            received.register(self._received, selectors.EVENT_READ)
            while not self._loops and not self._ended_all:
                received.select()
                self._collect()

    def _collect(self) -> None:
        """Finishes the jobs whose last sentence was translated."""
        with suppress(BlockingIOError):  # another loop was faster
            self._received.recv(4096)
        for done in self._queue.finished():
            job = cast("Job[Any]", done.owner)
            if job.settle(done.number, lambda done=done: done.text):  # type: ignore[misc]
                self._ended(job)

    def _work(self) -> None:
        while (begun := self._queue.work()) is not None:
            job, number = cast("tuple[CallJob[Any], int]", begun)
            if job.run(number):
                self._ended(job)

    def _ended(self, job: Job[Any]) -> None:
        with self._lock:
            del self._jobs[job]
            self._mean += _SMOOTHING * (job.age - self._mean)

    def _clock(self) -> None:
        """Raises the flags of jobs whose time is over; sleeps while there are no jobs."""
        while self._jobs or not self._closed:
            self._busy.wait()
            self._busy.clear()  # before the jobs are looked at, so that none is missed
            while self._jobs:
                time.sleep(_TICK)
                for job in list(self._jobs):
                    if job.check.reason is not None:
                        job.check.flag.set()


def _started(work: Any, name: str) -> threading.Thread:
    thread = threading.Thread(target=work, name=name, daemon=True)
    thread.start()
    return thread
