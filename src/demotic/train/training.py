"""Training on the bitext: search, compare with what is gold, fix the violation; epoch by epoch.

    training = Training(model, pairs, DevSet(source, references), TrainOptions(), features)
    result = training.run(folder)

The inner loop is native (`core/include/demotic/learn/trainer.h`).  This file goes through epochs,
scores the dev set after each, and leaves checkpoints, so that the same call goes on where it was
stopped and ends with the same weights.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.errors import Error
from demotic.learn.dev_set import DevSet
from demotic.learn.journal import key_of
from demotic.search.kinds import decoder_with, native_model
from demotic.search.options import SearchOptions
from demotic.train.checkpoint import Checkpoint, Checkpoints, Counts
from demotic.train.dev_score import DevScorer, Worth
from demotic.train.epochs import Curve, Epoch
from demotic.train.options import TrainOptions
from demotic.weights import FeatureIndex, Weights

if TYPE_CHECKING:
    from demotic.model import Model
    from demotic.search.decoder import Decoder
    from demotic.train.features import FeatureSet
    from demotic.train.pairs import TrainingPairs

__all__ = ["TrainResult", "Training"]

Values = NDArray[np.float64]
Advance = Callable[[int, int, str], None]
"""Called with sentences done, sentences in all, and a remark."""

Table = _core.SparseTable | None

SPARSE = "sparse"
_CHUNK = 960  # sentences of one native call, rounded to whole batches
_CHECKPOINT_SECONDS = 30.0
_SAMPLE = 960  # sentences that the scale of dense features is measured on


@dataclass(frozen=True)
class TrainResult:
    """The weights of the epoch that was kept, and the curve."""

    weights: Weights
    sparse: Path | None
    """File of the sparse weights that belong to them."""
    epochs: tuple[Epoch, ...]
    kept: Epoch
    signature: str


class Training:
    """One run, from the weights of a model to those of the epoch that is kept."""

    def __init__(
        self,
        model: Model,
        pairs: TrainingPairs,
        dev: DevSet,
        options: TrainOptions,
        features: FeatureSet | None,
        search: SearchOptions | None = None,
    ) -> None:
        self.model, self.pairs, self.options, self.features = model, pairs, options, features
        self.search = search or SearchOptions.for_model(model.settings)
        self.scorer = DevScorer(dev, options.ref_length)
        self.index = FeatureIndex(_names(model.weights, sparse=features is not None))

    @property
    def key(self) -> str:
        """Names what decides the result; another run is not continued."""
        return key_of(
            {
                "options": asdict(replace(self.options, epochs=1)),
                "search": asdict(self.search),
                "model": {name: one.digest for name, one in self.model.info.files.items()},
                "weights": dict(self.model.weights),
                "features": None if self.features is None else self.features.digest,
                "pairs": self.pairs.digest,
                "dev": self.scorer.dev.digest,
                "metric": self.scorer.metric.signature,
            }
        )

    def run(
        self,
        folder: Path,
        *,
        threads: int = 1,
        report: Callable[[Epoch], None] | None = None,
        advance: Advance | None = None,
    ) -> TrainResult:
        """Goes on with what `folder` has of it; `report` gets the new epochs alone."""
        curve = Curve(folder, self.key)
        checkpoints = Checkpoints(folder)
        state = checkpoints.load()
        curve.cut(state.epoch if state else 0)
        table = self._table(state, checkpoints)
        native = self._native_model(table)
        source = self.pairs.sentences(native)
        if state is None:
            rates = self._first_rates(native, table, source, threads)
            state = Checkpoint(0, 0, [], [], rates, 0)
        trainer = self._trainer(native, table, state.rates, self.options.rate, threads)
        if state.weights:
            trainer.restore(np.array(state.weights), np.array(state.sums), state.steps)
        while state.epoch < self.options.epochs and not self._enough(curve.epochs):
            self._epoch(trainer, table, source, state, checkpoints, advance)
            path = self._store(folder, trainer, table, state.epoch + 1)
            worth = self._worth(trainer, path, threads)
            epoch = self._record(state, worth, 0 if table is None else len(table))
            self._keep(folder, worth, curve, epoch)
            curve.add(epoch)
            state = _state(trainer, state, epoch=state.epoch + 1, position=0, counts=Counts())
            checkpoints.save(state, table)
            if report:
                report(epoch)
        return self._result(folder, curve)

    # What the parts of a run do.

    def _table(self, state: Checkpoint | None, checkpoints: Checkpoints) -> Table:
        if self.features is None:
            return None
        path = checkpoints.table_path(state) if state else None
        if path is not None:
            return _core.SparseTable.load(str(path))
        table = _core.SparseTable(self.features.native.layout)
        if self.model.sparse is not None and self.options.start == "model":
            keys, weights = self.model.sparse.weights.arrays()
            table.add(keys, weights, 0)
        return table

    def _trainer(
        self, native: Any, table: Table, rates: list[float], sparse_rate: float, threads: int
    ) -> Any:
        options = _core.TrainerOptions()
        options.violations = self.options.violations()
        options.batch = self.options.batch
        options.sum = self.options.combine == "sum"
        options.rates, options.sparse_rate, options.threads = rates, sparse_rate, threads
        hiero = isinstance(native, _core.HieroModel)
        make: Any = _core.HieroTrainer if hiero else _core.PhraseTrainer
        search = self.search.hiero() if hiero else self.search.phrase()
        return make(native, table, search, options, self._start)

    @property
    def _start(self) -> Values:
        start = np.ones(len(self.index))
        dense = len(self.model.weights.array)
        start[:dense] = self.model.weights.array if self.options.start == "model" else 0.0
        norm = float(np.abs(start[:dense]).sum())
        if self.options.start_norm is not None and norm > 0:
            start[:dense] *= self.options.start_norm / norm
        return start

    def _first_rates(
        self, native: Any, table: Table, source: _core.SourceSentences, threads: int
    ) -> list[float]:
        """The steps of dense weights; that of the sum of sparse features stays 1."""
        rates = np.full(len(self.index), self.options.dense_rate)
        if self.options.dense_scale == "rms":
            still = self._trainer(native, table, [0.0] * len(rates), 0.0, threads)
            counts = still.run(source, self.pairs.gold, self._order(0)[:_SAMPLE], None)
            squares = np.array(counts.squares) / max(1, counts.updates)
            rates = np.divide(rates, squares, out=np.zeros_like(rates), where=squares > 0)
        if SPARSE in self.index:
            rates[self.index[SPARSE]] = 0.0
        return [float(rate) for rate in rates]

    def _epoch(
        self,
        trainer: Any,
        table: Table,
        source: _core.SourceSentences,
        state: Checkpoint,
        checkpoints: Checkpoints,
        advance: Advance | None,
    ) -> None:
        order = self._order(state.epoch + 1)
        batch = self.options.batch
        chunk = max(1, _CHUNK // batch) * batch
        saved = time.monotonic()
        while state.position < len(order):
            started = time.monotonic()
            part = order[state.position : state.position + chunk]
            counts = trainer.run(source, self.pairs.gold, part, None)
            state.counts.add(counts, time.monotonic() - started)
            state.position += len(part)
            _refuse_not_finite(trainer)
            if advance:
                advance(state.position, len(order), _remark(state))
            if time.monotonic() - saved > _CHECKPOINT_SECONDS and state.position < len(order):
                checkpoints.save(_state(trainer, state), table)
                saved = time.monotonic()

    def _order(self, epoch: int) -> NDArray[np.int64]:
        rng = np.random.default_rng([self.options.seed, epoch])
        return rng.permutation(len(self.pairs)).astype(np.int64)

    # What weights are worth, and which are kept.

    def _store(self, folder: Path, trainer: Any, table: Table, number: int) -> Path | None:
        """The sparse weights as they would be kept."""
        if table is None:
            return None
        path = folder / f"kept-{number}.bin"
        _core.store_table(str(path), table, trainer.steps if self.options.average else 0)
        return path

    def _worth(self, trainer: Any, sparse: Path | None, threads: int) -> Worth:
        average = self.options.average
        weights = Weights(self.index, trainer.averaged if average else trainer.weights)
        stored = None if sparse is None else _core.StoredSparseWeights.open(str(sparse), False)
        native = self._native_model(stored)

        def make(chosen: Weights) -> Decoder:
            return decoder_with(self.model, native, self.search, chosen)

        if self.options.length_ratio is not None:
            return self.scorer.with_length(make, weights, self.options.length_ratio, threads)
        return self.scorer(make(weights), threads)

    def _record(self, state: Checkpoint, worth: Worth, features: int) -> Epoch:
        counts = state.counts
        return Epoch(
            number=state.epoch + 1,
            bleu=worth.bleu,
            length_ratio=worth.length_ratio,
            sentences=counts.sentences,
            updates=counts.updates,
            invalid=counts.invalid,
            without=counts.without,
            violation=counts.violation / max(1, counts.updates),
            features=features,
            seconds=counts.seconds,
        )

    def _keep(self, folder: Path, worth: Worth, curve: Curve, epoch: Epoch) -> None:
        best = not curve.epochs or epoch.bleu > curve.best.bleu
        kept = epoch.number if best or self.options.keep == "last" else curve.best.number
        if kept == epoch.number:
            worth.weights.write(folder / f"kept-{kept}.tsv")
        for old in folder.glob("kept-*"):
            if old.stem != f"kept-{kept}":
                old.unlink()

    def _enough(self, epochs: list[Epoch]) -> bool:
        if not epochs or self.options.patience == 0 or self.options.keep == "last":
            return False
        best = max(epochs, key=lambda one: one.bleu)
        return epochs[-1].number - best.number >= self.options.patience

    def _result(self, folder: Path, curve: Curve) -> TrainResult:
        kept = curve.best if self.options.keep == "best" else curve.epochs[-1]
        name = f"kept-{kept.number}"
        weights = Weights.read(folder / f"{name}.tsv").ordered(self.index)
        sparse = folder / f"{name}.bin" if self.features is not None else None
        return TrainResult(weights, sparse, tuple(curve.epochs), kept, self.scorer.metric.signature)

    def _native_model(self, weights: _core.SparseWeights | None) -> Any:
        if self.features is None or weights is None:
            return native_model(self.model)
        return native_model(self.model, _core.Sparse(self.features.native, weights))


def _state(trainer: Any, state: Checkpoint, **changed: Any) -> Checkpoint:
    return replace(
        state,
        weights=list(trainer.weights),
        sums=list(trainer.sums),
        steps=trainer.steps,
        **changed,
    )


def _refuse_not_finite(trainer: Any) -> None:
    weights = trainer.weights
    if not np.isfinite(weights).all() or float(np.abs(weights).max()) > 1e15:
        raise Error(
            "weights that are no longer finite",
            expected="an update that converges",
            advice="give a smaller --rate or --dense-rate; the last checkpoint is still there",
        )


def _names(weights: Weights, *, sparse: bool) -> list[str]:
    names = [name for name in weights if name != SPARSE]
    return [*names, SPARSE] if sparse else names


def _remark(state: Checkpoint) -> str:
    counts = state.counts
    chosen = max(1, counts.sentences - counts.without)
    violation = counts.violation / max(1, counts.updates)
    return f"violation {violation:.3g}, invalid {100 * counts.invalid / chosen:.1f} %"
