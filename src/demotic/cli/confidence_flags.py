"""Word confidence at the end of verbs that learn weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from demotic.cli.screen import Screen

if TYPE_CHECKING:
    from demotic.learn.dev_set import DevSet
    from demotic.model import Model

__all__ = ["add_confidence", "confidence_flag"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def confidence_flag(function: _Command) -> _Command:
    """--confidence/--no-confidence."""
    return click.option(
        "--confidence/--no-confidence",
        default=True,
        show_default=True,
        help="Learn word confidence for translate --confidence from 500 sentences of the dev set.",
    )(function)


def add_confidence(screen: Screen, model: Model, dev: DevSet, threads: int) -> None:
    """Stores word confidence in the directory of a model that has none."""
    from demotic.confidence import with_confidence

    if model.info.parts.confidence is not None:
        return
    with screen.progress("learning word confidence") as advance:
        with_confidence(model, dev.source, dev.references, threads=threads, progress=advance)
