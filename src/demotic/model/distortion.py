"""`distortion.toml`: how often the gaps of extracted rules were reordered, by their size.

The feature `structural_distortion` gets its probabilities from these counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from demotic._core import MAX_GAP_SIZE, DistortionCounts
from demotic.errors import FormatError
from demotic.lines import PathLike
from demotic.schema import Condition
from demotic.toml import checked_toml, write_toml

__all__ = ["FEATURE", "read_distortion", "write_distortion"]

FEATURE = "structural_distortion"
_HEADER = f"Gaps of extracted rules by number of source words: 1, 2, ..., {MAX_GAP_SIZE} or more.\n"
_ADVICE = "copy the file from the model that this one was made from, or build it again"

Count = Annotated[int, Condition("a whole number of at least 0", lambda count: count >= 0)]


@dataclass(frozen=True)
class _Distortion:
    in_order: tuple[Count, ...]
    reordered: tuple[Count, ...]


def write_distortion(path: PathLike, counts: DistortionCounts) -> None:
    rows = {"in_order": counts.in_order, "reordered": counts.reordered}
    write_toml(path, rows, header=_HEADER)


def read_distortion(path: PathLike) -> DistortionCounts:
    stored = checked_toml(path, _Distortion, advice=_ADVICE)
    for name in ("in_order", "reordered"):
        found = len(getattr(stored, name))
        if found != MAX_GAP_SIZE:
            raise FormatError(
                f"{found} counts of {name}",
                path=path,
                expected=f"{MAX_GAP_SIZE}, one per size of a gap",
                advice=_ADVICE,
            )
    return DistortionCounts(list(stored.in_order), list(stored.reordered))
