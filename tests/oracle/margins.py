"""Margin problems solved exactly by a general optimiser, and plain steps as the papers mean them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize


def exact_mira(
    start: np.ndarray, groups: Sequence[tuple[np.ndarray, np.ndarray]], step: float
) -> np.ndarray:
    """min 1/2 ||w - start||^2 + C sum_i max_j (loss_ij - features_ij . w); with a slack a group."""
    size, count = len(start), len(groups)

    def value(x: np.ndarray) -> float:
        return 0.5 * float(np.sum((x[:size] - start) ** 2)) + step * float(np.sum(x[size:]))

    constraints = []
    for i, (differences, losses) in enumerate(groups):
        for difference, loss in zip(differences, losses, strict=True):
            constraints.append(
                {
                    "type": "ineq",
                    "fun": lambda x, d=difference, c=loss, i=i: d @ x[:size] + x[size + i] - c,
                }
            )
    return _solved(value, np.concatenate([start, np.full(count, 10.0)]), size, constraints)


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
    size = len(start)

    def value(x: np.ndarray) -> float:
        moved = 0.5 * float(np.sum((x[:size] - start) ** 2))
        return moved + step * float(x[size]) + bound_step * float(x[size + 1])

    constraints = []
    for d, c in zip(differences, losses, strict=True):
        for fun in (
            lambda x, d=d, c=c: d @ x[:size] + x[size] - c,
            lambda x, d=d: bound + x[size + 1] - d @ x[:size],
            lambda x, d=d: bound + x[size + 1] + d @ x[:size],
        ):
            constraints.append({"type": "ineq", "fun": fun})
    return _solved(value, np.concatenate([start, [10.0, 10.0]]), size, constraints)


def _solved(
    value: object, start: np.ndarray, size: int, constraints: list[dict[str, object]]
) -> np.ndarray:
    bounds = [(None, None)] * size + [(0, None)] * (len(start) - size)
    found = minimize(
        value,
        start,
        method="SLSQP",
        bounds=bounds,
        constraints=constraints,
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    assert found.success, found.message
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
