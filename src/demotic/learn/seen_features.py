"""The sparse features that a tuning run has seen, numbered in order of their first appearance."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.features.feature_set import FeatureSet
from demotic.forest import Rows

__all__ = ["SeenFeatures"]

_CLASSES = re.compile(r"\w+\.\w+:(cluster|prefix\d|tag|type)|\w+\.length")


class SeenFeatures:
    """Grows with every search; ids never change."""

    def __init__(self, features: FeatureSet) -> None:
        self._features = features
        self.native = _core.FeatureIds()

    def __len__(self) -> int:
        return len(self.native)

    @property
    def keys(self) -> NDArray[np.uint64]:
        """By id."""
        return self.native.keys()

    def add(self, offsets: NDArray[np.int64], keys: NDArray[np.uint64]) -> Rows:
        """The ids of rows of keys."""
        return Rows(offsets, self.native.add_rows(offsets, keys))

    def add_valued(
        self, offsets: NDArray[np.int64], keys: NDArray[np.uint64], values: NDArray[np.float64]
    ) -> tuple[Rows, NDArray[np.float64] | None]:
        """The same with values; none are given, and none returned, if all are 1."""
        if (values == 1).all():
            return self.add(offsets, keys), None
        ids, values = self.native.add_valued_rows(offsets, keys, values)
        return Rows(offsets, ids), values

    @property
    def lexicalized(self) -> NDArray[np.bool_]:
        """By id: whether a feature looks at words, characters or rules, not only at classes."""
        texts = self._features.templates.texts
        by_template = np.array([not _is_of_classes(text) for text in texts])
        return by_template[self._features.native.templates_of(self.keys)]


def _is_of_classes(template: str) -> bool:
    return all(_CLASSES.fullmatch(place) for place in template.split())
