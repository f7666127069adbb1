"""Options of forced decoding: declared like those of the search, from a model's settings."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from demotic.errors import InputError
from demotic.force import ForceOptions
from demotic.options import declared
from demotic.search import SearchOptions


def model(kind: str, **settings: object) -> Any:
    return SimpleNamespace(kind=kind, settings=settings, path=Path("mine"))


def test_the_space_is_declared_once() -> None:
    searched = {one.name: one for one in declared(SearchOptions)}
    shared = [one for one in declared(ForceOptions) if one.name in searched]
    assert [one.name for one in shared] == ["distortion_limit", "gap_test", "span_limit"]
    assert all(one == searched[one.name] for one in shared)


def test_a_models_settings_are_taken_and_others_skipped() -> None:
    own = model("phrase", distortion_limit=3, beam_size=30)
    assert ForceOptions.for_model(own).distortion_limit == 3
    assert ForceOptions.for_model(own, {"distortion_limit": -1}).distortion_limit == -1


def test_options_of_the_other_kind_are_refused() -> None:
    message = "mine: --distortion-limit for a Hiero model; expected a phrase model (omit it)"
    for options in (SearchOptions, ForceOptions):
        with pytest.raises(InputError) as caught:
            options.for_model(model("hiero"), {"distortion_limit": 3})
        assert str(caught.value) == message


def test_settings_of_the_other_kind_are_left_out() -> None:
    imported = model("hiero", distortion_limit=3, span_limit=7, goal="S")
    found = SearchOptions.for_model(imported)
    assert (found.span_limit, found.distortion_limit) == (7, SearchOptions().distortion_limit)


def test_misspelt_names_are_refused() -> None:
    with pytest.raises(InputError, match=r"no option pop_limits; did you mean pop_limit\?; exp"):
        SearchOptions.for_model(model("phrase"), {"pop_limits": 3})
    with pytest.raises(
        InputError, match=r"the unknown setting beam_sice in \[search\]; did you mean beam_size\?"
    ):
        SearchOptions.for_model(model("phrase", beam_sice=3))
