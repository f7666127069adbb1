"""The l0 prior's M-step: its objective decreases to that of projected gradient descent or below."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic._core import sparse_maximize
from demotic.align import Aligner, AlignOptions
from tests.align.texts import invented

COUNTS = st.lists(st.floats(0.001, 200), min_size=2, max_size=8)


def objective(counts: np.ndarray, probabilities: np.ndarray, alpha: float, beta: float) -> float:
    logs = -(counts * np.log(probabilities)).sum()
    return float(logs + alpha * (1 - np.exp(-probabilities / beta)).sum())


def project(point: np.ndarray) -> np.ndarray:
    """The nearest point of the simplex (Duchi et al. 2008), kept away from its boundary."""
    ordered = np.sort(point)[::-1]
    excess = (np.cumsum(ordered) - 1) / np.arange(1, len(point) + 1)
    shift = excess[np.nonzero(ordered > excess)[0][-1]]
    kept = np.maximum(point - shift, 1e-9)
    return kept / kept.sum()


def projected_gradient(counts: np.ndarray, alpha: float, beta: float, steps: int) -> np.ndarray:
    """Vaswani et al. (2012): gradient steps with backtracking, projected onto the simplex."""
    point = counts / counts.sum()
    for _ in range(steps):
        value = objective(counts, point, alpha, beta)
        gradient = -counts / point + alpha / beta * np.exp(-point / beta)
        step = 1.0
        while step > 1e-12:
            candidate = project(point - step * gradient)
            if objective(counts, candidate, alpha, beta) < value:
                point = candidate
                break
            step /= 2
        else:
            break
    return point


@given(COUNTS, st.sampled_from([1.0, 10.0, 100.0]), st.sampled_from([0.01, 0.05, 0.5]))
@settings(max_examples=100, deadline=None)
def test_objective_falls(counts: list[float], alpha: float, beta: float) -> None:
    values = np.array(counts)
    start = values / values.sum()
    found, value = sparse_maximize(counts, start.tolist(), alpha, beta)
    assert sum(found) == pytest.approx(1, abs=1e-6)
    assert value == pytest.approx(objective(values, np.array(found), alpha, beta), rel=1e-9)
    assert value <= objective(values, start, alpha, beta) + 1e-9


@given(COUNTS)
@settings(max_examples=40, deadline=None)
def test_no_worse_than_projected_gradient(counts: list[float]) -> None:
    values = np.array(counts)
    _, value = sparse_maximize(counts, (values / values.sum()).tolist(), 10.0, 0.05)
    rival = objective(values, projected_gradient(values, 10.0, 0.05, 30), 10.0, 0.05)
    assert value <= rival + 0.02 * abs(rival) + 0.05


def test_fewer_translations() -> None:
    """With the prior, fewer pairs keep a substantial probability."""
    corpus = invented(800, words=200)
    kept = []
    for l0 in (False, True):
        native = Aligner(AlignOptions(model="ibm1", l0=l0, agree=False)).fit(corpus).native_
        words = range(3, 150)
        kept.append(sum(native.translation(s, t)[0] > 1e-3 for s in words for t in words))
    assert kept[1] < 0.8 * kept[0]
