"""The weights that a tuning run changes: the dense ones of a model, or also each sparse one.

Weights are one array: the dense weights in the order of the model, then the sparse weights by their
id among the features seen so far.  When sparse weights are tuned, the dense feature `sparse`, which
is their sum, has the weight 1: its former weight is multiplied into them.  Learners do not see it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.errors import Error
from demotic.features.feature_set import FeatureSet
from demotic.features.weights import Weights
from demotic.learn.edge_parts import SUM
from demotic.learn.seen_features import SeenFeatures
from demotic.search.kinds import decoder_with, native_model

if TYPE_CHECKING:
    from demotic.learn.kind import EvidenceKind
    from demotic.model import Model
    from demotic.search.decoder import Decoder
    from demotic.search.options import SearchOptions

__all__ = [
    "SparseArrays",
    "SparseResult",
    "SparseTunedWeights",
    "TunedWeights",
    "refuse_sparse",
    "tuned_weights",
]

Values = NDArray[np.float64]
SparseArrays = tuple[NDArray[np.uint64], NDArray[np.float32]]
"""Keys and weights of sparse features."""


@dataclass(frozen=True)
class SparseResult:
    """Tuned sparse weights, with those of the model that the tuning set has no features of."""

    features: FeatureSet
    keys: NDArray[np.uint64]
    values: NDArray[np.float32]
    seen: int
    """Number of features of the candidates, whose weights were tuned."""
    active: int
    """How many of them have a weight that is not 0."""

    def write(self, path: Path) -> Path:
        layout = self.features.native.layout
        _core.store_weights(str(path), self.keys, self.values, layout)
        return path


class TunedWeights:
    """Dense weights alone."""

    seen: SeenFeatures | None = None

    def __init__(self, model: Model) -> None:
        self._model = model
        self.start = model.weights
        """Before tuning."""

    @property
    def dense(self) -> int:
        """The number of dense weights."""
        return len(self.start)

    @property
    def digest(self) -> str:
        """Identifies features that the model does not have."""
        return ""

    def extended(self, weights: Values) -> Values:
        """With the initial weights of features that were seen since."""
        return weights

    def for_learner(self, weights: Values) -> Values:
        """Those that a learner changes."""
        return weights

    def from_learner(self, weights: Values) -> Values:
        """The inverse, in the precision of the search."""
        return weights

    def decoder(self, weights: Values, search: SearchOptions) -> Decoder:
        return self._model.decoder(search, weights=self.dense_part(weights))

    def sparse_arrays(self, weights: Values) -> SparseArrays | None:
        """Keys and weights of all sparse features that a decoder has; None if only the model's."""
        return None

    def dense_part(self, weights: Values) -> Weights:
        return Weights(self.start.index, weights[: self.dense])

    def sparse_part(self, weights: Values) -> SparseResult | None:
        return None

    def restore(self, keys: NDArray[np.uint64]) -> None:
        """Numbers the features that a round of an earlier run saw first."""


class SparseTunedWeights(TunedWeights):
    """Dense weights, and every sparse weight."""

    def __init__(self, model: Model, features: FeatureSet | None = None) -> None:
        """`features` are for a model without sparse ones; their weights start at 0."""
        super().__init__(model)
        if features is None:
            assert model.sparse is not None
            features = FeatureSet.of_part(model.sparse)
        self._features = features
        self._common = model.weights.get(SUM, 0.0)
        self.start = Weights.of({**model.weights, SUM: 1.0})
        self.seen: SeenFeatures = SeenFeatures(features)

    @property
    def digest(self) -> str:
        return self._features.digest

    @cached_property
    def _base(self) -> tuple[NDArray[np.uint64], NDArray[np.float32]]:
        """Keys in order and weights before tuning."""
        if self._model.sparse is None:
            return np.zeros(0, np.uint64), np.zeros(0, np.float32)
        keys, weights = self._model.sparse.weights.arrays()
        return keys, (self._common * weights.astype(np.float64)).astype(np.float32)

    def extended(self, weights: Values) -> Values:
        keys, values = self._base
        new = self.seen.keys[len(weights) - self.dense :]
        places, found = _found(keys, new)
        more = np.zeros(len(new))
        more[found] = values[places[found]]
        return np.concatenate([weights, more])

    def for_learner(self, weights: Values) -> Values:
        return np.delete(weights, self.start.index[SUM])

    def from_learner(self, weights: Values) -> Values:
        complete = np.insert(weights, self.start.index[SUM], 1.0)
        with np.errstate(over="ignore"):
            complete[self.dense :] = complete[self.dense :].astype(np.float32)
        complete.flags.writeable = False
        return complete

    def sparse_arrays(self, weights: Values) -> SparseArrays:
        return self._all(weights)

    def decoder(self, weights: Values, search: SearchOptions) -> Decoder:
        table = _core.SparseTable(self._features.native.layout)
        table.add(*self._all(weights), 0)
        native = native_model(self._model, _core.Sparse(self._features.native, table))
        return decoder_with(self._model, native, search, self.dense_part(weights))

    def restore(self, keys: NDArray[np.uint64]) -> None:
        self.seen.add(np.array([0, len(keys)]), keys)

    def _all(self, weights: Values) -> SparseArrays:
        """Keys and weights of all features, without zeros."""
        keys, values = self._base
        tuned = weights[self.dense :].astype(np.float32)
        own = self.seen.keys[: len(tuned)]
        places, found = _found(keys, own)
        values = values.copy()
        values[places[found]] = tuned[found]
        keys, values = np.concatenate([keys, own[~found]]), np.concatenate([values, tuned[~found]])
        return keys[values != 0], values[values != 0]

    def sparse_part(self, weights: Values) -> SparseResult:
        keys, values = self._all(weights)
        tuned = weights[self.dense :]
        return SparseResult(self._features, keys, values, len(tuned), int(np.count_nonzero(tuned)))


def tuned_weights(
    model: Model,
    learner: object,
    kind: EvidenceKind[Any],
    *,
    sparse: bool,
    features: FeatureSet | None = None,
) -> TunedWeights:
    """The weights of a run; tells the kind of its evidence which sparse features to number."""
    if not sparse and features is None:
        return TunedWeights(model)
    refuse_sparse(model, learner, new=features is not None)
    weights = SparseTunedWeights(model, features)
    kind.seen = weights.seen
    return weights


def refuse_sparse(model: Model, learner: object, *, new: bool) -> None:
    """Refuses learners that tune only dense weights, and models with the wrong features.

    `new`: the model is to get sparse features, which it must not have already.
    """
    if not getattr(learner, "tunes_sparse", False):
        raise Error(
            f"{type(learner).__name__} cannot tune sparse weights, only dense ones",
            expected="mira, mert (few features), rm, rm-cp, pro, rampion, forest-mira, or a class "
            "of your own with tunes_sparse = True",
            advice="choose another --method, or omit --tune-sparse and --features",
        )
    if new and model.sparse is not None:
        raise Error(
            "new features for a model that has sparse features",
            path=str(model.path),
            expected="a model without them",
            advice="omit --features and give --tune-sparse, which tunes those of the model",
        )
    if not new and model.sparse is None:
        raise Error(
            "a model without sparse features to tune",
            path=str(model.path),
            expected="a model with sparse features, or templates of new ones",
            advice="give --features z14 or other templates, or train the model first",
        )


def _found(
    keys: NDArray[np.uint64], wanted: NDArray[np.uint64]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Where wanted keys would be among sorted ones, and whether they are there."""
    if len(keys) == 0:
        return np.zeros(len(wanted), np.intp), np.zeros(len(wanted), np.bool_)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return places, keys[places] == wanted
