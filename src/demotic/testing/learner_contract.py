"""What every list learner promises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demotic.errors import ModelError
from demotic.learn.evidence import Pool
from demotic.learn.learner import Learner, LearnerResult, pool_score
from demotic.testing.contract import called, refuses, require
from demotic.testing.plain_metrics import PlainBleu
from demotic.testing.pools import as_sparse, doubled, random_pool, reordered, separable_pool

__all__ = ["CONTRACT", "Promises", "check_learner"]


@dataclass(frozen=True)
class Promises:
    """A learner, and what its method says or does not say about its evidence."""

    learner: Learner
    candidate_order: bool = True
    """The order of candidates does not matter."""
    duplicates: bool = True
    """Nor do copies of candidates."""
    sparse: bool = True
    """All weights are learnt, dense or sparse; else the sparse ones keep their proportions."""
    solves_toy: bool = True
    """Five rounds rank every list of a small separable problem right."""
    tolerance: float = 1e-9
    """Of weights that promise to be the same."""


def check_learner(learner: Learner | Promises) -> None:
    """Raises ContractError at the first promise that the learner does not keep.

    Promises says which of them its method does not make, for example
    check_learner(Promises(Mine(), duplicates=False)).
    """
    promised = learner if isinstance(learner, Promises) else Promises(learner)
    for holds in CONTRACT:
        holds(promised)


def solves_the_separable_toy(promised: Promises) -> None:
    if not promised.solves_toy:
        return
    pool, metric = separable_pool(3), PlainBleu()
    bounds = zip(pool.offsets[:-1], pool.offsets[1:], strict=True)
    gains = metric.gain(pool.statistics)
    oracle = [begin + int(np.argmax(gains[begin:end])) for begin, end in bounds]
    best = float(metric.objective(pool.statistics[oracle].sum(axis=0)[None])[0])
    weights: ArrayLike = np.array([-0.1, 0.2, 0.1])
    for number in range(1, 6):
        result = _updated(promised, weights, pool, seed=1, round_number=number)
        weights = result.weights
    score = pool_score(result.weights, pool, metric)
    require(
        abs(score - best) <= 1e-12,
        f"after 5 rounds on a separable problem BLEU is {score:.4f}; expected {best:.4f}, that of "
        "the best candidates",
    )
    reported = result.report.get("score")
    require(
        isinstance(reported, float) and abs(reported - best) <= 1e-12,
        f"report['score'] is {reported!r}; expected {best!r}, metric.objective of the pool's best "
        "candidates under the new weights",
    )
    require(not result.refused, "refused is set though the weights are finite")


def changes_nothing_without_evidence(promised: Promises) -> None:
    weights = np.array([0.25, -0.5, 0.25])
    counts = [[5, 4, 3, 2, 6, 5, 4, 3, 7]]
    pools = {
        "a pool without lists": Pool(
            np.zeros(1, np.int64), np.zeros((0, 3), np.float32), np.zeros((0, 9), np.int32)
        ),
        "a list of one candidate": Pool.of([([[1.0, 2.0, 3.0]], counts)]),
        "a list of equal candidates": Pool.of([([[1.0, 2.0, 3.0]] * 3, counts * 3)]),
    }
    for what, pool in pools.items():
        result = _updated(promised, weights, pool)
        require(
            result.weights.tolist() == weights.tolist(),
            f"{what} moved the weights from {weights.tolist()} to {result.weights.tolist()}; "
            "there is nothing to learn from it",
        )
        require(not result.refused, f"{what}: refused is set")


def is_the_same_for_a_seed_and_any_threads(promised: Promises) -> None:
    pool, start = random_pool(5, lists=30), np.array([0.4, 0.3, 0.2, 0.1])
    first = _updated(promised, start, pool, seed=7)
    for threads in (1, 2, 5):
        again = _updated(promised, start, pool, seed=7, threads=threads)
        require(
            again.weights.tobytes() == first.weights.tobytes() and again.report == first.report,
            f"the same seed gave other weights or another report with {threads} threads",
        )
    require(start.tolist() == [0.4, 0.3, 0.2, 0.1], "update changed the array it was given")


def keeps_what_it_promises_about_order_and_copies(promised: Promises) -> None:
    # Without ties: where candidates are equally good, the first of them counts.
    pool = separable_pool(8)
    weights = np.array([0.1, 0.3, 0.2])
    expected = _updated(promised, weights, pool, seed=2).weights
    for holds, other, what in (
        (promised.candidate_order, reordered(pool, 4), "candidates in another order"),
        (promised.duplicates, doubled(pool), "every candidate twice"),
    ):
        if holds:
            found = _updated(promised, weights, other, seed=2).weights
            _require_close(found, expected, promised.tolerance, f"{what} gave other weights")


def learns_the_same_from_sparse_features(promised: Promises) -> None:
    pool, weights = random_pool(6, lists=20), np.array([0.2, -0.1, 0.3, 0.1])
    expected = _updated(promised, weights, pool, seed=3).weights
    for kept in (0, 1):
        found = _updated(promised, weights, as_sparse(pool, kept), seed=3).weights
        if promised.sparse:
            what = f"the same features, {len(weights) - kept} of them sparse, gave other weights"
            _require_close(found, expected, promised.tolerance, what)
        else:
            ratios = found[kept:] / weights[kept:]
            what = "sparse weights, which are not learnt, lost their proportions"
            _require_close(ratios, np.full(len(ratios), ratios[0]), 1e-7, what)


def has_finite_weights_and_refuses_others(promised: Promises) -> None:
    pool = random_pool(9)
    huge = Pool(pool.offsets, pool.dense * 1e30, pool.statistics)
    result = _updated(promised, np.full(4, 1e280), huge)
    require(
        np.isfinite(result.weights).all(),
        f"features of 1e30 and weights of 1e280 gave {result.weights.tolist()}; where an update is "
        "not finite, return the old weights and set refused (demotic.learn.learner.finite_or_kept)",
    )
    require(not result.weights.flags.writeable, "the new weights can be written to")
    advice = "(pool.checked(weights) does that)"
    for bad in ([np.nan, 0, 0, 0], [0, np.inf, 0, 0]):
        refuses(
            lambda bad=bad: promised.learner.update(bad, pool, PlainBleu()),  # type: ignore[misc]
            ModelError,
            f"the weights {bad} {advice}",
        )
    refuses(
        lambda: promised.learner.update([1.0], pool, PlainBleu()),
        ModelError,
        f"1 weight for 4 features {advice}",
    )


def takes_a_metric_in_plain_python(promised: Promises) -> None:
    """Without a native formula; see `demotic.learn.learner.form_of`."""
    pool, metric = separable_pool(3), PlainBleu(native=False)
    weights = start = np.array([-0.1, 0.2, 0.1])
    for number in range(1, 6):
        weights = _updated(promised, weights, pool, metric, seed=1, round_number=number).weights
    before, after = (pool_score(one, pool, metric) for one in (start, weights))
    require(
        after > before or not promised.solves_toy,
        f"5 rounds with a metric in plain Python moved it from {before:.4f} to {after:.4f}; "
        "expected a higher value of metric.objective",
    )


CONTRACT: tuple[Callable[[Promises], None], ...] = (
    solves_the_separable_toy,
    changes_nothing_without_evidence,
    is_the_same_for_a_seed_and_any_threads,
    keeps_what_it_promises_about_order_and_copies,
    learns_the_same_from_sparse_features,
    has_finite_weights_and_refuses_others,
    takes_a_metric_in_plain_python,
)


def _updated(
    promised: Promises,
    weights: ArrayLike,
    pool: Pool,
    metric: PlainBleu | None = None,
    **arguments: Any,
) -> LearnerResult:
    with called("update"):
        result = promised.learner.update(weights, pool, metric or PlainBleu(), **arguments)
    require(
        isinstance(result, LearnerResult),
        f"update returned {type(result).__name__}; expected demotic.learn.LearnerResult",
    )
    found = result.weights
    require(
        isinstance(found, np.ndarray) and found.dtype == np.float64 and found.ndim == 1,
        "weights of the result: expected a one-dimensional array of float64",
    )
    require(
        len(found) == pool.features,
        f"{len(found)} weights in the result; expected {pool.features}, one per feature",
    )
    return result


def _require_close(
    found: NDArray[np.float64], expected: NDArray[np.float64], tolerance: float, what: str
) -> None:
    close = np.allclose(found, expected, rtol=1e-7, atol=tolerance)
    require(close, f"{what}: {found.tolist()} instead of {expected.tolist()}")
