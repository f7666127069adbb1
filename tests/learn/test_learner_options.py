"""Options of learners: values that are refused."""

from __future__ import annotations

import pytest

from demotic.learn import Mert, Mira, Pro, Rampion, RelativeMargin


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
