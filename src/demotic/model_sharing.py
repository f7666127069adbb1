"""Files that two model directories both have."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from demotic.errors import IoError

__all__ = ["BITEXT", "BITEXT_LINKS", "copy_file", "share_bitext", "share_file"]

# The training corpus and its links, which `demotic build` leaves and `demotic explain` looks at.
BITEXT = "work/corpus"
BITEXT_LINKS = "work/links.gz"


def share_bitext(source: Path, target: Path) -> None:
    """Shares the training corpus of one model directory with another, if there is one."""
    for file in (*sorted((source / BITEXT).glob("*.bin")), source / BITEXT_LINKS):
        if file.is_file():
            share_file(file, target / file.relative_to(source))


def share_file(source: Path, target: Path) -> None:
    """A hard link where the file system allows, else a copy."""
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
