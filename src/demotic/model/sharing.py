"""Shares files between model directories."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from itertools import count, takewhile
from pathlib import Path

from demotic.errors import IoError

__all__ = ["BITEXT", "copy_file", "link_file", "link_files", "share_bitext", "share_file"]

# The training corpus of a model and its links, used by `demotic explain`.
BITEXT = "bitext"


def link_file(folder: Path, number: int) -> Path:
    """The file of a set of links, numbered from 0."""
    return folder / (f"links-{number + 1}.gz" if number else "links.gz")


def link_files(folder: Path) -> list[Path]:
    """The sets of links in a folder."""
    files = (link_file(folder, number) for number in count())
    return list(takewhile(Path.exists, files))


def share_bitext(files: Iterable[Path], directory: Path) -> None:
    """Shares the existing files of a training corpus with a model directory, instead of others."""
    for old in link_files(directory / BITEXT):
        old.unlink()
    for file in files:
        if file.is_file():
            share_file(file, directory / BITEXT / file.name)


def share_file(source: Path, target: Path) -> None:
    """Makes a hard link where the file system allows, else a copy."""
    target.unlink(missing_ok=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source.resolve(), target)
    except OSError:  # another file system, or one without links
        copy_file(source, target)


def copy_file(source: Path, target: Path) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    except OSError as error:
        raise IoError(
            "the file cannot be copied", path=str(error.filename or target), errno=error.errno or 0
        ) from None
