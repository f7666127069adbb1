"""Writes outputs safely: replaces nothing without `force`, and removes the rest of a failure.

refuse_file("en.lm", force=False)
with new_directory("mine", force=False) as home:
    ...                                     # on failure everything is restored
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from demotic.errors import Error, IoError

__all__ = [
    "absent_folders",
    "fresh_folders",
    "new_directory",
    "nothing_left_on_failure",
    "refuse_file",
    "refuse_foreign",
    "remove_empty",
    "remove_new",
    "set_aside",
    "unchanged_on_failure",
]

_WAY_OUT = "give --force to replace it, or choose another name"


def refuse_file(path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Replaces a file only with `force`, and a directory never. Raises Error."""
    target = Path(path)
    if target.is_dir():
        raise Error(
            "a directory",
            path=str(target),
            expected="the name of a file to write",
            advice="add a file name to it",
        )
    # Pipes and devices such as /dev/null may always be written to.
    if not force and target.is_file():
        raise Error(
            "the file exists already", path=str(target), expected="a new file", advice=_WAY_OUT
        )
    # Check now rather than after hours of work.
    folder = next((one for one in target.parents if one.exists()), target.parent)
    if not target.exists() and folder.is_dir() and not os.access(folder, os.W_OK):
        raise IoError("the file cannot be written", path=str(target), errno=errno.EACCES)


@contextmanager
def fresh_folders(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Creates the directory `path` and its parents; after a failure, empty ones are removed."""
    home = Path(path)
    with nothing_left_on_failure(home):
        try:
            home.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise Error("a file", path=str(home), expected="a directory or a new name") from None
        except OSError as error:
            raise IoError(
                "the directory cannot be created", path=str(home), errno=error.errno or 0
            ) from None
        yield home


@contextmanager
def new_directory(path: str | os.PathLike[str], *, force: bool = False) -> Iterator[Path]:
    """An empty directory to be filled; removed after a failure.

    With `force` it may already hold files, which are kept unless the caller overwrites them.
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
    with fresh_folders(target) as home, unchanged_on_failure(home):
        yield home


@contextmanager
def unchanged_on_failure(home: Path) -> Iterator[None]:
    """After an error, removes everything added to the directory `home`."""
    before = set(home.iterdir())
    try:
        yield
    except BaseException:
        remove_new(home, before)
        raise


def refuse_foreign(out: Path, *own: str, force: bool = False) -> None:
    """Refuses a file, and without `force` a non-empty directory with none of the names in `own`.

    A directory with one of them holds unfinished work, whose verb decides whether to resume it.
    """
    if out.exists() and not out.is_dir():
        raise Error(
            "a file where a directory is to be created",
            path=str(out),
            expected="the name of a new directory",
            advice="choose another name",
        )
    if force or not out.exists() or any((out / name).exists() for name in own):
        return
    if any(out.iterdir()):
        raise Error(
            "a directory with other files",
            path=str(out),
            expected="a new or empty directory",
            advice="give --force to write into it all the same, or choose another name",
        )


@contextmanager
def set_aside(home: Path, names: Iterable[str]) -> Iterator[None]:
    """Moves entries of `home` out of the way: after a failure they come back, else they go."""
    kept = [name for name in names if (home / name).exists()]
    if not kept:
        yield
        return
    aside = home / f".replaced-{os.getpid()}"
    aside.mkdir()
    try:
        for name in kept:
            (home / name).rename(aside / name)
        yield
    except BaseException:
        _restore(home, aside)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _restore(home: Path, aside: Path) -> None:
    kept = {entry.name for entry in aside.iterdir()}
    remove_new(home, {entry for entry in home.iterdir() if entry.name not in kept})
    for name in kept:
        (aside / name).rename(home / name)
    aside.rmdir()


@contextmanager
def nothing_left_on_failure(out: Path) -> Iterator[None]:
    """After an error, removes the directories created for `out` if they hold no files."""
    new = absent_folders(out)
    try:
        yield
    except BaseException:
        if new:
            inside = [Path(folder) for folder, _, _ in os.walk(out, topdown=False)]
            for folder in dict.fromkeys((*inside, *new)):
                with suppress(OSError):  # not empty, so worth keeping
                    folder.rmdir()
        raise


def absent_folders(home: Path) -> list[Path]:
    """The folders that have to be created, innermost first."""
    return [one for one in (home, *home.parents) if not one.exists()]


def remove_empty(folders: list[Path]) -> None:
    """Removes newly created folders that were left empty."""
    with suppress(OSError):  # stop at the first that is not empty
        for folder in folders:
            folder.rmdir()


def remove_new(home: Path, before: set[Path]) -> None:
    """Removes everything added to a directory since `before`."""
    for entry in set(home.iterdir()) - before:
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            with suppress(OSError):
                entry.unlink()
