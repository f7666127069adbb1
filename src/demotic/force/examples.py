"""Example pairs of forced decoding: reachable ones, and unreachable ones by cause."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from demotic.force.blame import Blame, blame
from demotic.force.run import Reachability
from demotic.force.tables import CAUSES
from demotic.lines import split_words
from demotic.model import Model

__all__ = ["Example", "examples"]

_EACH = 3
_LENGTH = 10  # preferred length in source words
_LONGEST = 40  # maximum length in words of pairs that are examined


@dataclass(frozen=True)
class Example:
    """A pair, the words that make it unreachable, and its longest reachable prefix."""

    source: tuple[str, ...]
    reference: tuple[str, ...]
    derivations: float
    at_fault: Blame
    prefix: tuple[int, int]  # length of the prefix on each side; 0, 0 if there is none


def examples(
    found: Reachability, model: Model, *, leave_one_out: bool = False
) -> Mapping[str, list[Example]]:
    """A few pairs of readable length for `reachable` and for every cause that occurs."""
    groups = {"reachable": found.reachable, **{cause: found.cause(cause) for cause in CAUSES}}
    return {
        name: [_example(found, model, i, name, leave_one_out) for i in _chosen(found, which)]
        for name, which in groups.items()
        if which.any()
    }


def _chosen(found: Reachability, which: NDArray[np.bool_]) -> list[int]:
    places = np.flatnonzero(which)
    order = np.argsort(np.abs(found.lengths[places] - _LENGTH), kind="stable")
    chosen: list[int] = places[order][:_EACH].tolist()
    return chosen


def _example(found: Reachability, model: Model, i: int, cause: str, leave_one_out: bool) -> Example:
    source, reference = split_words(found.sources[i]), split_words(found.references[i])
    no_words = Blame(frozenset(), frozenset())
    short = max(len(source), len(reference)) <= _LONGEST
    pair = i // found.copies if leave_one_out else -1
    return Example(
        tuple(source),
        tuple(reference),
        float(found.derivations[i]),
        blame(model, source, reference, cause, pair) if short else no_words,
        (int(found.source_words[i]), int(found.target_words[i])),
    )
