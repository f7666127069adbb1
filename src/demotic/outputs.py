"""Output directories: never written over, and gone if nothing came of the work."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from demotic.errors import Error

__all__ = ["nothing_left_on_failure", "refuse_foreign"]


def refuse_foreign(out: Path, *own: str) -> None:
    """Refuses a file, and a directory with files but none of those that `own` names.

    A directory that has one of them is unfinished work, which decides itself whether it resumes.
    """
    if out.exists() and not out.is_dir():
        raise Error(
            "a file where a directory is to be made",
            path=str(out),
            expected="the name of a new directory",
            advice="choose another name",
        )
    if out.exists() and any(out.iterdir()) and not any((out / name).exists() for name in own):
        raise Error(
            "a directory with other files",
            path=str(out),
            expected="a new or empty directory",
            advice="choose another name, or remove it first",
        )


@contextmanager
def nothing_left_on_failure(out: Path) -> Iterator[None]:
    """Removes the directories that were made for `out` if an error leaves them without files."""
    new = [folder for folder in (out, *out.parents) if not folder.exists()]
    try:
        yield
    except BaseException:
        if new:
            inside = [Path(folder) for folder, _, _ in os.walk(out, topdown=False)]
            for folder in dict.fromkeys((*inside, *new)):
                with suppress(OSError):  # not empty: something useful is there
                    folder.rmdir()
        raise
