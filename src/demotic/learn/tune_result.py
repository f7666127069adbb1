"""The result of tuning: which weights are kept, and every round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from demotic.learn.journal import Round
from demotic.learn.options import Keep, TuneOptions
from demotic.learn.tuned_weights import SparseResult, TunedWeights

if TYPE_CHECKING:
    from demotic.features.weights import Weights
    from demotic.metrics.metric import Metric

__all__ = ["TuneResult", "kept_result", "selection_score", "selection_score_of"]


@dataclass(frozen=True, kw_only=True)
class TuneResult:
    """The weights that were kept, and every round."""

    weights: Weights
    kept: int
    """The number of the round after which the kept weights were learnt; 0: the initial ones."""
    keep: Keep
    """Whether the best weights were kept, or the last."""
    fell_back: bool = False
    """The best are kept because the last, which would be, are not better than the initial ones."""
    rounds: tuple[Round, ...]
    metric: str
    """Its name."""
    signature: str
    higher_is_better: bool = True
    sparse: SparseResult | None = None
    """The tuned sparse weights, if each was tuned by itself."""

    @property
    def score(self) -> float:
        """The metric on the tuning set, decoded with the kept weights."""
        return self.curve[self.kept]

    @property
    def dev_score(self) -> float | None:
        """The metric on the dev set, decoded with the kept weights; None without a dev set."""
        return self.dev_curve[self.kept] if self.dev_curve else None

    @property
    def selection_score(self) -> float:
        """The score by which rounds and runs are compared: of the dev set, if there is one."""
        return self.score if self.dev_score is None else self.dev_score

    @property
    def curve(self) -> list[float]:
        """The metric on the tuning set: before tuning, and after each round."""
        last = self.rounds[-1].next_score
        scores = [one.score for one in self.rounds]
        return scores if last is None else [*scores, last]

    @property
    def dev_curve(self) -> list[float]:
        """The same on the dev set; empty without one."""
        last = self.rounds[-1]
        scores = [*(one.dev_score for one in self.rounds), last.next_dev_score]
        return [score for score in scores if score is not None]

    @property
    def stop(self) -> str:
        """Why it ended before the maximum number of rounds; empty if it did not."""
        return self.rounds[-1].stop

    @property
    def seconds(self) -> float:
        return sum(one.seconds for one in self.rounds)


def kept_result(
    rounds: Sequence[Round],
    metric: Metric,
    tuned: TunedWeights,
    options: TuneOptions,
    *,
    keep_was_given: bool,
) -> TuneResult:
    """Chooses the weights to keep: the best on the dev set or tuning set, or the last."""
    last = rounds[-1]
    scores = [*map(selection_score, rounds)]
    if last.next_score is not None:
        scores.append(selection_score_of(last.next_score, last.next_dev_score))
    best = max(scores) if metric.higher_is_better else min(scores)
    # Of equal scores the latest, which has seen more evidence.
    places = [i for i, score in enumerate(scores) if score == best]
    keep = options.keep or "best"
    # At tiny beams a run can end at a score near 0, which nobody wants to keep by default.
    useless = not metric.is_better(scores[-1], scores[0])
    fell_back = keep == "last" and useless and not keep_was_given
    keep = "best" if fell_back else keep
    kept = (places if keep == "best" else range(len(scores)))[-1]
    weights = rounds[kept].weights if kept < len(rounds) else last.next_weights
    return TuneResult(
        weights=tuned.dense_part(weights),
        kept=kept,
        keep=keep,
        fell_back=fell_back,
        rounds=tuple(rounds),
        metric=metric.name,
        signature=metric.signature,
        higher_is_better=metric.higher_is_better,
        sparse=tuned.sparse_part(weights),
    )


def selection_score(done: Round) -> float:
    return selection_score_of(done.score, done.dev_score)


def selection_score_of(score: float, dev_score: float | None) -> float:
    """The score by which rounds are compared: of the dev set, if there is one."""
    return score if dev_score is None else dev_score
