"""A foreign configuration in our terms: files, weights and settings.

Readers of configurations make a plan; `importing.py` carries it out.  Tables without a
configuration can be imported by a plan made by hand.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from demotic.errors import FormatError
from demotic.features.dense import Kind
from demotic.formats.tables import ReorderingFile, TableFile
from demotic.lines import PathLike
from demotic.model.file import Scalar

__all__ = ["ImportPlan", "config_number", "find_file"]


@dataclass(kw_only=True)
class ImportPlan:
    """Weights use our names; there may be more or fewer than the tables have scores."""

    kind: Kind
    toolkit: str
    tables: list[TableFile]
    reordering: list[ReorderingFile] = field(default_factory=list)
    language_models: list[Path] = field(default_factory=list)
    weights: dict[str, float] = field(default_factory=dict)
    search: dict[str, Scalar] = field(default_factory=dict)
    origin: dict[str, Scalar] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)


def find_file(text: str, config: PathLike, line: int, look_in: Iterable[PathLike] = ()) -> Path:
    """A file named by a configuration.

    First its own path, relative to the configuration.  Configurations are often moved without their
    directories, so then ever shorter ends of the path are tried next to the configuration and in
    `look_in`.
    """
    home = Path(config).resolve().parent
    if "$" not in text and (found := _existing(home / text)):
        return found
    parts = [part for part in Path(text).parts if part not in ("/", ".", "..") and "$" not in part]
    for length in range(len(parts), 0, -1):
        for folder in (home, *map(Path, look_in)):
            if found := _existing(folder.joinpath(*parts[-length:])):
                return found
    raise FormatError(
        f"the file {text}, which does not exist",
        path=config,
        line=line,
        expected="a file next to the configuration",
        advice="give the directory that has it: --look-in DIR",
    )


def _existing(path: Path) -> Path | None:
    """Also finds a table that was compressed later, as Moses and Joshua do."""
    for candidate in (path, path.with_name(path.name + ".gz")):
        if candidate.is_file():
            return candidate
    return None


def config_number(text: str, config: PathLike, line: int, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise FormatError(f"{text!r} as {what}", path=config, line=line, expected="a finite number")
    return value
