"""The forest of a search, pruned, with what tuning needs of the search besides: plain values, so
that workers can send them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from demotic.features.weights import FeatureIndex
from demotic.forest import Forest
from demotic.forest.rows import FeatureRows, Rows
from demotic.lines import split_words

if TYPE_CHECKING:
    from demotic.search.record import SearchResult

__all__ = ["FoundForest"]

# Of a Forest.
_COLUMNS = "edge_offsets tail_offsets tails edge_rule edge_begin edge_end node_bin".split()


@dataclass(frozen=True, eq=False)
class FoundForest:
    """Its target words are places in `words`."""

    forest: Forest
    words: tuple[str, ...]
    covered: NDArray[np.int32]
    """Number of source words covered by every node."""
    best: str
    """The best translation of the search."""
    key_offsets: NDArray[np.int64]
    keys: NDArray[np.uint64]
    """Of the sparse features of each part of the forest, if they were recorded."""
    values: NDArray[np.float64]
    """One per key; empty if all are 1."""

    @classmethod
    def of(cls, result: SearchResult, density: float) -> FoundForest:
        """See `Forest.prune`."""
        forest = result.forest
        if not np.isinf(density):
            forest = forest.prune(result.edge_scores, density=density)
        target = forest.edge_target.values.copy()
        is_word = target >= 0
        ids, target[is_word] = np.unique(target[is_word], return_inverse=True)
        return cls(
            replace(forest, edge_target=Rows(forest.edge_target.offsets, target)),
            result.spelled(ids.tolist()),
            result.covered(forest),
            result.best.text,
            *result.part_keys,
            result.part_values,
        )

    def arrays(self) -> Iterator[tuple[str, NDArray[Any]]]:
        """Everything but the names of the features."""
        forest = self.forest
        for name in _COLUMNS:
            yield name, getattr(forest, name)
        yield "targets", forest.edge_target.offsets
        yield "symbols", forest.edge_target.values
        yield "features", forest.edge_features.offsets
        yield "feature_ids", forest.edge_features.ids
        yield "feature_values", forest.edge_features.values
        if forest.edge_parts is not None:
            yield "part_offsets", forest.edge_parts.offsets
            yield "parts", forest.edge_parts.values
        yield "words", _bytes_of(" ".join(self.words))
        yield "best", _bytes_of(self.best)
        yield "covered", self.covered
        yield "key_offsets", self.key_offsets
        yield "keys", self.keys
        yield "values", self.values

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]], names: FeatureIndex) -> FoundForest:
        parts = Rows(arrays["part_offsets"], arrays["parts"]) if "parts" in arrays else None
        forest = Forest(
            **{name: arrays[name] for name in _COLUMNS},
            edge_target=Rows(arrays["targets"], arrays["symbols"]),
            edge_features=FeatureRows(
                arrays["features"], arrays["feature_ids"], arrays["feature_values"]
            ),
            feature_names=names,
            edge_parts=parts,
        )
        return cls(
            forest,
            tuple(split_words(_text_of(arrays["words"]))),
            arrays["covered"],
            _text_of(arrays["best"]),
            arrays["key_offsets"],
            arrays["keys"],
            arrays["values"],
        )


def _bytes_of(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), np.uint8)


def _text_of(data: NDArray[np.uint8]) -> str:
    return data.tobytes().decode()
