"""Isotonic regression and measures against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from demotic.confidence.isotonic import area_under_roc, calibration_error, isotonic_points

# A busy machine may take long to draw.
RELAXED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
WORDS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0]), st.booleans()),
    min_size=1,
    max_size=15,
)


def arrays(words: list[tuple[float, bool]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([x for x, _ in words]), np.array([y for _, y in words], np.bool_)


@RELAXED
@given(WORDS)
def test_values_are_the_maximum_of_minima(words: list[tuple[float, bool]]) -> None:
    """Robertson, Wright & Dykstra 1988, theorem 1.4.4."""
    scores, correct = arrays(words)
    x, y = isotonic_points(scores, correct)
    all_x = np.append(scores, [scores.min(), scores.max()])
    all_y = np.append(correct, [True, False]).astype(float)
    distinct = np.unique(all_x)
    for i, score in enumerate(distinct):
        means = [
            [all_y[(all_x >= low) & (all_x <= high)].mean() for high in distinct[i:]]
            for low in distinct[: i + 1]
        ]
        expected = max(map(min, means))
        blocks = [k for k in range(len(x)) if y[k] == pytest.approx(expected)]
        assert blocks, (score, expected)
    assert (np.diff(x) > 0).all()
    assert (np.diff(y) > 0).all()
    assert y[0] > 0
    assert y[-1] < 1


@RELAXED
@given(WORDS)
def test_area(words: list[tuple[float, bool]]) -> None:
    scores, correct = arrays(words)
    pairs = [(a, b) for a in scores[correct] for b in scores[~correct]]
    expected = np.mean([(a > b) + (a == b) / 2 for a, b in pairs]) if pairs else 0.5
    assert area_under_roc(scores, correct) == pytest.approx(expected)


@RELAXED
@given(WORDS, st.integers(0, 1000))
def test_rounding_errors_of_scores_change_nothing(
    words: list[tuple[float, bool]], seed: int
) -> None:
    """Sums of the same posteriors in another order."""
    scores, correct = arrays(words)
    other = scores + np.random.default_rng(seed).uniform(-1e-12, 1e-12, len(scores))
    for one, expected in zip(
        isotonic_points(other, correct), isotonic_points(scores, correct), strict=True
    ):
        assert one.tolist() == expected.tolist()
    assert area_under_roc(other, correct) == area_under_roc(scores, correct)


def test_calibration_error() -> None:
    confidences = np.repeat([0.2, 0.8], 50)
    correct = np.array([i % 5 == 0 for i in range(50)] + [i % 5 != 0 for i in range(50)])
    assert calibration_error(confidences, correct) == pytest.approx(0.0)
    assert calibration_error(np.full(100, 0.9), correct) == pytest.approx(0.4, abs=0.01)
    assert calibration_error(np.zeros(0), np.zeros(0, np.bool_)) == 0
