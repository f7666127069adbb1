"""Options of learners: values that are refused, and defaults that depend on the method."""

from __future__ import annotations

import pytest

from demotic.learn import Mert, Mira, Pro, Rampion, RelativeMargin
from demotic.learn.methods import METHODS


def test_values_out_of_range_are_refused() -> None:
    for make in (
        lambda: Mert(restarts=-1),
        lambda: Pro(interpolation=1.5),
        lambda: Mira(solver="newton"),  # type: ignore[arg-type]
        lambda: Mira(decay=2.0),
        lambda: RelativeMargin(bound=-1.0),
        lambda: Rampion(rate=float("nan")),
    ):
        with pytest.raises(ValueError, match="expected"):
            make()


def test_search_aware_mert_makes_fewer_restarts_unless_told_otherwise() -> None:
    method = METHODS["mert"]
    assert method.make({}) == Mert(restarts=20)
    assert method.make({}, search_aware=True) == Mert(restarts=5)
    assert method.make({"restarts": 9}, search_aware=True) == Mert(restarts=9)


def test_search_aware_mira_makes_fewer_sweeps_unless_told_otherwise() -> None:
    method = METHODS["mira"]
    assert method.make({}) == Mira(sweeps=60)
    assert method.make({}, search_aware=True) == Mira(sweeps=20)
    assert method.make({"sweeps": 9}, search_aware=True) == Mira(sweeps=9)
    assert METHODS["rm"].make({}, search_aware=True) == RelativeMargin(sweeps=60)
    assert method.make({}, search_aware=True, sparse=True) == Mira(sweeps=10)
    assert method.make({"sweeps": 9}, sparse=True) == Mira(sweeps=9)
    small = RelativeMargin(step=1e-4, bound_step=1e-4, sweeps=10)
    assert METHODS["rm"].make({}, sparse=True) == small


def test_pro_regularises_sparse_weights_more_unless_told_otherwise() -> None:
    method = METHODS["pro"]
    assert method.make({}) == Pro(regularization=1.0)
    assert method.make({}, sparse=True) == Pro(regularization=1000.0)
    assert method.make({"regularization": 5.0}, sparse=True) == Pro(regularization=5.0)
