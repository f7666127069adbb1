"""What a verb writes: never over what is there unless told to, and nothing left of a failure.

refuse_file("en.lm", force=False)
with new_directory("mine", force=False) as home:
    ...                                     # on failure everything is as it was before
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from demotic.errors import Error, IoError

__all__ = [
    "absent_folders",
    "fresh_folders",
    "new_directory",
    "refuse_file",
    "remove_empty",
    "remove_new",
]

_WAY_OUT = "give --force to replace it, or choose another name"


def refuse_file(path: str | os.PathLike[str], *, force: bool = False) -> None:
    """A file is replaced only with `force`, and a directory never is. Raises Error."""
    target = Path(path)
    if target.is_dir():
        raise Error(
            "a directory",
            path=str(target),
            expected="the name of a file to write",
            advice="add a file name to it",
        )
    # Pipes and devices such as /dev/null are there to be written to.
    if not force and target.is_file():
        raise Error(
            "the file exists already", path=str(target), expected="a new file", advice=_WAY_OUT
        )
    # Better now than after hours of work.
    folder = next((one for one in target.parents if one.exists()), target.parent)
    if not target.exists() and folder.is_dir() and not os.access(folder, os.W_OK):
        raise IoError("the file cannot be written", path=str(target), errno=errno.EACCES)


@contextmanager
def fresh_folders(path: str | os.PathLike[str]) -> Iterator[Path]:
    """The directory `path`, made with its parents; after a failure those that are empty go."""
    home = Path(path)
    made = absent_folders(home)
    try:
        home.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise Error("a file", path=str(home), expected="a directory or a new name") from None
    except OSError as error:
        remove_empty(made)
        raise IoError(
            "the directory cannot be made", path=str(home), errno=error.errno or 0
        ) from None
    try:
        yield home
    except BaseException:
        remove_empty(made)
        raise


@contextmanager
def new_directory(path: str | os.PathLike[str], *, force: bool = False) -> Iterator[Path]:
    """An empty directory to be filled; after a failure there is nothing of it.

    With `force` it may hold files, which stay unless the caller writes over them.
    """
    target = Path(path)
    used = target.is_dir() and any(target.iterdir())
    if used and not force:
        raise Error(
            "the directory exists already and is not empty",
            path=str(target),
            expected="a new directory",
            advice="give --force to write into it, or choose another name",
        )
    with fresh_folders(target) as home:
        before = set(home.iterdir())
        try:
            yield home
        except BaseException:
            remove_new(home, before)
            raise


def absent_folders(home: Path) -> list[Path]:
    """The folders that have to be made, innermost first."""
    return [one for one in (home, *home.parents) if not one.exists()]


def remove_empty(folders: list[Path]) -> None:
    """Removes folders that were made for something that came to nothing."""
    with suppress(OSError):  # the first that is not empty ends it
        for folder in folders:
            folder.rmdir()


def remove_new(home: Path, before: set[Path]) -> None:
    """Removes what has come into a directory since `before`."""
    for entry in set(home.iterdir()) - before:
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            with suppress(OSError):
                entry.unlink()
