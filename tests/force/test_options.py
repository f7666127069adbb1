"""The options in Python and those of the core have the same defaults."""

from __future__ import annotations

from dataclasses import fields

from demotic import _core
from demotic.force import ForceOptions
from demotic.force.options import ForceLimits


def test_defaults_are_those_of_the_core() -> None:
    native, ours = _core.ForceOptions(), ForceOptions()
    assert {f.name: getattr(native, f.name) for f in fields(ForceLimits)} == {
        f.name: getattr(ours, f.name) for f in fields(ForceLimits)
    }
    assert native.beginnings == _core.Beginnings[ours.beginnings]


def test_a_models_settings_are_taken_and_others_skipped() -> None:
    settings = {"distortion_limit": 3, "beam_size": 30}
    assert ForceOptions.for_model(settings).distortion_limit == 3
    assert ForceOptions.for_model(settings, {"distortion_limit": -1}).distortion_limit == -1
