"""Options of learners: defaults as in the core, and values that are refused."""

from __future__ import annotations

from typing import Any

import pytest

from demotic import _core
from demotic.learn import Mert, Mira, Pro, Rampion, RelativeMargin


@pytest.mark.parametrize(
    ("learner", "native", "names"),
    [
        (Mert(), _core.MertOptions(), ["restarts", "random_directions", "passes", "tolerance"]),
        (Pro(), _core.PairOptions(), ["draws", "kept", "threshold"]),
        (Mira(), _core.MarginOptions(), ["step", "tolerance", "sweeps", "shards", "decay"]),
        (RelativeMargin(), _core.MarginOptions(), ["step", "bound_step"]),
        (Rampion(), _core.RampOptions(), ["passes", "rate", "regularization"]),
    ],
)
def test_defaults_are_those_of_the_core(learner: Any, native: Any, names: list[str]) -> None:
    for name in names:
        assert getattr(learner, name) == getattr(native, name), name


def test_other_defaults_of_the_core() -> None:
    native, ramp = _core.MarginOptions(), _core.RampOptions()
    assert native.steps == Mira().max_steps
    assert native.gain_scale == _core.GainScale[Mira().gain_scale]
    assert (native.hope_background, native.running_average, native.keep_best) == (True,) * 3
    assert not native.cutting_plane
    assert (ramp.rounds, ramp.scale) == (Rampion().hope_rounds, Rampion().cost_scale)


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
