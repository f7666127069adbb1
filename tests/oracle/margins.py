"""Margin problems solved by a general optimiser, and plain steps as the papers mean them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize


def exact_mira(
    start: np.ndarray, groups: Sequence[tuple[np.ndarray, np.ndarray]], step: float
) -> np.ndarray:
    """min 1/2 ||w - start||^2 + C sum_i max_j (loss_ij - features_ij . w); with a slack a group."""
    rows, limits = [], []
    for i, (differences, losses) in enumerate(groups):
        slack = np.zeros((len(losses), len(groups)))
        slack[:, i] = 1
        rows.append(np.hstack([differences, slack]))
        limits.append(losses)
    return _solved(start, np.full(len(groups), step), np.vstack(rows), np.concatenate(limits))


def exact_relative_margin(
    start: np.ndarray,
    differences: np.ndarray,
    losses: np.ndarray,
    *,
    step: float,
    bound_step: float,
    bound: float,
) -> np.ndarray:
    """Equation 4 of Eidelman et al.: differences are hope - candidate, losses gain differences."""
    ones, zeros = np.ones((len(losses), 1)), np.zeros((len(losses), 1))
    rows = np.vstack(
        [
            np.hstack([differences, ones, zeros]),
            np.hstack([-differences, zeros, ones]),
            np.hstack([differences, zeros, ones]),
        ]
    )
    limits = np.concatenate([losses, np.full(2 * len(losses), -bound)])
    return _solved(start, np.array([step, bound_step]), rows, limits)


def _solved(start: np.ndarray, prices: np.ndarray, rows: np.ndarray, limits: np.ndarray):
    """min 1/2 ||w - start||^2 + prices . slacks with rows (w, slacks) >= limits, slacks >= 0.

    The slacks begin where everything holds, so that the optimiser only has to walk downhill.
    """
    size, count = len(start), len(prices)

    def value(x: np.ndarray) -> tuple[float, np.ndarray]:
        moved = x[:size] - start
        return 0.5 * float(moved @ moved) + float(prices @ x[size:]), np.append(moved, prices)

    slack = max(0.0, float(np.max(limits - rows[:, :size] @ start)))
    found = minimize(
        value,
        np.append(start, np.full(count, slack)),
        jac=True,
        method="SLSQP",
        bounds=[(None, None)] * size + [(0, None)] * count,
        constraints=[{"type": "ineq", "fun": lambda x: rows @ x - limits, "jac": lambda _: rows}],
        options={"ftol": 1e-13, "maxiter": 1000},
    )
    # 8: no step that floating point can see goes further down.
    assert found.status in (0, 8), found.message
    return found.x[:size]


def plain_steps(
    weights: np.ndarray,
    dense: np.ndarray,
    gains: np.ndarray,
    *,
    step: float,
    bound_step: float,
    bound: float,
) -> np.ndarray:
    """One visit of RM-PA; with an infinite bound, of MIRA."""
    scores = dense @ weights
    hope, fear = np.argmax(scores + gains), np.argmax(scores - gains)
    worst, best = np.argmin(scores), np.argmax(scores)

    def length(violation: float, difference: np.ndarray, most: float) -> float:
        norm = float(difference @ difference)
        return min(most, violation / norm) if violation > 0 and norm > 0 else 0.0

    margin = dense[hope] - dense[fear]
    wanted = gains[hope] - gains[fear] - margin @ weights
    weights = weights + length(wanted, margin, step) * margin
    if np.isinf(bound):
        return weights
    down, up = dense[hope] - dense[worst], dense[hope] - dense[best]
    used = length(down @ weights - bound, down, bound_step)
    weights = weights - used * down
    return weights + length(-bound - up @ weights, up, bound_step - used) * up


def plain_ramp(
    weights: np.ndarray,
    lists: Sequence[tuple[np.ndarray, np.ndarray]],
    *,
    rounds: int,
    passes: int,
    scale: float,
    rate: float,
    regularization: float,
) -> np.ndarray:
    """RAMPION on (features, gains) lists."""
    start = weights
    for _ in range(rounds):
        hopes = [int(np.argmax(dense @ weights + scale * gains)) for dense, gains in lists]
        for _ in range(passes):
            for (dense, gains), hope in zip(lists, hopes, strict=True):
                fear = int(np.argmax(dense @ weights - scale * gains))
                pull = rate * regularization / len(lists) * (weights - start)
                weights = weights + rate * (dense[hope] - dense[fear]) - pull
    return weights
