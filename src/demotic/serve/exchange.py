"""A short request and its answer, without a task of the event loop.

Most handlers wait for one thing only, their job.  Such a handler is run until it does, and again
when the job has ended.  Tasks, events and messages of ASGI would take longer than all else about a
short text except for its translation.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from demotic.serve.refusals import Refusal, Vanished
from demotic.serve.waiting import TASKLESS
from demotic.serve.watch import HEADERS

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import Message, Scope

    from demotic.serve.connections import Guarded
    from demotic.serve.direct import Application, Handler
    from demotic.serve.jobs import Job

__all__ = ["Exchange"]


def _lines(headers: list[tuple[bytes, bytes]]) -> bytes:
    return b"".join([b"%b: %b\r\n" % header for header in headers])


async def _gone() -> Message:
    return {"type": "http.disconnect"}


_ALWAYS = _lines(HEADERS)


class Exchange:
    """Takes the place of uvicorn's cycle of a request and its response.

    uvicorn's protocol writes to `body`, `more_body`, `keep_alive` and `disconnected`, and tells by
    `message_event` that they have changed.
    """

    def __init__(
        self,
        protocol: Guarded,
        transport: asyncio.Transport,
        scope: Scope,
        handler: Handler,
        *,
        keep_alive: bool,
    ) -> None:
        self.body, self.more_body = bytearray(), True
        self.keep_alive, self.disconnected = keep_alive, False
        self.response_started = self.response_complete = False
        self._protocol, self._transport = protocol, transport
        self._app: Application = scope["app"]
        self._scope, self._handler = scope, handler
        self._run: Coroutine[Job[Any], None, Response] | None = None
        self._job: Job[Any] | None = None  # for which the handler waits
        self._since = time.monotonic()
        self._begun = False
        scope[TASKLESS] = True

    @property
    def message_event(self) -> Exchange:
        return self

    def set(self) -> None:
        """As that of an event: the request is complete, or the client has gone."""
        if not self._begun and (self.disconnected or not self.more_body):
            self._begin(None if self.disconnected else bytes(self.body))
        elif self.disconnected:
            self._interrupt(Vanished("the client has closed the connection"))

    def receive(self, body: bytes) -> None:
        """The whole body at once."""
        self.more_body = False
        self._begin(body)

    def _begin(self, body: bytes | None) -> None:
        self._begun = True
        request = Request(self._scope, _gone)
        if body is not None:
            request._body = body
        self._run = self._app.response(self._handler, request)
        self._step()

    def check_deadline(self) -> None:
        reason = self._job.check.reason if self._job else None
        if reason is not None:
            self._interrupt(reason)

    def _interrupt(self, refusal: Refusal) -> None:
        """Lets the handler know that it waits in vain, if it waits."""
        job, self._job = self._job, None
        if job is not None:
            job.stop()
            self._step(refusal)

    def _post(self, job: Job[Any]) -> None:
        self._protocol.mailbox.post(partial(self._resume, job))

    def _resume(self, job: Job[Any]) -> None:
        if self._job is job:
            self._job = None
            self._step()

    def _step(self, refusal: Refusal | None = None) -> None:
        """Runs the handler until it waits for a job, or ends."""
        assert self._run is not None
        try:
            job = self._run.throw(refusal) if refusal is not None else self._run.send(None)
        except StopIteration as end:
            self._answer(end.value)
        except Exception:
            self._answer(self._app.watch.failed(self._scope))
        else:
            self._job = job
            job.when_finished(partial(self._post, job))  # on any thread

    def _answer(self, response: Response) -> None:
        self._run = None  # which refers to this object, too
        status = response.status_code
        self.response_started = self.response_complete = True
        if not self.disconnected and not self._transport.is_closing():
            headers = [*self._protocol.server_state.default_headers, *response.raw_headers]
            end = b"\r\n" if self.keep_alive else b"connection: close\r\n\r\n"
            self._transport.write(
                b"".join([STATUS_LINE[status], _lines(headers), _ALWAYS, end, response.body])
            )
            if not self.keep_alive:
                self._transport.close()
            self._protocol.on_response_complete()
        self._app.watch.record(self._scope, status, time.monotonic() - self._since)
