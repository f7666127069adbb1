"""Jobs of the scheduler: what they do, when they are to stop, and what becomes of their results."""

from __future__ import annotations

import logging
import math
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from demotic._core import StopFlag
from demotic.serve.refusals import Late, Refusal, Vanished

if TYPE_CHECKING:
    from demotic._core import JobQueue
    from demotic.search import Decoder

__all__ = ["CallJob", "Check", "Job", "TextJob"]

Result = TypeVar("Result")

_ERRORS = logging.getLogger("demotic.serve")


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


class Job(ABC, Generic[Result]):
    """Tasks that run in any order and concurrently; the job's result is what `finish` makes of
    theirs, which are in order."""

    def __init__(self, tasks: int, finish: Callable[[list[Any]], Result], seconds: float) -> None:
        self.is_finished = False
        self.check = Check(seconds)
        self._finish = finish
        self._results: list[Any] = [None] * tasks
        self._left = tasks
        self._lock = threading.Lock()
        self._result: Any = None
        self._error: BaseException | None = None
        self._waiting: list[Callable[[], object]] = []
        if not tasks:
            self._end(finish([]))

    @abstractmethod
    def enter(self, queue: JobQueue) -> None:
        """Submits the tasks to the queue."""

    def result(self) -> Result:
        """Of a finished job. Raises what ended it early."""
        if self._error is not None:
            raise self._error
        found: Result = self._result
        return found

    def when_finished(self, callback: Callable[[], object]) -> None:
        """Calls it on the thread that ends the job, or at once if the job has ended."""
        with self._lock:
            if not self.is_finished:
                self._waiting.append(callback)
                return
        callback()

    @property
    def future(self) -> Future[Result]:
        """A new future of the result. Making one takes longer than all else in a short job."""
        made: Future[Result] = Future()
        # A task that waits for it can be cancelled, which must not take the job's end with it.
        made.set_running_or_notify_cancel()

        def tell() -> None:
            if self._error is not None:
                made.set_exception(self._error)
            else:
                made.set_result(self._result)

        self.when_finished(tell)
        return made

    def stop(self) -> None:
        """Nobody waits for the results any more: running tasks end soon, others never start."""
        self.check.stop()

    @property
    def age(self) -> float:
        """Seconds since the job was made."""
        return time.monotonic() - self.check.started

    def settle(self, number: int, work: Callable[[], Any]) -> bool:
        """The result of a task is that of `work`; returns whether the job is finished by it."""
        try:
            self._results[number] = work()
            with self._lock:
                self._left -= 1
                if self._left:
                    return False
            found = self._finish(self._results)
        except KeyboardInterrupt as error:  # a native call whose flag was raised
            return self._fail(self.check.reason or error)
        except BaseException as error:  # native code, a bug, out of memory: the client's answer
            return self._fail(error)
        return self._end(found)

    def _fail(self, error: BaseException) -> bool:
        if isinstance(error, Refusal):
            error.__traceback__ = None  # whose frames refer to this job, which would be freed late
        if not self._end(None, error):
            return False
        # The other tasks are of no use now; they fail, too, after the client has the cause.
        self.check.stop()
        return True

    def _end(self, result: Result | None, error: BaseException | None = None) -> bool:
        """Whether this is the end, not another one after it."""
        with self._lock:
            if self.is_finished:
                return False
            self._result, self._error, self.is_finished = result, error, True
            waiting, self._waiting = self._waiting, []
        for callback in waiting:
            try:
                callback()
            except Exception:  # a bug, which must not keep others from their ends
                _ERRORS.exception("internal error at the end of a job")
        return True


class CallJob(Job[Result]):
    """Tasks in Python."""

    def __init__(
        self,
        tasks: Sequence[Callable[[Check], Any]],
        finish: Callable[[list[Any]], Result],
        seconds: float,
    ) -> None:
        super().__init__(len(tasks), finish, seconds)
        self._tasks = tasks

    def enter(self, queue: JobQueue) -> None:
        queue.submit_calls(self, len(self._tasks))

    def run(self, number: int) -> bool:
        """Runs a task; returns whether the job is finished by it."""
        return self.settle(number, lambda: self._called(number))

    def _called(self, number: int) -> Any:
        self.check()
        return self._tasks[number](self.check)


class TextJob(Job[Result]):
    """The best translations of tokenised sentences, without a step in Python per sentence."""

    def __init__(
        self,
        decoder: Decoder,
        lines: Sequence[str],
        finish: Callable[[list[str]], Result],
        seconds: float,
    ) -> None:
        super().__init__(len(lines), finish, seconds)
        self._decoder = decoder
        self._lines = lines

    def enter(self, queue: JobQueue) -> None:
        self._decoder.submit(queue, self, self._lines, self.check.flag)
