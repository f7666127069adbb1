"""The tuning loop: decode the tuning set, add to the evidence, update the weights, repeat.

    result = tune(model, DevSet(source, references), Mira(), TuneOptions(rounds=8), metric="ter")

The results of every round are stored in the working folder, so that the same call resumes an
interrupted run and ends with the same weights.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from demotic.errors import Error
from demotic.learn.dev_set import DevSet
from demotic.learn.journal import Journal, Round, key_of
from demotic.learn.kind import EvidenceKind, SearchedEvidence, Updater
from demotic.learn.learner import LearnerResult
from demotic.learn.low_score import refuse_low_score
from demotic.learn.methods import kind_for
from demotic.learn.options import TuneOptions
from demotic.learn.tune_result import (
    TuneResult,
    kept_result,
    selection_score,
    selection_score_of,
)
from demotic.learn.tuned_weights import tuned_weights
from demotic.metrics.bleu import Bleu, BleuOptions
from demotic.metrics.named import DEFAULT_METRIC, MakeMetric, MetricChoice, create_metric
from demotic.search.options import SearchOptions
from demotic.steps import file_digest

if TYPE_CHECKING:
    from demotic.features.feature_set import FeatureSet
    from demotic.learn.shared_decoding import SharedDecoding
    from demotic.metrics.metric import Metric
    from demotic.model import Model
    from demotic.search.decoder import Decoder, Progress
    from demotic.workers import Workers

__all__ = ["Report", "TuneProgress", "Tuning", "tune"]

Report = Callable[[Round], None]
TuneProgress = Callable[[str, int, int], None]
"""Called with the current activity, the amount done, and the total (0 if unknown)."""
Values = NDArray[np.float64]


def tune(
    model: Model,
    dev: DevSet,
    learner: Updater[Any],
    options: TuneOptions | None = None,
    *,
    search: SearchOptions | None = None,
    metric: str | MetricChoice | MakeMetric = DEFAULT_METRIC,
    folder: Path | None = None,
    threads: int = 1,
    report: Report | None = None,
) -> TuneResult:
    """Tunes the weights of a model; the model itself is not changed."""
    options = options or TuneOptions()
    kind = kind_for(type(learner))
    tuning = Tuning(model, dev, learner, options, kind, search, metric)
    return tuning.run(folder, threads, report)


class _Scored(NamedTuple):
    """A set of sentences to score, and the metric with its references."""

    name: str
    set: DevSet
    metric: Metric


class Tuning:
    """One run, from the weights of the model to the kept weights."""

    def __init__(
        self,
        model: Model,
        dev: DevSet,
        learner: Updater[Any],
        options: TuneOptions,
        kind: EvidenceKind[Any],
        search: SearchOptions | None = None,
        metric: str | MetricChoice | MakeMetric = DEFAULT_METRIC,
        features: FeatureSet | None = None,
    ) -> None:
        """`features` are new sparse features, whose weights are tuned with the others."""
        self.model = model
        self.weights = tuned_weights(
            model, learner, kind, sparse=bool(options.tune_sparse), features=features
        )
        self.dev = dev if options.max_words is None else dev.up_to(options.max_words)
        of_tokens = {"tokenize": "none", "reference_length": options.ref_length}
        self.metric = create_metric(metric, self.dev.references, of_tokens)
        self._held_out: _Scored | None = None
        if dev.held_out is not None:
            own = create_metric(metric, dev.held_out.references, of_tokens)
            self._held_out = _Scored("dev set", dev.held_out, own)
        if options.search_aware == "partial" and not self.metric.has_partial_statistics:
            raise Error(
                f"partial gains by {self.metric.name}, which is defined for whole sentences alone",
                expected="BLEU, or gains of what hypotheses may become",
                advice="give --search-aware potential, or --metric bleu or char-bleu",
            )
        if options.search_aware == "partial":
            self.metric = self.metric.with_fractional_lengths()
        self._metric_code = metric.digest if isinstance(metric, MetricChoice) else ""
        self.learner = learner
        self.learner_code = ""
        """Tells the code of a learner of the user's own from another version."""
        self._keep_was_given = options.keep is not None
        self.options = options.with_defaults(
            has_dev_set=dev.held_out is not None, keeps_last=getattr(learner, "keeps_last", False)
        )
        self.kind = kind
        self.search = search or SearchOptions.for_model(model)
        self._progress: TuneProgress | None = None
        self._features = features
        self._decoding: SharedDecoding | None = None

    @property
    def key(self) -> str:
        """Identifies what determines the result; rounds of another run are not continued."""
        parts = self.model.info.parts
        return key_of(
            {
                "options": asdict(replace(self.options, min_bleu=0.0)),
                "learner": [_described(self.learner), self.learner_code],
                "kind": type(self.kind).__name__,
                "search": asdict(self.search),
                "model": {name: one.digest for name, one in self.model.info.files.items()},
                "parts": [file_digest(self.model.part(name)) for name in parts.small[1:]],
                "weights": dict(self.model.weights),
                **({"features": self.weights.digest} if self.weights.digest else {}),
                "dev": self.dev.digest,
                **({"held out": self._held_out.set.digest} if self._held_out else {}),
                "metric": [self.metric.name, self.metric.signature, self._metric_code],
                **({"lengths": "fractional"} if self.options.search_aware == "partial" else {}),
            }
        )

    def run(
        self,
        folder: Path | None,
        threads: int,
        report: Report | None,
        progress: TuneProgress | None = None,
        workers: Workers | None = None,
    ) -> TuneResult:
        """Resumes from what `folder` holds; `report` is called only for new rounds.

        `workers` decode.
        """
        self._progress = progress
        if workers is None:
            return self._run(folder, threads, report)
        with workers.folder() as shared:
            self._decoding = self._shared_decoding(workers, shared)
            return self._run(folder, threads, report)

    def _run(self, folder: Path | None, threads: int, report: Report | None) -> TuneResult:
        journal = Journal(folder, self.key, self.weights)
        rounds = journal.rounds
        if not rounds or rounds[-1].next_score is None:
            evidence = self._known(journal, threads)
            while not rounds or (len(rounds) < self.options.rounds and not rounds[-1].stop):
                evidence = self._round(journal, evidence, threads)
                if report:
                    report(rounds[-1])
            # The weights of the last round are evaluated too.
            last = rounds[-1].next_weights
            score = self._score(last, threads)
            dev_score = self._dev_score(last, threads)
            journal.finish(replace(rounds[-1], next_score=score, next_dev_score=dev_score))
        return kept_result(
            rounds, self.metric, self.weights, self.options, keep_was_given=self._keep_was_given
        )

    def _known(self, journal: Journal, threads: int) -> Any:
        """The evidence of the rounds so far; None if there are none."""
        known = None
        for done in journal.rounds:
            kept = journal.evidence(done.number)
            if kept is None:
                new = self._search(done.weights, threads, f"round {done.number} again").evidence
            else:
                new = self.kind.restored(kept)
            known = self._joined(known, new)
        return known

    def _round(self, journal: Journal, known: Any, threads: int) -> Any:
        started = time.perf_counter()
        number = len(journal.rounds) + 1
        weights = journal.rounds[-1].next_weights if journal.rounds else self.weights.start.array
        found = self._search(weights, threads, f"round {number}")
        before = self.weights.extended(weights)
        scores = self.metric.as_score(found.score), self._dev_score(weights, threads)
        if number == 1:
            self._refuse_low_scores(weights, scores, threads)
        joined = self._joined(known, found.evidence)
        learnt = self._learnt(journal, self.weights.for_learner(before), joined, threads)
        after = self.weights.from_learner(learnt.weights)
        change = float(np.abs(_unit(after) - _unit(before)).max())
        done = Round(
            number=number,
            weights=weights,
            score=scores[0],
            dev_score=scores[1],
            next_weights=after,
            size=self.kind.size(joined),
            evidence_score=self.metric.as_score(float(learnt.report["score"])),  # type: ignore[arg-type]
            change=change,
            seconds=time.perf_counter() - started,
            stop=self._stop(
                refused=learnt.refused,
                new=joined is not known,
                change=change,
                scores=[*map(selection_score, journal.rounds), selection_score_of(*scores)],
            ),
        )
        journal.add(done, self.kind.arrays(found.evidence), learnt.state)
        return joined

    def _learnt(
        self, journal: Journal, weights: Values, evidence: Any, threads: int
    ) -> LearnerResult:
        number = len(journal.rounds) + 1
        self._tell(f"round {number}: updating the weights", 0, 0)
        more = {}
        if getattr(self.learner, "carries_state", False):
            more["state"] = journal.state
            if number > 1 and journal.state is None:
                raise Error(
                    f"the state of the learner after round {number - 1} is missing",
                    expected=f"state-{number - 1}.npz in the folder of the run",
                    advice="remove that folder to start again",
                )
        return self.learner.update(
            weights,
            evidence,
            self.metric,
            seed=self.options.seed,
            round_number=number,
            threads=threads,
            **more,
        )

    def _search(self, weights: Values, threads: int, label: str) -> SearchedEvidence[Any]:
        return self.kind.search(
            self._decoder(weights),
            self.dev.source,
            self.metric,
            self.options,
            threads,
            self._named(f"{label}: searching the tuning set"),
        )

    def _named(self, label: str) -> Progress:
        return lambda done, total: self._tell(label, done, total)

    def _tell(self, label: str, done: int, total: int) -> None:
        if self._progress:
            self._progress(label, done, total)

    def _joined(self, known: Any, new: Any) -> Any:
        return new if known is None else self.kind.joined(known, new, self.options)

    def _stop(self, *, refused: bool, new: bool, change: float, scores: list[float]) -> str:
        if refused:
            return "refused"
        if not new:
            return "nothing new"
        if change < self.options.min_change:
            return "nothing moved"
        return "flat" if self._flat(scores) else ""

    def _flat(self, scores: list[float]) -> bool:
        """Whether the last rounds did not improve on an earlier score."""
        best = max(scores) if self.metric.higher_is_better else min(scores)
        since = len(scores) - 1 - scores.index(best)
        return 0 < (self.options.patience or 0) <= since

    def _decoder(self, weights: Values) -> Decoder:
        decoder = self.weights.decoder(weights, self.search)
        if self._decoding is None:
            return decoder
        return self._decoding.decoder(decoder, self.weights.sparse_arrays(weights))

    def _shared_decoding(self, workers: Workers, folder: Path) -> SharedDecoding:
        """The decoders of workers for the sets of this run; `folder` is for their files."""
        from demotic.learn.shared_decoding import SharedDecoding, model_with

        texts = [self.dev.source, *([self._held_out.set.source] if self._held_out else [])]
        model = model_with(self.model, self._features, folder)
        return SharedDecoding(workers, model, self.search, texts, folder)

    def _score(self, weights: Values, threads: int, scored: _Scored | None = None) -> float:
        name, texts, metric = scored or _Scored("tuning set", self.dev, self.metric)
        progress = self._named(f"scoring the {name}")
        found = self._decoder(weights).texts(texts.source, threads=threads, progress=progress)
        rows = metric.statistics(found, threads=threads)
        sums = rows.sum(axis=0, dtype=np.float64)
        return metric.as_score(float(metric.objective(sums[None])[0]))

    def _dev_score(self, weights: Values, threads: int) -> float | None:
        return None if self._held_out is None else self._score(weights, threads, self._held_out)

    def _refuse_low_scores(
        self, weights: Values, scores: tuple[float, float | None], threads: int
    ) -> None:
        """Refuses a tuning set or dev set that the model hardly translates."""
        if self.options.min_bleu == 0:
            return
        sets = _Scored("tuning set", self.dev, self.metric), self._held_out
        for one, score in zip(sets, scores, strict=True):
            if one is not None and score is not None:
                bleu = self._bleu(weights, one, score, threads)
                refuse_low_score(bleu, self.options.min_bleu, self.model, one.set, one.name)

    def _bleu(self, weights: Values, scored: _Scored, score: float, threads: int) -> float:
        """The score, or if it is that of another metric, BLEU by one more search."""
        if isinstance(scored.metric, Bleu):
            return score
        bleu = Bleu(scored.set.references, BleuOptions(tokenize="none"))
        return self._score(weights, threads, scored._replace(metric=bleu))


def _described(learner: object) -> str:
    """The learner and its options; by its class alone if it does not say what they are."""
    cls = type(learner)
    return (
        f"{cls.__module__}.{cls.__qualname__}" if cls.__repr__ is object.__repr__ else repr(learner)
    )


def _unit(weights: Values) -> Values:
    norm = float(np.abs(weights).sum())
    return weights / norm if norm > 0 else weights
