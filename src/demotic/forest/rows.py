"""Rows of different lengths in flat read-only arrays; the Python side of `base/csr.h`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

__all__ = ["FeatureRows", "Rows", "make_readonly", "readonly_array"]


def readonly_array(values: ArrayLike, dtype: DTypeLike) -> NDArray[Any]:
    """A read-only flat array of exactly this type; copied if others could write to it."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"expected an array of one dimension, got {array.ndim}")
    if array.dtype == dtype and array.flags.c_contiguous and not array.flags.writeable:
        return array
    copy = np.array(array, dtype=dtype, order="C")
    if copy.dtype.kind == "i" and not np.array_equal(copy, array):
        raise ValueError(f"a number that does not fit into {copy.dtype}")
    copy.flags.writeable = False
    return copy


def make_readonly(*arrays: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Makes arrays that nobody else holds read-only in place."""
    for array in arrays:
        array.flags.writeable = False
    return arrays


def row_bounds(offsets: NDArray[np.int64], row: int) -> tuple[int, int]:
    """Begin and end of a row; raises IndexError."""
    size = len(offsets) - 1
    place = row + size if row < 0 else row
    if not 0 <= place < size:
        raise IndexError(f"no row {row}: there are {size}")
    return int(offsets[place]), int(offsets[place + 1])


@dataclass(frozen=True, eq=False, repr=False)
class Rows:
    """Row i is values[offsets[i] : offsets[i + 1]]."""

    offsets: NDArray[np.int64]
    values: NDArray[np.int32]

    def __post_init__(self) -> None:
        object.__setattr__(self, "offsets", readonly_array(self.offsets, np.int64))
        object.__setattr__(self, "values", readonly_array(self.values, np.int32))

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> Rows:
        flat = np.array([value for row in rows for value in row], dtype=np.int32)
        return cls(offsets_of(map(len, rows)), flat)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> NDArray[np.int32]:
        begin, end = row_bounds(self.offsets, row)
        return self.values[begin:end]

    def __iter__(self) -> Iterator[NDArray[np.int32]]:
        return (self[row] for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Rows)
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.values, other.values)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Rows({len(self):,} rows, {len(self.values):,} values)"

    def take(self, rows: NDArray[np.integer[Any]]) -> Rows:
        """The given rows, in this order."""
        offsets, places = gather_rows(self.offsets, rows)
        return Rows(offsets, self.values[places])


@dataclass(frozen=True, eq=False, repr=False)
class FeatureRows:
    """Sparse feature vectors: in every row, ascending ids with their values."""

    offsets: NDArray[np.int64]
    ids: NDArray[np.int32]
    values: NDArray[np.float64]

    def __post_init__(self) -> None:
        object.__setattr__(self, "offsets", readonly_array(self.offsets, np.int64))
        object.__setattr__(self, "ids", readonly_array(self.ids, np.int32))
        object.__setattr__(self, "values", readonly_array(self.values, np.float64))

    @classmethod
    def of(cls, rows: Sequence[dict[int, float]]) -> FeatureRows:
        """From dictionaries of values by id, in any order."""
        flat = [item for row in rows for item in sorted(row.items())]
        ids = np.array([id_ for id_, _ in flat], dtype=np.int32)
        values = np.array([value for _, value in flat], dtype=np.float64)
        return cls(offsets_of(map(len, rows)), ids, values)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> dict[int, float]:
        begin, end = row_bounds(self.offsets, row)
        return dict(zip(self.ids[begin:end].tolist(), self.values[begin:end].tolist(), strict=True))

    def __iter__(self) -> Iterator[dict[int, float]]:
        return (self[row] for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, FeatureRows)
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.ids, other.ids)
            and np.array_equal(self.values, other.values)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"FeatureRows({len(self):,} rows, {len(self.ids):,} values)"

    def take(self, rows: NDArray[np.integer[Any]]) -> FeatureRows:
        """The given rows, in this order."""
        offsets, places = gather_rows(self.offsets, rows)
        return FeatureRows(offsets, self.ids[places], self.values[places])


def offsets_of(lengths: Iterable[int]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum([*lengths], dtype=np.int64)))


def gather_rows(
    offsets: NDArray[np.int64], rows: NDArray[np.integer[Any]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The offsets of concatenated rows, and the former positions of their values."""
    lengths = np.diff(offsets)[rows]
    new = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
    return new, np.arange(new[-1]) + np.repeat(offsets[:-1][rows] - new[:-1], lengths)
