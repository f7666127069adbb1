"""A worker that gets its messages through a shared folder (`folder.py`)."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path

from demotic.allowed_code import ALLOW_CODE
from demotic.counts import counted
from demotic.errors import Error
from demotic.lines import PathLike
from demotic.workers import folder as folders
from demotic.workers.content import same_content
from demotic.workers.folder import (
    DRIVER,
    LEFT,
    Pulse,
    Signs,
    host_name,
    is_session,
    listed,
    pause,
    post,
    refuse_foreign,
    take,
    until_gone,
)
from demotic.workers.messages import Message
from demotic.workers.worker import UnsuitableError, Worker

__all__ = ["work"]

_LOOK = 2.0  # seconds between two looks whether the driver lives
_WITH_OTHERS = 3  # beats without a sign after which a driver is given up if another one is there


def work(folder: PathLike, *, wait: int, stay: bool, tell: Callable[[str], None]) -> int:
    """Works for one command, or with `stay` for one after another, until none has come for `wait`
    seconds.  Returns the number of commands that have ended; raises Error if none has."""
    os.environ[ALLOW_CODE] = "1"  # the driver, which opened the same model, has asked the user
    given_up: dict[Path, int] = {}  # with the last sign of life, after which it may be found again
    served = 0
    while (stay or not served) and (session := _newest(Path(folder), given_up, wait)) is not None:
        tell(f"joined the command of {session.name.partition('-')[2]}")
        if _serve(session):
            served += 1
            tell("the command has ended")
        else:
            with until_gone():
                given_up[session] = _last_sign(session)
            tell("the command gives no sign of life any more")
    if not (served or stay):
        raise Error(
            "no other command since one was lost" if given_up else "no command asks for workers",
            path=folder,
            expected=f"one with --workers files:{folder} within {counted(wait, 'second')}",
        )
    return served


def _newest(folder: Path, given_up: dict[Path, int], wait: int) -> Path | None:
    began = time.monotonic()
    while True:
        with until_gone():  # the driver makes it
            for name in sorted(filter(is_session, listed(folder)), reverse=True):
                session = folder / name
                refuse_foreign(session)
                if DRIVER in listed(session) and given_up.get(session) != _last_sign(session):
                    return session
        waited = time.monotonic() - began
        if waited >= wait:
            return None
        pause(waited)


def _last_sign(session: Path) -> int:
    return (session / DRIVER).stat().st_mtime_ns


def _serve(session: Path) -> bool:
    """Until the command has ended; False: its driver has given no sign of life."""
    while os.path.exists(session):
        name = f"{host_name()}-{secrets.token_hex(3)}"
        with until_gone():  # the driver has removed our folder: it has given us up, or has ended
            refuse_foreign(session.parent)
            refuse_foreign(session)
            (session / "to" / name).mkdir()  # before the driver sees us
            pulse = Pulse(session / "here" / name)
            try:
                return _Member(session, name).answer_all()
            finally:
                pulse.stop()
    return True


class _Member:
    """A worker that has joined a session."""

    def __init__(self, session: Path, name: str) -> None:
        self._session, self._name = session, name
        self._worker, self._driver = Worker(self._find), Signs()
        self._places: dict[str, str] = {}
        self._following, self._answers = 1, 0

    def answer_all(self) -> bool:
        """Until the driver has left, or (False) gives no sign of life."""
        since = looked = time.monotonic()
        while True:
            now = time.monotonic()
            if self._answer():
                since = time.monotonic()
            elif now - looked < _LOOK:
                pause(now - since)
            else:
                looked = now
                others = sum(map(is_session, listed(self._session.parent))) - 1
                patience = _WITH_OTHERS * folders.BEAT if others else folders.SILENT
                _, gone = self._driver.look([self._session / DRIVER], patience)
                if gone:
                    return gone[DRIVER] == LEFT

    def _answer(self) -> bool:
        """Handles the next message; whether there was one."""
        inbox, wanted = self._session / "to" / self._name, str(self._following)
        if wanted not in listed(inbox):
            return False
        message = take(inbox / wanted)
        self._following += 1
        self._places |= message.head.pop("places")
        answer = self._worker.handle(message)
        if answer is not None:
            self._answers += 1
            path = self._session / "answers" / f"{self._name}.{self._answers}"
            post(path, Message(answer.id, answer.head, answer.data))
        return True

    def _find(self, digest: str, _name: str) -> str:
        path = self._places[digest]
        if not same_content(path, digest):
            raise UnsuitableError(
                "this machine has another file, or none",
                path=path,
                expected="the driver's, on a file system that all machines share",
            )
        return path
