"""Workers that are jobs of a batch system, which talk with the driver through a shared folder.

    FOLDER/SESSION/            made for one command, removed when it ends
        driver                 a sign of life, whose time changes every few seconds
        here/WORKER            the same of every worker that has joined
        to/WORKER/NUMBER       messages to a worker, in order
        answers/WORKER.NUMBER  messages from workers
        files/                 what the driver makes to share it

`demotic worker FOLDER` (`folder_worker.py`) joins the latest session.  A file gets its name when it
is complete.  Names are listed, never looked up: network file systems remember for a while that a
name did not exist.  Both sides look less often the longer they have waited, so that short and long
waits become longer by the same small share.
"""

from __future__ import annotations

import errno
import math
import os
import re
import shlex
import shutil
import socket
import stat
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from demotic.errors import Error, InputError
from demotic.lines import PathLike
from demotic.workers.content import SharedFiles
from demotic.workers.messages import Answer, Joined, Lost, Message, read_message, write_message

__all__ = [
    "DRIVER",
    "LEFT",
    "FolderTransport",
    "Pulse",
    "Signs",
    "host_name",
    "is_session",
    "listed",
    "pause",
    "post",
    "refuse_foreign",
    "take",
    "until_gone",
]

DRIVER = "driver"
LEFT = "it has left"
BEAT = 10.0  # seconds between two signs of life
SILENT = 120.0  # seconds without one, after which a process is given up
_LOOK = 1.0  # seconds between two looks at who is there
_PATIENCE = 10.0  # seconds until the user is told that no worker has come
_OLD = 24 * 3600.0  # seconds after which the rest of a killed command is removed
# Seconds between two looks for a message, and their share of the time since the last one.
_SHORTEST, _LONGEST, _SHARE = 0.001, 0.25, 0.05
_SESSION = re.compile(r"\.?\d{20}-")
_GONE = {errno.ENOENT, getattr(errno, "ESTALE", errno.ENOENT)}


def host_name() -> str:
    """Of this machine, for names of files."""
    return re.sub("[^0-9A-Za-z]+", "-", socket.gethostname())[:40]


def is_session(name: str) -> bool:
    """Also of one that is being removed, whose name begins with a full stop."""
    return _SESSION.match(name) is not None


def pause(waited: float) -> None:
    """Sleeps a little, in proportion to the seconds that one has waited."""
    time.sleep(min(max(_SHARE * waited, _SHORTEST), _LONGEST))


def refuse_foreign(folder: Path) -> None:
    """Whoever can exchange the messages lets workers run what they want."""
    if not hasattr(os, "getuid"):
        return
    status = folder.stat()
    by_others = status.st_mode & 0o022 and not status.st_mode & stat.S_ISVTX
    if status.st_uid not in (os.getuid(), 0) or by_others:
        raise Error(
            "a folder that others can write to",
            path=folder,
            expected="one that belongs to you alone",
            advice="run chmod go-w on it, and the command and its workers as the same user",
        )


def post(path: Path, message: Message) -> None:
    hidden = path.with_name(f".{path.name}")
    try:
        with open(hidden, "wb") as file:
            write_message(file, message)
    except OSError as error:  # a full disk, of which only the number is known
        raise OSError(error.errno, error.strerror, str(hidden)) from None
    os.replace(hidden, path)


def take(path: Path) -> Message:
    with open(path, "rb") as file:
        message = read_message(file)
    if message is None:
        raise Error("a message that is damaged", path=path, expected="a whole message")
    path.unlink()
    return message


def listed(folder: Path) -> list[str]:
    """The names of complete files."""
    return [name for name in os.listdir(folder) if not name.startswith(".")]


@contextmanager
def until_gone() -> Iterator[None]:
    """Ends the block when it needs a file or folder that another process has removed."""
    try:
        yield
    except OSError as error:
        if error.errno not in _GONE:
            raise


class Pulse:
    """The sign of life of this process: a file whose time changes every few seconds."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.touch()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()
        with suppress(OSError):
            self.path.unlink()

    def _beat(self) -> None:
        while not self._ended.wait(BEAT):
            with suppress(OSError):  # the session has ended
                os.utime(self.path)


@dataclass
class Signs:
    """Who is there, by their signs of life; time is measured by our own clock only."""

    seen: dict[str, tuple[int, float]] = field(default_factory=dict)
    """The time of each file, and when it was new to us."""
    _looked: float = -math.inf

    def look(
        self, paths: Iterable[Path], silent: float | None = None
    ) -> tuple[list[str], dict[str, str]]:
        """Who is new, and who is gone and why: without a sign of life for `silent` seconds."""
        silent = SILENT if silent is None else silent
        now = time.monotonic()
        if now - self._looked > SILENT / 2:  # we may have been stopped, and they with us
            self.seen = {name: (beat, now) for name, (beat, _) in self.seen.items()}
        self._looked = now
        beats: dict[str, int] = {}
        for path in paths:
            with until_gone():
                beats[path.name] = path.stat().st_mtime_ns
        new = sorted(beats.keys() - self.seen.keys())
        for name, beat in beats.items():
            if name not in self.seen or self.seen[name][0] != beat:
                self.seen[name] = beat, now
        gone = dict.fromkeys(self.seen.keys() - beats.keys(), LEFT)
        for name, (_, since) in self.seen.items():
            if name not in gone and now - since > silent:
                gone[name] = f"no sign of life for {silent:g} s"
        for name in gone:
            del self.seen[name]
        return new, gone


class FolderTransport:
    """The driver's end."""

    def __init__(self, folder: PathLike, notify: Callable[[str], None]) -> None:
        self._folder, self._notify = Path(folder).resolve(), notify
        self._session = self._folder / f"{time.time_ns():020}-{host_name()}-{os.getpid()}"
        self._files = SharedFiles()
        self._signs, self._looked = Signs(), 0.0
        self._given_up: set[str] = set()
        self._sent: Counter[str] = Counter()
        self._pulse: Pulse | None = None
        self._since = time.monotonic()  # the last event
        self._missed: float | None = None  # since when the first worker is awaited
        self.place = self._session / "files"

    def start(self, files: SharedFiles) -> list[str]:
        self._files = files
        if self._folder.exists() and not self._folder.is_dir():
            raise InputError("a file", path=self._folder, expected="a folder for workers")
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        refuse_foreign(self._folder)
        self._session.mkdir(mode=0o700)
        try:
            for name in ("here", "to", "answers", "files"):
                (self._session / name).mkdir()
            self._pulse = Pulse(self._session / DRIVER)
            self._sweep(self._pulse.path.stat().st_mtime)
        except BaseException:  # Ctrl-C
            self.close()
            raise
        return []  # workers join when they are needed, after the input has been read

    def send(self, worker: str, message: Message) -> None:
        self._sent[worker] += 1
        head = {**message.head, "places": self._files.places(message.head)}
        with until_gone():  # it was given up
            post(self._inbox(worker) / str(self._sent[worker]), replace(message, head=head))

    def receive(self, seconds: float) -> list[Answer | Lost | Joined]:
        until = time.monotonic() + seconds
        while not (found := [*self._answers(), *self._changes()]):
            if (now := time.monotonic()) > until:
                return found
            self._call_for_workers(now)
            pause(now - self._since)
        self._since = time.monotonic()
        return found

    def restart(self, worker: str) -> bool:
        """Only the batch system can start one."""
        shutil.rmtree(self._inbox(worker), ignore_errors=True)  # if it still lives, it joins again
        return False

    def close(self) -> None:
        """Workers see that their folder is gone."""
        ended = self._session.with_name(f".{self._session.name}")
        try:
            self._session.rename(ended)
        except OSError:  # a system on which files in use keep their names
            ended = self._session
        if self._pulse is not None:
            self._pulse.stop()
        shutil.rmtree(ended, ignore_errors=True)

    def _inbox(self, worker: str) -> Path:
        return self._session / "to" / worker

    def _call_for_workers(self, now: float) -> None:
        """Reports once that no worker has come."""
        if self._missed is None:
            self._missed = now
        if now - self._missed > _PATIENCE and not (self._signs.seen or self._given_up):
            self._missed = math.inf
            folder = shlex.quote(str(self._folder))
            self._notify(f"no worker yet; start some with: demotic worker {folder}")

    def _answers(self) -> list[Answer]:
        folder, found = self._session / "answers", []
        names = [(worker, int(number)) for worker, _, number in map(_parted, self._names(folder))]
        for worker, number in sorted(names):
            message = take(folder / f"{worker}.{number}")
            if worker in self._signs.seen:
                found.append(Answer(worker, message))
        return found

    def _changes(self) -> list[Lost | Joined]:
        if self._signs.seen and time.monotonic() - self._looked < _LOOK:
            return []
        self._looked = time.monotonic()
        folder = self._session / "here"
        names = [name for name in self._names(folder) if name not in self._given_up]
        new, gone = self._signs.look(folder / name for name in names)
        self._given_up |= gone.keys()
        return [*(Lost(*one) for one in sorted(gone.items())), *map(Joined, new)]

    def _names(self, folder: Path) -> list[str]:
        with until_gone():
            return listed(folder)
        raise Error(
            "the folder of the workers was removed",
            path=self._session,
            advice="repeat the command; finished steps are kept",
        )

    def _sweep(self, now: float) -> None:
        """Removes what killed commands have left; times are those of the file system."""
        for name in filter(is_session, os.listdir(self._folder)):
            session = self._folder / name
            with suppress(OSError):
                sign = session / DRIVER
                last = (sign if sign.exists() else session).stat().st_mtime
                if now - last > _OLD:
                    shutil.rmtree(session)


def _parted(name: str) -> tuple[str, str, str]:
    return name.rpartition(".")
