"""The dev set of a verb that chooses something on it: --src, --ref, and whether they are raw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from demotic.cli.text_flags import note_texts, raw_text, text_flags

if TYPE_CHECKING:
    from demotic.cli.screen import Screen
    from demotic.learn.dev_set import DevSet
    from demotic.model import Model

__all__ = ["dev_set_flags", "read_dev_set", "refuse_model_out"]

_Command = TypeVar("_Command", bound=Callable[..., Any])
_FILE = click.Path(allow_dash=True, dir_okay=False)


def dev_set_flags(text: str) -> Callable[[_Command], _Command]:
    """`text` says what the set is for."""

    def decorate(function: _Command) -> _Command:
        function = text_flags("src", "ref")(function)
        function = click.option(
            "--ref",
            "refs",
            required=True,
            multiple=True,
            type=_FILE,
            help="References; repeatable.",
        )(function)
        return click.option("--src", required=True, type=_FILE, help=text)(function)

    return decorate


def read_dev_set(screen: Screen, model: Model, flags: Mapping[str, Any]) -> DevSet:
    from demotic.learn.dev_set import DevSet

    text = raw_text(model, flags)
    dev = DevSet.read(flags["src"], flags["refs"], text)
    note_texts(screen, text)
    return dev


def refuse_model_out(flags: Mapping[str, Any], *models: Model) -> None:
    """Refuses an output directory that may not be replaced, or is inside one of the models."""
    from demotic.model.file import MODEL_NAME
    from demotic.model.output import WAY_OUT, refuse_existing, refuse_inside
    from demotic.outputs import refuse_foreign

    refuse_foreign(flags["out"], MODEL_NAME, force=flags["force"])
    if not flags["force"]:
        refuse_existing(flags["out"], advice=WAY_OUT)
    for model in models:
        refuse_inside(flags["out"], model.path)
