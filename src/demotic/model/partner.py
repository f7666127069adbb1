"""A second model inside a model directory, with which the model decides together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from demotic.errors import InputError

if TYPE_CHECKING:
    from demotic.model.model import Model

__all__ = ["PARTNER", "refuse_other_text", "without_decision"]

PARTNER = "partner"
_SETTINGS = (
    "decision",
    "decision_scale",
    "risk_precision",
    "risk_ratio",
    "partner_scale",
    "partner_share",
    "consensus_list",
)

Scalar = bool | int | float | str


def without_decision(settings: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Search settings without those of a decision rule, which suit one set of weights."""
    return {name: value for name, value in settings.items() if name not in _SETTINGS}


def refuse_other_text(model: Model, partner: Model) -> None:
    """Two models decide together only if they agree on what a word is. Raises InputError."""
    if _text_of(model) != _text_of(partner):
        raise InputError(
            f"models of differently prepared text: {model.path} and {partner.path}",
            expected="two models built from the same files of demotic prepare",
        )


def _text_of(model: Model) -> tuple[object, ...]:
    """What the preparation depends on: its sides, and the files that it learnt."""
    learnt = [model.info.files[name].digest for name in model.info.parts.learnt]
    sides = model.preparation.sides if model.preparation else ()
    named = [
        (
            side.language,
            side.tokenizer.name,
            options.case,
            options.unicode,
            options.escape,
            side.compound_form,
        )
        for side in sides
        for options in (side.options,)
    ]
    languages = (model.info.source_language, model.info.target_language)
    return languages, named, learnt
