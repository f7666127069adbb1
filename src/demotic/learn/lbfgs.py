"""L-BFGS for smooth convex functions (Nocedal 1980), with a backtracking line search."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Minimum", "minimize"]

Vector = NDArray[np.float64]
History = deque[tuple[Vector, Vector, float]]


@dataclass(frozen=True)
class Minimum:
    x: Vector
    value: float
    evaluations: int


def minimize(
    function: Callable[[Vector], tuple[float, Vector]],
    start: Vector,
    *,
    memory: int = 10,
    iterations: int = 200,
    tolerance: float = 1e-6,
) -> Minimum:
    """Minimises from value and gradient; ends when the gradient has shrunk to `tolerance`."""
    x, (value, gradient) = start, function(start)
    evaluations, enough = 1, tolerance * max(1.0, float(np.linalg.norm(gradient)))
    history: History = deque(maxlen=memory)
    for _ in range(iterations):
        if np.linalg.norm(gradient) <= enough:
            break
        direction = -_scaled(gradient, history)
        slope = float(np.sum(direction * gradient))
        # The first step has no scale yet; a step of the gradient's length would be arbitrary.
        length = 1.0 if history else 1.0 / max(1.0, float(np.linalg.norm(gradient)))
        for _ in range(50):
            moved = x + length * direction
            new, new_gradient = function(moved)
            evaluations += 1
            if new <= value + 1e-4 * length * slope:
                break
            length /= 2
        else:
            break  # no progress in floating point
        change, bend = moved - x, new_gradient - gradient
        curvature = float(np.sum(change * bend))
        if curvature > 1e-12 * float(np.sum(bend * bend)):
            history.append((change, bend, curvature))
        x, value, gradient = moved, new, new_gradient
    return Minimum(x, value, evaluations)


def _scaled(gradient: Vector, history: History) -> Vector:
    """The gradient times the estimated inverse Hessian (two-loop recursion)."""
    result = gradient.copy()
    steps = []
    for change, bend, curvature in reversed(history):
        step = float(np.sum(change * result)) / curvature
        steps.append(step)
        result -= step * bend
    if history:
        _, bend, curvature = history[-1]
        result *= curvature / float(np.sum(bend * bend))
    for (change, bend, curvature), step in zip(history, reversed(steps), strict=True):
        result += (step - float(np.sum(bend * result)) / curvature) * change
    return result
