"""Sizes on disk, in words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demotic.model import Model

__all__ = ["bytes_text", "model_bytes", "tree_bytes"]

_UNITS = ("bytes", "kB", "MB", "GB", "TB")


def bytes_text(count: int) -> str:
    """412 bytes, 3.4 kB, 57 MB: at least two digits, in powers of 1,000."""
    size, unit = float(count), 0
    while size >= 999.5 and unit + 1 < len(_UNITS):
        size, unit = size / 1000, unit + 1
    digits = f"{size:.1f}" if unit and size < 9.95 else f"{size:.0f}"
    return f"{digits} {_UNITS[unit]}"


def model_bytes(model: Model) -> int:
    """The size of all files of the model."""
    parts = model.info.parts
    return sum(model.part(name).stat().st_size for name in (*parts.big, *parts.small))


def tree_bytes(folder: Path) -> int:
    """The size of all files below a folder."""
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file())
