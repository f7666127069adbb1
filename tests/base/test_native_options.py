"""Options go into the core by one function, and both sides have the same defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from demotic import _core
from demotic.align import AlignOptions
from demotic.align.aligner import train_options
from demotic.force import ForceOptions
from demotic.learn import Mert, Mira, Pro, Rampion, RelativeMargin
from demotic.native_options import to_native
from demotic.options import Options, option
from demotic.rules import RuleOptions
from demotic.search.decision import DecisionOptions
from demotic.search.options import BinOptions, KBestOptions, SearchOptions
from demotic.text.brown import BrownOptions
from demotic.text.segment import SegmenterOptions
from demotic.train.options import TrainOptions
from demotic.train.trainers import native_options

DRAWS = {"seed": 1, "round": 1}
# Every struct of the core as Python fills it by default, and the fields that have no default in
# Python: what they are is decided by the caller.
STRUCTS: list[tuple[Any, set[str]]] = [
    (to_native(_core.BinOptions, BinOptions()), set()),
    (to_native(_core.BrownOptions, BrownOptions()), set()),
    (RuleOptions().native("phrase", 1), {"hiero"}),
    (RuleOptions().native("hiero", 1).hiero, set()),
    (RuleOptions().sampling(), set()),
    (ForceOptions().native(), set()),
    (SearchOptions().hiero(), set()),
    (to_native(_core.KBestOptions, KBestOptions()), set()),
    (Mira()._native(1), {"bound_step"}),  # which relative margin alone has
    (to_native(_core.MertOptions, Mert(), **DRAWS), set()),
    (to_native(_core.PairOptions, Pro(), **DRAWS), set()),
    (SearchOptions().phrase(), set()),
    (DecisionOptions().risk(), set()),
    (to_native(_core.RampOptions, Rampion()), set()),
    (to_native(_core.SegmenterOptions, SegmenterOptions()), set()),
    (train_options(AlignOptions()), {"agree"}),  # it depends on the model
    (native_options(TrainOptions(), [], 1.0, 1), {"violations"}),
    (TrainOptions().violations(), set()),
]


def values_of(native: Any) -> dict[str, Any]:
    names = [name for name, value in vars(type(native)).items() if isinstance(value, property)]
    return {name: getattr(native, name) for name in names}


@pytest.mark.parametrize(("made", "given"), STRUCTS, ids=lambda one: type(one).__name__)
def test_defaults_are_those_of_the_core(made: Any, given: set[str]) -> None:
    values, core = values_of(made), values_of(type(made)())
    assert values
    assert {name: value for name, value in values.items() if name not in given} == {
        name: value for name, value in core.items() if name not in given
    }


def test_no_struct_is_forgotten() -> None:
    structs = {name for name in dir(_core) if name.endswith("Options")}
    assert structs == {type(made).__name__ for made, _ in STRUCTS}


def test_the_bound_of_relative_margin_alone() -> None:
    native = RelativeMargin()._native(1)
    assert native.bound_step == RelativeMargin().bound_step
    assert native.bound == RelativeMargin().bound


@dataclass(frozen=True, kw_only=True)
class Some(Options):
    """Options of which the core has two."""

    classes: int = option(3, "known to the core")
    least: int = option(2, "known by another name", core="min_count")
    shown: int = option(5, "not for the core", core=None)
    words: int = option(7, "of one kind of model", kind="hiero", core="max_words")


def test_names_kinds_and_values_that_are_given() -> None:
    found = to_native(_core.BrownOptions, Some(), kinds=("", "phrase"), max_words=9, classes=4)
    assert (found.classes, found.min_count, found.max_words) == (4, 2, 9)
    assert to_native(_core.BrownOptions, Some(), kinds=("", "hiero")).max_words == 7


def test_a_field_without_a_value_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^BrownOptions: no value for max_words$"):
        to_native(_core.BrownOptions, Some(), kinds=("",))


def test_a_value_without_a_field_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^BrownOptions: no field clases; no value for max_words$"):
        to_native(_core.BrownOptions, Some(), kinds=("",), clases=4)


def test_text_becomes_a_member_of_an_enumeration() -> None:
    found = TrainOptions(method="max-violation").violations()
    assert found.rule == _core.UpdateRule.max_violation
