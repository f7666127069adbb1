"""A learner of your own: a structured perceptron that moves towards the best candidate.

    demotic tune zh-en --src dev.zh --ref dev.en --method examples/own_learner.py:Perceptron \
        --option rate=0.1 -o tuned

python examples/own_learner.py checks that it keeps the contract of learners.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from demotic.learn import LearnerResult, Pool
from demotic.learn.learner import finite_or_kept
from demotic.metrics import Metric
from demotic.options import Options, option
from demotic.testing import Promises, check_learner


@dataclass(frozen=True, kw_only=True)
class Perceptron(Options):
    """Averaged perceptron: moves from the best candidate by score towards the best by gain."""

    rate: float = option(0.1, "step size", minimum=0)
    passes: int = option(20, "passes over the candidate lists", minimum=1)

    def update(
        self,
        weights: ArrayLike,
        pool: Pool,
        metric: Metric,
        *,
        seed: int = 1,
        round_number: int = 1,
        threads: int = 1,
    ) -> LearnerResult:
        """New weights from candidate lists; the same for any number of threads."""
        old = pool.checked(weights)  # refuses a wrong number of weights
        gains = metric.gain(pool.statistics)
        bounds = list(pairwise(pool.offsets))
        current, moved = old.copy(), np.zeros_like(old)
        dense = pool.dense.shape[1]  # the dense weights come first
        rng = np.random.default_rng([seed, round_number])
        with np.errstate(over="ignore", invalid="ignore"):  # finite_or_kept refuses such weights
            for _ in range(self.passes):
                for place in rng.permutation(len(bounds)):
                    begin, end = bounds[place]
                    if begin < end:
                        features, gain = pool.dense[begin:end], gains[begin:end]
                        best = np.argmax(features @ current[:dense])
                        if gain[best] < gain.max():
                            step = features[np.argmax(gain)].astype(float) - features[best]
                            current[:dense] += self.rate * step
                    moved += current - old
            new = old + moved / max(1, self.passes * len(bounds))
        return finite_or_kept(new, old, pool, metric, {})


if __name__ == "__main__":
    # Only dense weights are learnt; sparse weights keep their proportions.
    check_learner(Promises(Perceptron(), sparse=False))
    print("Perceptron keeps the contract of learners.")
