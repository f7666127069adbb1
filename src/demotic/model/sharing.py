"""Shares files between model directories."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from demotic.errors import IoError

__all__ = ["BITEXT", "BITEXT_LINKS", "copy_file", "share_bitext", "share_file"]

# The training corpus of a model and its links, used by `demotic explain`.
BITEXT = "bitext"
BITEXT_LINKS = "bitext/links.gz"


def share_bitext(files: Iterable[Path], directory: Path) -> None:
    """Shares the existing files of a training corpus with a model directory."""
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
