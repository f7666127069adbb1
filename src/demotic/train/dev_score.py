"""Evaluates weights on the dev set: metric and length of the decoded translations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from demotic.features.weights import Weights
from demotic.learn.dev_set import DevSet
from demotic.metrics.bleu import Bleu, BleuOptions
from demotic.metrics.named import MetricChoice
from demotic.search.decoder import Decoder, Progress
from demotic.train.epochs import LengthControl

if TYPE_CHECKING:
    from demotic.metrics.metric import Floats, Metric

__all__ = ["DevScore", "DevScorer"]

MakeDecoder = Callable[[Weights], Decoder]

WORD_PENALTY = "word_penalty"
_DOUBLINGS, _HALVINGS, _MAX_HALVINGS = 6, 6, 20
_CLOSE = 0.005  # length ratios that differ by less count as equal
_SHARES_OF_SPARSE = (1.0, 0.7, 0.5, 0.35, 0.25, 0.18, 0.12, 0.08, 0.05)


@dataclass(frozen=True)
class DevScore:
    """Weights, and BLEU and length ratio on the dev set with them."""

    weights: Weights
    score: float
    """Of the metric, as it is printed."""
    length_ratio: float
    bleu: float


class DevScorer:
    """Decodes the dev set."""

    def __init__(self, dev: DevSet, ref_length: str, metric: MetricChoice | None = None) -> None:
        self.dev = dev
        of_tokens = {"tokenize": "none", "reference_length": ref_length}
        self.metric = (metric or MetricChoice()).make(dev.references, of_tokens)
        if isinstance(self.metric, Bleu) and self.metric.counts_words:
            self._bleu = self.metric
        else:
            self._bleu = Bleu(dev.references, BleuOptions(**of_tokens))  # type: ignore[arg-type]

    def __call__(
        self, decoder: Decoder, threads: int, progress: Progress | None = None
    ) -> DevScore:
        texts = decoder.texts(self.dev.source, threads=threads, progress=progress)
        bleu, total = self._scored(self._bleu, texts, threads)
        reference = total[8] / self._bleu.length_scale
        ratio = float(total[4] / reference) if reference else 0.0
        same = self.metric is self._bleu
        score = bleu if same else self._scored(self.metric, texts, threads)[0]
        return DevScore(decoder.weights, score, ratio, bleu)

    @staticmethod
    def _scored(metric: Metric, texts: list[str], threads: int) -> tuple[float, Floats]:
        """The score of translations, and their summed statistics."""
        total = metric.statistics(texts, threads=threads).sum(axis=0, dtype=np.float64)
        return metric.as_score(float(metric.objective(total[None])[0])), total

    def best(self, tried: Sequence[DevScore]) -> DevScore:
        """The first of the best."""
        chosen = max if self.metric.higher_is_better else min
        return chosen(tried, key=lambda one: one.score)

    def balanced(
        self,
        make: MakeDecoder,
        weights: Weights,
        threads: int,
        progress: Progress | None = None,
    ) -> DevScore:
        """The best weight of the sum of sparse features, from a few values between 0 and 1.

        A perceptron stops at weights that separate its training data; how much they should count
        relative to the dense features is chosen here by one number.
        """
        tried = [
            self(make(weights.replace({"sparse": share})), threads, _pass(progress, i))
            for i, share in enumerate(_SHARES_OF_SPARSE)
        ]
        return self.best(tried)

    def adjusted(
        self, make: MakeDecoder, start: DevScore, ratio: float, threads: int
    ) -> tuple[DevScore, LengthControl]:
        """With the word penalty that gives the dev set a length, and how it was adjusted."""
        found = self.with_length(make, start, ratio, threads)
        control = LengthControl(
            wanted=ratio,
            ratio_before=start.length_ratio,
            penalty_before=start.weights[WORD_PENALTY],
            penalty=found.weights[WORD_PENALTY],
        )
        return found, control

    def with_length(
        self, make: MakeDecoder, start: DevScore, ratio: float, threads: int
    ) -> DevScore:
        """Adjusts the word penalty until the dev set has the length (Zhao et al. 2014, note 3).

        A higher weight of the penalty makes translations shorter.  The search starts with an
        interval around `start` that contains the length, and then bisects it.
        """
        name, weights = WORD_PENALTY, start.weights

        def tried(value: float) -> DevScore:
            return self(make(weights.replace({name: value})), threads)

        low = high = start
        step = 0.1 * (float(np.abs(weights.array).max()) or 1.0)
        for _ in range(_DOUBLINGS):
            if high.length_ratio > ratio:  # too long
                low, high = high, tried(high.weights[name] + step)
            elif low.length_ratio < ratio:  # too short
                low, high = tried(low.weights[name] - step), low
            step *= 2
        if low is high:
            return start
        seen = [low, high]

        def missed_by() -> float:
            return min(abs(one.length_ratio - ratio) for one in seen)

        # The first interval is too wide if one weight is far larger than the others.
        for i in range(_MAX_HALVINGS):
            if i >= _HALVINGS and missed_by() < _CLOSE:
                break
            middle = tried((low.weights[name] + high.weights[name]) / 2)
            seen.append(middle)
            if middle.length_ratio > ratio:
                low = middle
            else:
                high = middle
        return min(seen, key=lambda one: abs(one.length_ratio - ratio))


def _pass(progress: Progress | None, number: int) -> Progress | None:
    """Progress of one of the passes of `balanced`, counted over all of them."""
    if progress is None:
        return None
    passes = len(_SHARES_OF_SPARSE)
    return lambda done, total: progress(number * total + done, passes * total)
