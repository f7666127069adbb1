"""Training on the bitext: decode, compare with gold derivations, fix violations; by epochs.

    training = Training(model, parts, DevSet(source, references), TrainOptions(), features)
    result = training.run(folder)

The inner loop is native (`core/include/demotic/learn/trainer.h`).  This file iterates over epochs,
scores the dev set after each, and writes checkpoints, so that the same call resumes and ends with
the same weights.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.features.weights import FeatureIndex, Weights
from demotic.learn.dev_set import DevSet
from demotic.learn.journal import key_of
from demotic.search.kinds import decoder_with, native_model
from demotic.search.options import SearchOptions
from demotic.train.checkpoint import Checkpoint, Checkpoints, Counts
from demotic.train.dev_score import DevScore, DevScorer
from demotic.train.epochs import Curve, Epoch, LengthControl, best_epoch
from demotic.train.options import TrainOptions
from demotic.train.trainers import Trainers

if TYPE_CHECKING:
    from demotic.learn.shared_decoding import SharedDecoding
    from demotic.metrics.named import MetricChoice
    from demotic.model import Model
    from demotic.search.decoder import Decoder, Progress
    from demotic.train.features import FeatureSet
    from demotic.train.own_rule import RuleChoice
    from demotic.train.parts import Part
    from demotic.workers import Workers

__all__ = ["TrainResult", "Training"]

Values = NDArray[np.float64]
Table = _core.SparseTable | None
Advance = Callable[[int, int, int, str], None]
"""Called with the number of the epoch, sentences done, their total, and a remark."""

SPARSE = "sparse"
_BATCHES = 10  # consecutive batches of one part per native call
_CHECKPOINT_SECONDS = 30.0
_SAMPLE = 960  # sentences used to measure the scale of dense features


@dataclass(frozen=True)
class TrainResult:
    """The weights of the epoch that was kept, and the learning curve."""

    weights: Weights
    sparse: Path | None
    """File of the corresponding sparse weights."""
    epochs: tuple[Epoch, ...]
    kept: Epoch
    """One of `epochs`, or `start` if none of them was better."""
    metric: str
    """Its name."""
    signature: str
    higher_is_better: bool = True
    start: Epoch | None = None
    """The given model, if it was scored: epoch 0."""
    stop: str = ""
    """`flat` if the score had not improved for some epochs; empty if the maximum was reached."""

    @property
    def helped(self) -> bool:
        """Whether an epoch other than the start was kept."""
        return self.kept.number > 0


class Training:
    """One run, from the weights of a model to those of the kept epoch."""

    def __init__(
        self,
        model: Model,
        parts: Sequence[Part],
        dev: DevSet,
        options: TrainOptions,
        features: FeatureSet | None,
        search: SearchOptions | None = None,
        *,
        start: Epoch | None = None,
        metric: MetricChoice | None = None,
        rule: RuleChoice | None = None,
    ) -> None:
        self.model, self.parts, self.options, self.features = model, parts, options, features
        self.search = search or SearchOptions.for_model(model)
        self.start, self.rule = start, rule
        self._decoding: SharedDecoding | None = None
        self._workers: tuple[Workers, Path] | None = None  # and a folder for their files
        self.scorer = DevScorer(dev, options.ref_length, metric)
        self._metric_code = metric.digest if metric else ""
        names = [name for name in model.weights if name != SPARSE]
        self.index = FeatureIndex([*names, SPARSE] if features is not None else names)

    @property
    def key(self) -> str:
        """Identifies what determines the result; another run is not continued."""
        return key_of(
            {
                "options": asdict(replace(self.options, epochs=1, min_bleu=0.0)),
                "search": asdict(self.search),
                "model": {name: one.digest for name, one in self.model.info.files.items()},
                "weights": dict(self.model.weights),
                "features": None if self.features is None else self.features.digest,
                "bitext": self.parts[0].pairs.bitext.digest,
                "dev": self.scorer.dev.digest,
                "rule": _described(self.rule),
                "metric": [
                    self.scorer.metric.name,
                    self.scorer.metric.signature,
                    self._metric_code,
                ],
            }
        )

    def run(
        self,
        folder: Path,
        *,
        threads: int = 1,
        report: Callable[[Epoch], None] | None = None,
        advance: Advance | None = None,
        scoring: Progress | None = None,
        workers: Workers | None = None,
    ) -> TrainResult:
        """Resumes from what `folder` holds; `report` is called only for new epochs.

        `workers` search, which does not affect the result.
        """
        if workers is None:
            self._workers = self._decoding = None
            return self._run(folder, threads, report, advance, scoring)
        with workers.folder() as shared:
            self._workers = workers, shared
            self._decoding = self._share(workers, shared)
            return self._run(folder, threads, report, advance, scoring)

    def _share(self, workers: Workers, folder: Path) -> SharedDecoding:
        """The decoders of workers for the dev set."""
        from demotic.learn.shared_decoding import SharedDecoding, model_with

        model = model_with(self.model, self.features, folder)
        return SharedDecoding(workers, model, self.search, [self.scorer.dev.source], folder)

    def _run(
        self,
        folder: Path,
        threads: int,
        report: Callable[[Epoch], None] | None,
        advance: Advance | None,
        scoring: Progress | None,
    ) -> TrainResult:
        higher = self.scorer.metric.higher_is_better
        curve = Curve(folder, self.key, higher_is_better=higher)
        checkpoints = Checkpoints(folder)
        state = checkpoints.load()
        curve.cut(state.epoch if state else 0)
        table = self._table(state, checkpoints)
        state = state or self._first(table, threads)
        trainers = self._trainers(table, state.rates, self.options.rate, threads)
        trainers.restore(state)
        while state.epoch < self.options.epochs and not self._enough(curve.epochs):
            self._epoch(trainers, state, checkpoints, advance)
            scored, length = self._dev_score(folder, trainers, state.epoch + 1, threads, scoring)
            features = 0 if table is None else len(table)
            epoch = self._record(state, scored, features, length)
            self._keep(folder, scored, curve, epoch)
            curve.add(epoch)
            state = trainers.state(state, epoch=state.epoch + 1, position=0, counts=Counts())
            checkpoints.save(state, table)
            if report:
                report(epoch)
        return self._result(folder, curve)

    # Initial state.

    def _table(self, state: Checkpoint | None, checkpoints: Checkpoints) -> Table:
        if self.features is None:
            return None
        path = checkpoints.table_path(state) if state else None
        if path is not None:
            return _core.SparseTable.load(str(path))
        table = _core.SparseTable(self.features.native.layout)
        known = self.model.sparse
        if known is not None and self.options.start == "model" and known.layout == table.layout:
            keys, weights = known.weights.arrays()
            # Their sum counts once here, whatever weight the model gives it.
            table.add(keys, weights * np.float32(self.model.weights[SPARSE]), 0)
        return table

    def _first(self, table: Table, threads: int) -> Checkpoint:
        nothing = [0.0] * len(self.index)
        state = Checkpoint(0, 0, list(self._start), nothing, nothing, 0)
        rates = np.full(len(self.index), self.options.dense_rate)
        if self.options.dense_scale == "rms":
            squares = self._mean_squares(table, state, threads)
            rates = np.divide(rates, squares, out=np.zeros_like(rates), where=squares > 0)
        if SPARSE in self.index:
            rates[self.index[SPARSE]] = 0.0  # the sum of sparse features counts once
        state.rates = [float(rate) for rate in rates]
        return state

    @property
    def _start(self) -> Values:
        start = np.ones(len(self.index))
        for name, place in ((name, self.index[name]) for name in self.index if name != SPARSE):
            start[place] = self.model.weights[name] if self.options.start == "model" else 0.0
        norm = float(np.abs(start).sum()) - (SPARSE in self.index)
        if self.options.start_norm is not None and norm > 0:
            start *= self.options.start_norm / norm
        if SPARSE in self.index:
            start[self.index[SPARSE]] = 1.0
        return start

    def _mean_squares(self, table: Table, state: Checkpoint, threads: int) -> Values:
        """Mean squares of dense features in updates, at the initial weights."""
        still = self._trainers(table, state.rates, 0.0, threads)
        still.restore(state)
        order = np.arange(min(_SAMPLE, len(self.parts[0].pairs)), dtype=np.int64)
        counts = still.run(0, order)
        return np.array(counts.squares) / max(1, counts.updates)

    def _trainers(
        self, table: Table, rates: Sequence[float], sparse_rate: float, threads: int
    ) -> Trainers:
        given = self.features, table, self.options, self.search
        more: dict[str, Any] = {"rates": rates, "sparse_rate": sparse_rate, "threads": threads}
        if self._workers is None:
            return Trainers(self.parts, *given, **more, rule=self.rule)
        from demotic.train.shared_trainers import SharedTrainers

        return SharedTrainers(*self._workers, self.parts, *given, **more, rule=self.rule)

    # One epoch.

    def _epoch(
        self,
        trainers: Trainers,
        state: Checkpoint,
        checkpoints: Checkpoints,
        advance: Advance | None,
    ) -> None:
        chunks = self._chunks(state.epoch + 1)
        total = sum(len(order) for _, order in chunks)
        saved = time.monotonic()
        for part, order in chunks[state.position :]:
            started = time.monotonic()
            counts = trainers.run(part, order)
            state.counts.add(counts, time.monotonic() - started)
            state.position += 1
            if advance:
                advance(state.epoch + 1, state.counts.sentences, total, _remark(state.counts))
            if time.monotonic() - saved > _CHECKPOINT_SECONDS and state.position < len(chunks):
                checkpoints.save(trainers.state(state), trainers.table)
                saved = time.monotonic()

    def _chunks(self, epoch: int) -> list[tuple[int, NDArray[np.int64]]]:
        """Whole batches of one part each, in a random order per epoch."""
        rng = np.random.default_rng([self.options.seed, epoch])
        size = _BATCHES * self.options.batch
        chunks = []
        for number, part in enumerate(self.parts):
            order = rng.permutation(len(part.pairs)).astype(np.int64)
            chunks += [(number, order[i : i + size]) for i in range(0, len(order), size)]
        return [chunks[i] for i in rng.permutation(len(chunks))]

    # Evaluation, and which weights are kept.

    def _dev_score(
        self,
        folder: Path,
        trainers: Trainers,
        number: int,
        threads: int,
        progress: Progress | None,
    ) -> tuple[DevScore, LengthControl | None]:
        """Of the current weights; training itself continues without the adjusted word penalty."""
        average = self.options.average
        weights = Weights(self.index, trainers.averaged if average else trainers.weights)
        native, sparse = self.model.native, None
        if self.features is not None and trainers.table is not None:
            path = str(folder / f"kept-{number}.bin")
            _core.store_table(path, trainers.table, trainers.steps if average else 0)
            stored = _core.StoredSparseWeights.open(path, False)
            native = native_model(self.model, _core.Sparse(self.features.native, stored))
            sparse = stored.arrays()

        def make(chosen: Weights) -> Decoder:
            decoder = decoder_with(self.model, native, self.search, chosen)
            return decoder if self._decoding is None else self._decoding.decoder(decoder, sparse)

        if self.options.balance and self.features is not None:
            scored = self.scorer.balanced(make, weights, threads, progress)
        else:
            scored = self.scorer(make(weights), threads, progress)
        wanted = self.options.dev_length
        return self.scorer.adjusted(make, scored, wanted, threads) if wanted else (scored, None)

    def _record(
        self, state: Checkpoint, scored: DevScore, features: int, length: LengthControl | None
    ) -> Epoch:
        counts = state.counts
        return Epoch(
            number=state.epoch + 1,
            score=scored.score,
            length_ratio=scored.length_ratio,
            sentences=counts.sentences,
            updates=counts.updates,
            invalid=counts.invalid,
            correct=counts.correct,
            unpaired=counts.unpaired,
            violation=counts.violation / max(1, counts.updates),
            features=features,
            seconds=counts.seconds,
            length=length,
        )

    def _keep(self, folder: Path, scored: DevScore, curve: Curve, epoch: Epoch) -> None:
        is_better = self.scorer.metric.is_better
        best = not curve.epochs or is_better(epoch.score, curve.best.score)
        kept = epoch.number if best or self.options.keep == "last" else curve.best.number
        if kept == epoch.number:
            scored.weights.write(folder / f"kept-{kept}.tsv")
        for old in folder.glob("kept-*"):
            if old.stem != f"kept-{kept}":
                old.unlink()

    def _enough(self, epochs: list[Epoch]) -> bool:
        if not epochs or self.options.patience == 0 or self.options.keep == "last":
            return False
        higher = self.scorer.metric.higher_is_better
        best = best_epoch(epochs, higher_is_better=higher)
        return epochs[-1].number - best.number >= self.options.patience

    def _result(self, folder: Path, curve: Curve) -> TrainResult:
        kept = curve.epochs[-1] if self.options.keep == "last" else curve.best
        name = f"kept-{kept.number}"
        weights = Weights.read(folder / f"{name}.tsv").ordered(self.index)
        sparse = folder / f"{name}.bin" if self.features is not None else None
        start = self.start if self.options.keep == "best" else None
        metric = self.scorer.metric
        if start is not None and not metric.is_better(kept.score, start.score):
            kept, weights, sparse = start, self.model.weights, None
        return TrainResult(
            weights,
            sparse,
            tuple(curve.epochs),
            kept,
            metric.name,
            metric.signature,
            metric.higher_is_better,
            self.start,
            "flat" if self._enough(curve.epochs) else "",
        )


def _described(rule: RuleChoice | None) -> object:
    return None if rule is None else [rule.name, dict(rule.options), rule.digest]


def _remark(counts: Counts) -> str:
    chosen = max(1, counts.sentences - counts.correct - counts.unpaired)
    violation = counts.violation / max(1, counts.updates)
    return f"violation {violation:.3g}, invalid {100 * counts.invalid / chosen:.1f} %"
