"""Evidence of list learners: a pool of candidate lists with features and metric statistics.

A pool is immutable.  Every round of tuning makes one from new k-best lists and merges it with the
previous ones; search-aware tuning makes every bin of a sentence one more list.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demotic import _core
from demotic.errors import ModelError
from demotic.forest.rows import readonly_array
from demotic.learn.feature_groups import FeatureGroups
from demotic.learn.sparse_rows import SparseRows, mixed

__all__ = ["Pool", "checked_weights"]


_COLUMNS: dict[str, type[np.generic]] = {
    "keys": np.int64,
    "sentences": np.int32,
    "list_weights": np.float64,
    "strings": np.uint64,
    "lexicalized": np.bool_,
}


def _table(values: ArrayLike, dtype: Any) -> NDArray[Any]:
    """A read-only matrix; copied if others could write to it."""
    array = np.asarray(values)
    if array.dtype == dtype and array.flags.c_contiguous and not array.flags.writeable:
        return array
    copy = np.array(array, dtype=dtype, order="C")
    copy.flags.writeable = False
    return copy


@dataclass(frozen=True, eq=False, repr=False)
class Pool:
    """Candidates [offsets[l], offsets[l + 1]) are list l.

    Weights over a pool are one array: those of the dense features, then those of the sparse ones,
    whose ids count from 0.
    """

    offsets: NDArray[np.int64]
    dense: NDArray[np.float32]
    """One row per candidate."""
    statistics: NDArray[np.int32]
    """One row per candidate; for BLEU the matches and the totals of 1 to 4 words, and the reference
    length."""
    sparse: SparseRows | None = None
    """Sparse features, by id."""
    sparse_features: int = 0
    """Number of sparse features with a weight."""
    keys: NDArray[np.int64] = None  # type: ignore[assignment]
    """Keys by which lists are merged: one number each; by default their indices."""
    sentences: NDArray[np.int32] = None  # type: ignore[assignment]
    """The sentence of every list; by default its index."""
    list_weights: NDArray[np.float64] | None = None
    """The weight of every list; by default 1."""
    strings: NDArray[np.uint64] | None = None
    """A hash of every candidate's words; without it only features distinguish candidates."""
    lexicalized: NDArray[np.bool_] | None = None
    """Lexicalised sparse features, which some filters exclude."""
    names: tuple[str, ...] = field(default=())
    """Names of the dense features, if known."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "offsets", readonly_array(self.offsets, np.int64))
        put(self, "dense", _table(self.dense, np.float32))
        put(self, "statistics", _table(self.statistics, np.int32))
        lists = len(self.offsets) - 1
        for name in ("keys", "sentences"):
            if getattr(self, name) is None:
                put(self, name, np.arange(lists))
        for name, dtype in _COLUMNS.items():
            if getattr(self, name) is not None:
                put(self, name, readonly_array(getattr(self, name), dtype))
        self._check()

    def _check(self) -> None:
        if self.dense.ndim != 2 or self.statistics.ndim != 2:
            raise ValueError("dense features and statistics need one row per candidate")
        width = self.dense.shape[1]
        for what, values, expected in (
            ("dense features", self.dense, self.candidates),
            ("statistics", self.statistics, self.candidates),
            ("sparse rows", self.sparse, self.candidates),
            ("strings", self.strings, self.candidates),
            ("keys", self.keys, len(self)),
            ("sentences", self.sentences, len(self)),
            ("list weights", self.list_weights, len(self)),
            ("names", self.names or None, width),
            ("lexicalized", self.lexicalized, self.sparse_features),
        ):
            if values is not None and len(values) != expected:
                raise ValueError(f"{len(values)} {what}; expected {expected}")
        if len(np.unique(self.keys)) != len(self):
            raise ValueError("two lists with the same key")
        self._check_finite()

    def _check_finite(self) -> None:
        # A sum in double precision is finite if and only if all single-precision terms are.
        if not np.isfinite(self.dense.sum(dtype=np.float64)):
            finite = np.isfinite(self.dense).all(axis=1)
            raise ModelError(
                f"a feature of candidate {int(np.argmin(finite))} is not a finite number",
                expected="finite features",
            )
        values = None if self.sparse is None else self.sparse.values
        if values is not None and not np.isfinite(values).all():
            raise ModelError("a sparse feature is not a finite number", expected="finite features")

    @classmethod
    def of(
        cls, lists: Sequence[tuple[ArrayLike, ArrayLike]], *, statistics: int = 9, **fields: Any
    ) -> Pool:
        """From (dense features, statistics) of each list."""
        pairs = [(np.atleast_2d(dense), np.atleast_2d(counts)) for dense, counts in lists]
        offsets = np.concatenate(([0], np.cumsum([len(dense) for dense, _ in pairs], dtype=int)))
        if not pairs:
            none = np.zeros((0, 0), np.float32), np.zeros((0, statistics), np.int32)
            return cls(offsets, *none, **fields)
        dense = np.concatenate([dense for dense, _ in pairs])
        return cls(offsets, dense, np.concatenate([counts for _, counts in pairs]), **fields)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def candidates(self) -> int:
        return int(self.offsets[-1])

    @property
    def features(self) -> int:
        """The number of weights."""
        return int(self.dense.shape[1]) + self.sparse_features

    def __repr__(self) -> str:
        sparse = f" and {self.sparse_features:,} sparse" if self.sparse is not None else ""
        return (
            f"Pool({len(self):,} lists, {self.candidates:,} candidates, "
            f"{self.dense.shape[1]} dense{sparse} features)"
        )

    @cached_property
    def native(self) -> _core.CandidateLists:
        """The lists in native form, with a copy of the dense features."""
        rows, none = self.sparse, readonly_array([], np.float64)
        no_rows = readonly_array([], np.int64), readonly_array([], np.int32)
        parts = no_rows if rows is None else (rows.parts.offsets, rows.parts.values)
        features = no_rows if rows is None else (rows.features.offsets, rows.features.values)
        return _core.CandidateLists(
            self.offsets,
            self.dense,
            self.statistics,
            parts[0],
            parts[1],
            features[0],
            features[1],
            none if rows is None or rows.values is None else rows.values,
            self.sparse_features,
            none if self.list_weights is None else self.list_weights,
        )

    @cached_property
    def hashes(self) -> NDArray[np.uint64]:
        """Of the words and the features of every candidate; 0 and -0 are the same value."""
        hashes = _core.hash_rows(self.dense)
        if self.strings is not None:
            hashes = mixed(hashes, self.strings)
        if self.sparse is not None:
            hashes = mixed(hashes, self.sparse.hashes())
        return hashes

    def hashed(self, hashes: NDArray[np.uint64]) -> Self:
        """Keeps known hashes: those of a growing pool are needed in every round."""
        self.__dict__["hashes"] = hashes
        return self

    @cached_property
    def groups(self) -> FeatureGroups:
        """The same lists over groups of sparse features that occur together."""
        return FeatureGroups(self)

    def dense_alone(self) -> Pool:
        """The same lists with the sparse features as further dense ones; for a few of them."""
        if self.sparse_features == 0:
            return self
        more = np.zeros((self.candidates, self.sparse_features), np.float32)
        if self.sparse is not None:
            rows = self.sparse.rows()
            more[np.repeat(np.arange(len(rows)), np.diff(rows.offsets)), rows.ids] = rows.values
        dense = np.concatenate([self.dense, more], axis=1)
        return Pool(self.offsets, dense, self.statistics, list_weights=self.list_weights)

    def best_statistics(
        self, weights: NDArray[np.float64], *, threads: int = 1
    ) -> NDArray[np.float64]:
        """Statistics summed over the lists' best candidates under the weights."""
        return self.groups.native.best_statistics(self.groups.weights_of(weights))

    def checked(self, weights: ArrayLike) -> NDArray[np.float64]:
        """A copy of the weights; refuses a wrong number or values that are not finite."""
        return checked_weights(weights, self.features, self.names)


def checked_weights(
    weights: ArrayLike, features: int, names: tuple[str, ...]
) -> NDArray[np.float64]:
    """A copy of the weights, one per feature and finite; `names` may name the first ones."""
    array = np.array(weights, dtype=np.float64)
    if array.shape != (features,):
        raise ModelError(
            f"{array.shape} weights for {features} features", expected="one per feature"
        )
    if not np.isfinite(array).all():
        place = int(np.argmin(np.isfinite(array)))
        name = names[place] if place < len(names) else f"feature {place}"
        raise ModelError(f"the weight {array[place]} of {name}", expected="a finite number")
    return array
