"""Translates documents for clients: PO, XLIFF, HTML and the other formats of `demotic.documents`.

A document is read and written on a thread of its own; its sentences wait in the queue like those
of other requests.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from secrets import token_urlsafe
from typing import TYPE_CHECKING, NamedTuple

from demotic.errors import Error
from demotic.serve.jobs import CallJob, Job
from demotic.serve.refusals import (
    BadRequest,
    Busy,
    LargeDocument,
    Late,
    Refusal,
    Stopping,
    Vanished,
)

if TYPE_CHECKING:
    from demotic.serve.served_model import ServedModel
    from demotic.serve.service import TranslationService

__all__ = ["DocumentTask", "FileStore", "StoredFile", "suffixes"]

_TOGETHER = 4  # sentences per task
_AT_ONCE = 2  # documents that are translated at the same time
_PAUSE = 0.05  # seconds before a document asks a full queue again


def suffixes() -> list[str]:
    """Of the files that can be translated."""
    from demotic.documents import FORMATS

    return [suffix for one in FORMATS.values() for suffix in one.suffixes]


class DocumentTask:
    """One document of a client; `run` blocks, `stop` ends it from another thread."""

    _places = threading.BoundedSemaphore(_AT_ONCE)

    def __init__(self, service: TranslationService, model: ServedModel) -> None:
        self._service, self._model = service, model
        self._job: Job[list[str]] | None = None
        self._gone = False
        self._until = math.inf  # when the document must have been read

    def stop(self) -> None:
        self._gone = True
        if self._job is not None:
            self._job.stop()

    def run(self, data: bytes, name: str) -> bytes:
        """The translated document, of the same format. Raises a Refusal."""
        if self._service.scheduler.is_stopping:
            raise Stopping("the server is shutting down")
        if not self._places.acquire(blocking=False):
            raise Busy(10)
        try:
            return self._run(data, name)
        except Refusal:
            raise
        except Error as error:  # of the document
            raise BadRequest(str(error)) from None
        finally:
            self._places.release()

    def _run(self, data: bytes, name: str) -> bytes:
        from demotic.documents import DocumentTranslator, format_of
        from demotic.documents.budget import Budget, TooMuch
        from demotic.documents.document import Languages

        limits = self._service.limits
        languages = Languages(self._model.source, self._model.target)
        translator = DocumentTranslator(self._translate, languages)
        # Reading has the time of a request per megabyte.
        self._until = time.monotonic() + limits.max_seconds * (1 + (len(data) >> 20))
        budget = Budget(limits.max_segments, limits.max_characters, self._check)
        try:
            made = translator.translate(data, format_of(name), name=name, budget=budget)
        except TooMuch as error:
            raise LargeDocument(str(error)) from None
        return made.data

    def _check(self) -> None:
        """Ends the reading of a document that nobody waits for, or that takes too long."""
        if self._gone:
            raise Vanished("the client has closed the connection")
        if time.monotonic() > self._until:
            raise Late("reading the document took too long; split it")

    def _translate(self, sentences: Sequence[str]) -> list[str]:
        limits = self._service.limits
        parts = [
            sentences[begin : begin + _TOGETHER] for begin in range(0, len(sentences), _TOGETHER)
        ]
        tasks = [partial(self._model.translate_marked_up, part, "xliff-inline") for part in parts]
        # Each part has the time of a request, so that a long document can be finished.
        seconds = limits.max_seconds * max(1, len(parts))
        self._job = CallJob(tasks, lambda found: [text for part in found for text in part], seconds)
        while not self._gone:
            try:
                return self._service.scheduler.submit(self._job, accepted=True).future.result()
            except Busy:
                time.sleep(_PAUSE)
        raise Vanished("the client has closed the connection")


class StoredFile(NamedTuple):
    """A translated document that waits for its client."""

    data: bytes
    name: str
    until: float


class FileStore:
    """Translated documents under names that cannot be guessed, for a while and within a size."""

    def __init__(self, *, size: int = 64_000_000, seconds: float = 1800.0) -> None:
        self._size, self._seconds = size, seconds
        self._files: OrderedDict[str, StoredFile] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, data: bytes, name: str) -> str:
        """The key of the document; the oldest ones make room for it."""
        key = token_urlsafe(24)
        with self._lock:
            self._files[key] = StoredFile(data, name, time.monotonic() + self._seconds)
            while len(self._files) > 1 and self._total() > self._size:
                self._files.popitem(last=False)
        return key

    def get(self, key: str) -> StoredFile | None:
        with self._lock:
            now = time.monotonic()
            for old in [one for one, file in self._files.items() if file.until < now]:
                del self._files[old]
            return self._files.get(key)

    def _total(self) -> int:
        return sum(len(file.data) for file in self._files.values())
