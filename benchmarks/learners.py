"""One round of every list learner on a generated pool of about a million candidates, one thread.

The pool resembles accumulated k-best lists: 14 dense features, candidates that share most of their
features with others of the list, BLEU statistics that correlate with the features.  Moses' programs
are not run here; on a pool of 991,904 candidates of another text, with 14 weights and 21 starts,
`mert` took 101 CPU seconds and `kbmira` (60 sweeps) 6.6 on a 2-core machine (AMD EPYC).
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from numpy.typing import NDArray

from benchmarks.pairing import measure
from demotic.learn import Learner, Mert, Mira, Pool, Pro, Rampion, RelativeMargin
from demotic.learn.learner import form_of
from demotic.testing.plain_metrics import PlainBleu

FEATURES = 14


def generated_pool(lists: int, length: int, seed: int = 1) -> Pool:
    """Candidates are made by few changes to one translation, as in a k-best list."""
    rng = np.random.default_rng(seed)
    dense = np.empty((lists * length, FEATURES), np.float32)
    statistics = np.empty((lists * length, 9), np.int32)
    for i in range(lists):
        changes = rng.normal(size=(12, FEATURES + 1))
        chosen = (rng.random((length, 12)) < 0.3).astype(np.float64)
        rows = slice(i * length, (i + 1) * length)
        # The last column is the effect of changes on quality; some features correlate with it.
        effect = chosen @ changes
        quality = effect[:, -1] + 0.5 * effect[:, :4].sum(axis=1)
        dense[rows] = effect[:, :-1] - 10
        statistics[rows] = counts(rng, quality)
    return Pool(np.arange(lists + 1, dtype=np.int64) * length, dense, statistics)


def counts(rng: np.random.Generator, quality: NDArray[np.float64]) -> NDArray[np.int32]:
    reference = int(rng.integers(8, 40))
    words = np.maximum(4, reference + np.round(quality).astype(int) % 5 - 2)
    totals = np.stack([words - n for n in range(4)], axis=1)
    share = 1 / (1 + np.exp(-quality / 4))
    matches = np.floor(totals * (0.3 + 0.6 * share[:, None]) ** np.arange(1, 5))
    return np.column_stack([matches, totals, np.full(len(words), reference)]).astype(np.int32)


def line_search(pool: Pool) -> None:
    weights = np.full(FEATURES, 1 / FEATURES)
    lists, form = pool.native, form_of(PlainBleu())
    for name, direction in (("feature", np.eye(FEATURES)[0]), ("random", np.ones(FEATURES))):
        times = []
        for _ in range(20):
            begin = time.process_time()
            lists.line_search(form, weights, direction)
            times.append(time.process_time() - begin)
        print(f"one line search, {name} direction, scores included: {1000 * min(times):.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lists", type=int, default=2000)
    parser.add_argument("--length", type=int, default=500)
    arguments, _ = parser.parse_known_args()
    small = generated_pool(600, 1000)
    print(f"{small}")
    line_search(small)
    pool = generated_pool(arguments.lists, arguments.length)
    print(f"{pool}; layout {measure(lambda: pool.native).cpu:.2f} CPU s")
    learners: dict[str, Learner] = {
        "MERT, 21 starts": Mert(),
        "MERT, 21 starts, features only": Mert(random_directions=0),
        "PRO": Pro(),
        "MIRA, 60 sweeps": Mira(),
        "MIRA, 60 sweeps, cutting plane": Mira(solver="cutting-plane"),
        "RM, 60 sweeps": RelativeMargin(),
        "RM, 60 sweeps, cutting plane": RelativeMargin(solver="cutting-plane"),
        "RAMPION, 10 x 5 passes": Rampion(),
    }
    start, metric = np.full(FEATURES, 1 / FEATURES), PlainBleu()
    for name, learner in learners.items():
        results = []
        seconds = measure(lambda: results.append(learner.update(start, pool, metric)))  # noqa: B023
        report = results[0].report
        searches = report.get("line_searches")
        more = f", {searches:.0f} line searches" if isinstance(searches, float) else ""
        print(f"{name:<34} {seconds.cpu:>7.2f} CPU s  BLEU {report['score']:.4f}{more}", flush=True)


if __name__ == "__main__":
    main()
