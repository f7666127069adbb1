"""The tuning loop: decode the tuning set, add to the evidence, update the weights, repeat.

    result = tune(model, DevSet(source, references), Mira(), TuneOptions(rounds=8))

The results of every round are stored in the working folder, so that the same call resumes an
interrupted run and ends with the same weights.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from demotic.features.weights import Weights
from demotic.learn.dev_set import DevSet
from demotic.learn.journal import Journal, Round, key_of
from demotic.learn.kind import EvidenceKind, Found, Updater
from demotic.learn.low_score import refuse_low_score
from demotic.learn.options import TuneOptions
from demotic.learn.search_aware import CandidateListKind
from demotic.learn.tuning_metric import TuningBleu
from demotic.metrics.bleu import BleuOptions
from demotic.search.options import SearchOptions
from demotic.steps import file_digest

if TYPE_CHECKING:
    from demotic.model import Model
    from demotic.search.decoder import Decoder, Progress

__all__ = ["Report", "TuneProgress", "TuneResult", "Tuning", "tune"]

Report = Callable[[Round], None]
TuneProgress = Callable[[str, int, int], None]
"""Called with the current activity, the amount done, and the total (0 if unknown)."""
Values = NDArray[np.float64]


@dataclass(frozen=True)
class TuneResult:
    """The weights that were kept, and every round."""

    weights: Weights
    score: float
    """BLEU on the tuning set, decoded with these weights, 0 to 100."""
    rounds: tuple[Round, ...]
    signature: str

    @property
    def curve(self) -> list[float]:
        """BLEU on the tuning set: before tuning, and after each round."""
        last = self.rounds[-1].next_score
        scores = [one.score for one in self.rounds]
        return scores if last is None else [*scores, last]

    @property
    def stop(self) -> str:
        """Why it ended before the maximum number of rounds; empty if it did not."""
        return self.rounds[-1].stop

    @property
    def kept(self) -> int:
        """The number of the round after which the kept weights were learnt."""
        curve = self.curve
        return max((i for i, score in enumerate(curve) if score == self.score), default=len(curve))

    @property
    def seconds(self) -> float:
        return sum(one.seconds for one in self.rounds)


def tune(
    model: Model,
    dev: DevSet,
    learner: Updater[Any],
    options: TuneOptions | None = None,
    *,
    kind: EvidenceKind[Any] | None = None,
    search: SearchOptions | None = None,
    folder: Path | None = None,
    threads: int = 1,
    report: Report | None = None,
) -> TuneResult:
    """Tunes the weights of a model; the model itself is not changed."""
    options = options or TuneOptions()
    tuning = Tuning(model, dev, learner, options, kind or CandidateListKind(), search)
    return tuning.run(folder, threads, report)


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
    ) -> None:
        self.model = model
        self.dev = dev if options.max_words is None else dev.up_to(options.max_words)
        scored = BleuOptions(tokenize="none", reference_length=options.ref_length)
        self.metric = TuningBleu(self.dev.references, scored)
        self.learner = learner
        self.options = options
        self.kind = kind
        self.search = search or SearchOptions.for_model(model)
        self._progress: TuneProgress | None = None

    @property
    def key(self) -> str:
        """Identifies what determines the result; rounds of another run are not continued."""
        parts = self.model.info.parts
        return key_of(
            {
                "options": asdict(replace(self.options, min_bleu=0.0)),
                "learner": repr(self.learner),
                "kind": type(self.kind).__name__,
                "search": asdict(self.search),
                "model": {name: one.digest for name, one in self.model.info.files.items()},
                "parts": [file_digest(self.model.part(name)) for name in parts.small[1:]],
                "weights": dict(self.model.weights),
                "dev": self.dev.digest,
                "metric": self.metric.signature,
            }
        )

    def run(
        self,
        folder: Path | None,
        threads: int,
        report: Report | None,
        progress: TuneProgress | None = None,
    ) -> TuneResult:
        """Resumes from what `folder` holds; `report` is called only for new rounds."""
        self._progress = progress
        journal = Journal(folder, self.key)
        rounds = journal.rounds
        if not rounds or rounds[-1].next_score is None:
            evidence = self._known(journal, threads)
            while not rounds or (len(rounds) < self.options.rounds and not rounds[-1].stop):
                evidence = self._round(journal, evidence, threads)
                if report:
                    report(rounds[-1])
            # The weights of the last round are evaluated too.
            score = self._score(rounds[-1].next_weights, threads)
            journal.finish(replace(rounds[-1], next_score=score))
        return self._result(rounds)

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
        weights = journal.rounds[-1].next_weights if journal.rounds else self.model.weights.array
        found = self._search(weights, threads, f"round {number}")
        if number == 1:
            refuse_low_score(100 * found.score, self.options.min_bleu, self.model, self.dev)
        joined = self._joined(known, found.evidence)
        self._tell(f"round {number}: updating the weights", 0, 0)
        learnt = self.learner.update(
            weights,
            joined,
            self.metric,
            seed=self.options.seed,
            round_number=number,
            threads=threads,
        )
        change = float(np.abs(_unit(learnt.weights) - _unit(weights)).max())
        done = Round(
            number=number,
            weights=weights,
            score=100 * found.score,
            next_weights=learnt.weights,
            size=self.kind.size(joined),
            evidence_score=100 * float(learnt.report["score"]),  # type: ignore[arg-type]
            change=change,
            seconds=time.perf_counter() - started,
            stop=self._stop(
                refused=learnt.refused,
                new=joined is not known,
                change=change,
                scores=[*(one.score for one in journal.rounds), 100 * found.score],
            ),
        )
        journal.add(done, self.kind.arrays(found.evidence))
        return joined

    def _search(self, weights: Values, threads: int, label: str) -> Found[Any]:
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
        since = len(scores) - 1 - scores.index(max(scores))
        patience = self.options.patience if self.options.keep == "best" else 0
        return 0 < patience <= since

    def _decoder(self, weights: Values) -> Decoder:
        return self.model.decoder(self.search, weights=Weights(self.model.weights.index, weights))

    def _score(self, weights: Values, threads: int) -> float:
        progress = self._named("scoring the tuning set")
        found = self._decoder(weights).translate(
            self.dev.source, threads=threads, progress=progress
        )
        texts = found.text
        rows = self.metric.statistics(texts, np.arange(len(texts)), threads=threads)
        return 100 * self.metric.corpus_score(rows.sum(axis=0, dtype=np.float64))

    def _result(self, rounds: list[Round]) -> TuneResult:
        last = rounds[-1]
        tried = [(one.score, one.weights) for one in rounds]
        tried.append((last.next_score or 0.0, last.next_weights))
        # Of equal scores the latest, which has seen more evidence.
        best = max(reversed(tried), key=lambda one: one[0])
        score, kept = best if self.options.keep == "best" else tried[-1]
        weights = Weights(self.model.weights.index, kept)
        return TuneResult(weights, score, tuple(rounds), self.metric.signature)


def _unit(weights: Values) -> Values:
    norm = float(np.abs(weights).sum())
    return weights / norm if norm > 0 else weights
