"""The tuning loop: search the tuning set, add to the evidence, update the weights, again.

    result = tune(model, source, references, Mira(), TuneOptions())

Everything that a round leaves is a file in the working folder, so that the same call goes on where
it was stopped and ends with the same weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from demotic.errors import Error
from demotic.learn.evidence import Pool
from demotic.learn.journal import Journal, Round
from demotic.learn.learner import Learner
from demotic.learn.merge import merge
from demotic.learn.searched import Gain, searched
from demotic.learn.tuning_metric import TuningBleu
from demotic.options import Options, option
from demotic.weights import Weights

if TYPE_CHECKING:
    from demotic.metrics import References
    from demotic.model import Model
    from demotic.search import SearchOptions

__all__ = ["TuneOptions", "TuneResult", "tune"]

Report = Callable[[Round], None]


@dataclass(frozen=True, kw_only=True)
class TuneOptions(Options):
    """How long and on what."""

    rounds: int = option(12, "searches of the tuning set at most", minimum=1)
    nbest: int = option(100, "candidates of a sentence in a round", minimum=2)
    search_aware: Gain = option(
        "none", "learn from every bin of the search, by what hypotheses say or may become (phrases)"
    )
    pool_limit: int = option(
        2000, "candidates that a list keeps over the rounds, the newest", minimum=2
    )
    min_change: float = option(1e-5, "stop when no weight of unit L1 norm moves by more", minimum=0)
    keep: str = option("best", "the weights with the best score in the search, or the last")
    seed: int = option(1, "start of the random numbers", minimum=0)


@dataclass(frozen=True)
class TuneResult:
    """The weights that were kept, and every round."""

    weights: Weights
    score: float
    """BLEU of the tuning set by search, 0 to 100."""
    rounds: tuple[Round, ...]
    signature: str


def tune(
    model: Model,
    source: Sequence[str],
    references: References,
    learner: Learner,
    options: TuneOptions | None = None,
    *,
    search: SearchOptions | None = None,
    weights: Weights | None = None,
    folder: Path | None = None,
    threads: int = 1,
    report: Report | None = None,
) -> TuneResult:
    """Tunes the weights of a model on tokenised sentences; the model itself does not change."""
    loop = _Loop(
        model, list(source), references, learner, options or TuneOptions(), search, threads
    )
    return loop.run(weights or model.weights, Journal(folder), report)


class _Loop:
    def __init__(
        self,
        model: Model,
        source: list[str],
        references: References,
        learner: Learner,
        options: TuneOptions,
        search: SearchOptions | None,
        threads: int,
    ) -> None:
        if len(source) != len(references):
            raise Error(
                f"{len(source)} sentences, but {len(references)} references",
                expected="as many lines in all files",
            )
        if not source:
            raise Error("no sentences to tune on", expected="a tuning set of some hundred")
        self.model = model
        self.source = source
        self.metric = TuningBleu(references)
        self.learner = learner
        self.options = options
        self.search = search
        self.threads = threads

    def run(self, start: Weights, journal: Journal, report: Report | None) -> TuneResult:
        rounds, pool = journal.begin(self._settings(start))
        weights = rounds[-1].next_weights if rounds else start.array
        while len(rounds) < self.options.rounds and not (rounds and rounds[-1].stopped):
            done, pool = self._round(len(rounds) + 1, start, weights, pool)
            rounds.append(done)
            journal.add(done, pool)
            if report:
                report(done)
            weights = done.next_weights
        if rounds[-1].next_score is None:  # the weights that the last round gave are searched too
            rounds[-1] = replace(rounds[-1], next_score=self._score(start, weights))
            journal.finish(rounds[-1])
        return self._result(start, rounds)

    def _round(
        self, number: int, start: Weights, weights: NDArray[np.float64], pool: Pool | None
    ) -> tuple[Round, Pool]:
        options = self.options
        found = searched(
            self.model.decoder(self.search, weights=Weights(start.index, weights)),
            self.source,
            self.metric,
            gain=options.search_aware,
            k=options.nbest,
            threads=self.threads,
        )
        before = 0 if pool is None else pool.candidates
        pools = [found.pool] if pool is None else [pool, found.pool]
        pool = merge(pools, limit=options.pool_limit)
        learnt = self.learner.update(
            weights,
            pool,
            self.metric,
            seed=options.seed,
            round_number=number,
            threads=self.threads,
        )
        change = float(np.abs(_unit(learnt.weights) - _unit(weights)).max())
        stopped = learnt.refused or change < options.min_change or pool.candidates == before
        done = Round(
            number=number,
            weights=weights,
            score=100 * found.score,
            next_weights=learnt.weights,
            pool_candidates=pool.candidates,
            pool_score=100 * float(learnt.report["score"]),  # type: ignore[arg-type]
            change=change,
            refused=learnt.refused,
            stopped=stopped,
        )
        return done, pool

    def _score(self, start: Weights, weights: NDArray[np.float64]) -> float:
        decoder = self.model.decoder(self.search, weights=Weights(start.index, weights))
        texts = decoder.translate(self.source, threads=self.threads).text
        rows = self.metric.statistics(texts, np.arange(len(texts)), threads=self.threads)
        return 100 * self.metric.corpus_score(rows.sum(axis=0, dtype=np.float64))

    def _result(self, start: Weights, rounds: list[Round]) -> TuneResult:
        last = rounds[-1]
        tried = [(one.score, one.weights) for one in rounds]
        tried.append((last.next_score or 0.0, last.next_weights))
        # Of equal ones the latest: it has seen more.
        score, kept = max(reversed(tried), key=lambda one: one[0])
        if self.options.keep == "last":
            score, kept = tried[-1]
        weights = Weights(start.index, kept)
        return TuneResult(weights, score, tuple(rounds), self.metric.signature)

    def _settings(self, start: Weights) -> dict[str, object]:
        """What decides the result; another journal than one of these is not continued."""
        options = asdict(self.options)
        del options["rounds"]
        return {
            "options": options,
            "learner": [type(self.learner).__name__, repr(self.learner)],
            "search": repr(self.search or dict(self.model.settings)),
            "model": {name: one.digest for name, one in self.model.info.files.items()},
            "weights": start.array.tolist(),
            "source": self.source,
            "metric": self.metric.signature,
        }


def _unit(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    norm = float(np.abs(weights).sum())
    return weights / norm if norm > 0 else weights
