"""Allows one writer per directory: a lock file that names host, process and time.

A lock whose process has died on this host is taken over; a lock of another host must be removed by
hand.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from demotic.errors import Error, IoError
from demotic.lines import PathLike
from demotic.outputs import fresh_folders

__all__ = ["LOCK_NAME", "is_locked", "locked"]

LOCK_NAME = ".demotic-lock"


@contextmanager
def locked(directory: PathLike) -> Iterator[None]:
    """Holds the lock of a directory, creating the directory if necessary.

    After a failure, newly created empty directories are removed.
    """
    with fresh_folders(directory) as home:
        path = home / LOCK_NAME
        try:
            _take(path)
        except OSError as error:
            if isinstance(error, Error):
                raise
            raise IoError(
                "the directory cannot be written to", path=str(home), errno=error.errno or 0
            ) from None
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def is_locked(directory: PathLike) -> bool:
    """Whether a process writes there, as far as this host can tell: it cannot for other hosts."""
    holder = _read(Path(directory) / LOCK_NAME)
    return holder is not None and _holds(*holder[:2])


def _holds(host: str, pid: int) -> bool:
    return host != _host() or _lives(pid)


def _take(path: Path) -> None:
    while True:
        with contextlib.suppress(FileExistsError):
            return _create(path)
        holder = _read(path)
        if holder is None:  # released in the meantime
            continue
        host, pid, since = holder
        if _holds(host, pid):
            raise Error(
                f"a directory that process {pid} on host {host} has been writing since {since}",
                path=str(path.parent),
                expected="one writer at a time",
                advice=f"wait for it, or remove {path.name} if that process is gone",
            )
        _remove_stale(path, pid)


def _create(path: Path) -> None:
    since = time.strftime("%Y-%m-%d %H:%M:%S")
    text = f"{_host()}\n{os.getpid()}\n{since}\n"
    # Written to another name and then linked, so that no lock is ever seen without contents.
    draft = path.with_name(f"{path.name}-{os.getpid()}")
    draft.write_text(text, encoding="utf-8")
    try:
        os.link(draft, path)
    finally:
        draft.unlink()


def _host() -> str:
    import socket  # which takes a while, and most runs lock nothing

    return socket.gethostname()


def _read(path: Path) -> tuple[str, int, str] | None:
    try:
        host, pid, since = path.read_text(encoding="utf-8").splitlines()
        return host, int(pid), since
    except FileNotFoundError:
        return None
    except (ValueError, UnicodeDecodeError):
        return "unknown", 0, "an unknown time"


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _remove_stale(path: Path, pid: int) -> None:
    """Moves the lock of a dead process away; if several processes try, one succeeds."""
    grave = path.with_name(f"{path.name}-stale-{pid}-{os.getpid()}")
    with contextlib.suppress(FileNotFoundError):
        os.rename(path, grave)
        grave.unlink()
