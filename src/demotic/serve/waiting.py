"""How handlers wait for their jobs; a closed connection and the deadline stop them."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from types import coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from demotic.serve.http import service_of
from demotic.serve.refusals import Late, Vanished

if TYPE_CHECKING:
    from starlette.requests import Request

    from demotic.serve.jobs import Job

__all__ = ["TASKLESS", "disconnected", "finished"]

Result = TypeVar("Result")

TASKLESS = "demotic.taskless"  # in the scope of a request whose handler an Exchange runs


async def finished(request: Request, job: Job[Result]) -> Result:
    """Waits for a job."""
    if job.is_finished:
        return job.result()
    if TASKLESS not in request.scope:
        return await _watched(request, job)
    await _paused(job)
    return job.result()


@coroutine
def _paused(job: Job[Any]) -> Generator[Job[Any], None, None]:
    """Gives the job to the Exchange, which goes on when it has ended, or raises why it has not."""
    yield job


async def _watched(request: Request, job: Job[Result]) -> Result:
    done = asyncio.wrap_future(job.future)
    gone = asyncio.ensure_future(disconnected(request))
    seconds = service_of(request).limits.max_seconds
    try:
        both: list[asyncio.Future[Any]] = [done, gone]
        await asyncio.wait(both, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        gone.cancel()
        if not done.done():
            job.stop()
    if done.done():
        return done.result()
    done.add_done_callback(lambda one: one.cancelled() or one.exception())
    if gone.done() and not gone.cancelled():
        raise Vanished("the client has closed the connection")
    raise Late(f"the request took more than {seconds:g} seconds")


async def disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
