"""Summarises learned sparse weights: by family, by template, and the heaviest by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from demotic.features.templates import FAMILIES

if TYPE_CHECKING:
    from demotic.features.sparse_part import SparsePart

__all__ = ["Group", "Summary", "summary"]


@dataclass(frozen=True)
class Group:
    """Features of one family or template."""

    name: str
    family: str
    features: int
    mass: float  # sum of absolute weights

    @property
    def mean(self) -> float:
        return self.mass / self.features if self.features else 0.0

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "mean": self.mean}


@dataclass(frozen=True)
class Summary:
    """Families, templates in order, and lists of the heaviest features (name, weight)."""

    families: tuple[Group, ...]
    templates: tuple[Group, ...]
    positive: dict[str, list[tuple[str, float]]]  # by template, or all under ""
    negative: dict[str, list[tuple[str, float]]]


def summary(part: SparsePart, *, top: int = 10, by_template: bool = False) -> Summary:
    """The `top` features with the largest and smallest weights, overall or per template."""
    keys, weights = part.weights.arrays()
    number = part.features.templates_of(keys)
    mass = np.bincount(number, np.abs(weights).astype(np.float64), len(part.templates))
    count = np.bincount(number, minlength=len(part.templates))
    templates = tuple(
        Group(one.text, one.family, int(count[i]), float(mass[i]))
        for i, one in enumerate(part.templates.native)
    )
    places = {"": np.arange(len(keys))}
    if by_template:
        places = {one.name: np.flatnonzero(number == i) for i, one in enumerate(templates)}
    return Summary(
        families=tuple(_families(templates)),
        templates=templates,
        positive={name: _top(part, keys[at], weights[at], top, 1) for name, at in places.items()},
        negative={name: _top(part, keys[at], weights[at], top, -1) for name, at in places.items()},
    )


def _families(templates: Iterable[Group]) -> Iterable[Group]:
    for family in FAMILIES:
        those = [one for one in templates if one.family == family]
        if those:
            features = sum(one.features for one in those)
            yield Group(family, family, features, sum(one.mass for one in those))


def _top(
    part: SparsePart,
    keys: NDArray[np.uint64],
    weights: NDArray[np.float32],
    top: int,
    sign: int,
) -> list[tuple[str, float]]:
    """The features with weights of one sign, the heaviest first; ties ordered by key."""
    of_sign = np.flatnonzero(sign * weights > 0)
    if len(of_sign) > top > 0:
        limit = np.partition(sign * weights[of_sign], len(of_sign) - top)[len(of_sign) - top]
        of_sign = of_sign[sign * weights[of_sign] >= limit]
    order = of_sign[np.lexsort((keys[of_sign], -sign * weights[of_sign]))][:top]
    return [(part.features.name(int(keys[i])), float(weights[i])) for i in order]
