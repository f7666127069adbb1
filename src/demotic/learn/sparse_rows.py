"""Sparse features of candidates in two levels: a candidate has parts, a part has features.

Parts are the steps of derivations.  The candidates of a list share most of them, so that a row per
part takes a small share of the memory of a row per candidate, and a list is scored by scoring each
of its parts once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from demotic.forest.rows import FeatureRows, Rows, gather_rows, readonly_array

__all__ = ["ODD", "SparseRows", "mixed"]

ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False, repr=False)
class SparseRows:
    """Row i of `parts` lists the parts of candidate i, ascending; a part may be repeated."""

    parts: Rows
    features: Rows
    """The features of each part, without repetitions."""
    values: NDArray[np.float64] | None = None
    """Of `features`; without them all are 1."""

    def __post_init__(self) -> None:
        if self.values is not None:
            object.__setattr__(self, "values", readonly_array(self.values, np.float64))
            if len(self.values) != len(self.features.values):
                raise ValueError(
                    f"{len(self.values)} values of sparse features; expected "
                    f"{len(self.features.values)}"
                )

    @classmethod
    def of(cls, rows: Sequence[dict[int, float]]) -> SparseRows:
        """From the values of every candidate by id; each candidate is one part."""
        return cls.of_rows(FeatureRows.of(rows))

    @classmethod
    def of_rows(cls, rows: FeatureRows) -> SparseRows:
        """Every row is one part."""
        count = len(rows)
        parts = Rows(np.arange(count + 1), np.arange(count, dtype=np.int32))
        return cls(parts, Rows(rows.offsets, rows.ids), rows.values)

    @classmethod
    def joined(cls, several: Sequence[SparseRows]) -> SparseRows:
        """The candidates of all; equal parts are not yet found."""
        first = np.cumsum([0, *(len(one.features) for one in several)])
        weighted = any(one.values is not None for one in several)
        rows = cls(
            _concatenated(
                [
                    Rows(one.parts.offsets, one.parts.values + shift)
                    for one, shift in zip(several, first, strict=False)
                ]
            ),
            _concatenated([one.features for one in several]),
            np.concatenate([one.all_values for one in several]) if weighted else None,
        )
        if any((one.values is None) == weighted for one in several):
            return rows
        return rows._hashed(np.concatenate([one.part_hashes for one in several]))

    def __len__(self) -> int:
        """The number of candidates."""
        return len(self.parts)

    def __repr__(self) -> str:
        return (
            f"SparseRows({len(self):,} candidates, {len(self.features):,} parts, "
            f"{len(self.features.values):,} features)"
        )

    @property
    def all_values(self) -> NDArray[np.float64]:
        return np.ones(len(self.features.values)) if self.values is None else self.values

    def take(self, candidates: NDArray[np.int64]) -> SparseRows:
        """The given candidates, with the parts that they have."""
        rows = self.parts.take(candidates)
        used = np.zeros(len(self.features), np.bool_)
        used[rows.values] = True
        places = np.cumsum(used, dtype=np.int32) - np.int32(1)
        return self._with(Rows(rows.offsets, places[rows.values]), np.flatnonzero(used))

    def deduplicated(self) -> SparseRows:
        """The same with one copy of parts that are equal by a 64-bit hash of their features."""
        _, first, inverse = np.unique(self.part_hashes, return_index=True, return_inverse=True)
        if len(first) == len(self.features):
            return self
        kept = np.sort(first)
        places = np.searchsorted(kept, first)[inverse].astype(np.int32)
        rows = _sorted_rows(Rows(self.parts.offsets, places[self.parts.values]))
        return self._with(rows, kept)

    def _with(self, rows: Rows, kept: NDArray[np.intp]) -> SparseRows:
        offsets, places = gather_rows(self.features.offsets, kept)
        features = Rows(offsets, self.features.values[places])
        values = None if self.values is None else self.values[places]
        return SparseRows(rows, features, values)._hashed(self.part_hashes[kept])

    def _hashed(self, part_hashes: NDArray[np.uint64]) -> SparseRows:
        """Keeps known hashes: those of a growing pool are needed in every round."""
        self.__dict__["part_hashes"] = part_hashes
        return self

    @cached_property
    def part_hashes(self) -> NDArray[np.uint64]:
        """Of features and values, whatever their order."""
        own = mixed(self.features.values.astype(np.uint64), ODD)
        if self.values is not None:
            own = mixed(own, self.values.view(np.uint64))
        return _row_sums(self.features.offsets, own)

    def hashes(self) -> NDArray[np.uint64]:
        """Of the parts of each candidate."""
        return _row_sums(self.parts.offsets, mixed(self.part_hashes, ODD)[self.parts.values])

    def rows(self) -> FeatureRows:
        """The sum of the parts of each candidate, feature by feature; large."""
        from demotic import _core

        return FeatureRows(
            *_core.sum_rows(
                self.parts.offsets,
                self.parts.values,
                self.features.offsets,
                self.features.values,
                readonly_array(self.all_values, np.float64),
            )
        )


def mixed(hashes: NDArray[np.uint64], words: NDArray[np.uint64] | np.uint64) -> NDArray[np.uint64]:
    """Mixes more words into hashes (the finaliser of splitmix64)."""
    state = (hashes ^ words) * ODD
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return state ^ (state >> np.uint64(31))


def _row_sums(offsets: NDArray[np.int64], values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    sums = np.concatenate((np.zeros(1, np.uint64), np.cumsum(values, dtype=np.uint64)))
    return sums[offsets[1:]] - sums[offsets[:-1]]


def _concatenated(several: Sequence[Rows]) -> Rows:
    lengths = np.concatenate([np.diff(one.offsets) for one in several])
    offsets = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
    return Rows(offsets, np.concatenate([one.values for one in several]))


def _sorted_rows(rows: Rows) -> Rows:
    """Sorts within rows; only those that do not ascend, which in a grown pool are the new ones."""
    falls = np.diff(rows.values, prepend=-1) < 0
    starts = rows.offsets[:-1]
    falls[starts[starts < len(falls)]] = False
    if not falls.any():
        return rows
    unsorted = np.unique(np.searchsorted(rows.offsets, np.flatnonzero(falls), "right") - 1)
    offsets, places = gather_rows(rows.offsets, unsorted)
    width = int(rows.values.max(initial=0)) + 1
    first = np.repeat(np.arange(len(unsorted)) * width, np.diff(offsets))
    values = rows.values.copy()
    values[places] = np.sort(first + values[places]) - first
    return Rows(rows.offsets, values)
