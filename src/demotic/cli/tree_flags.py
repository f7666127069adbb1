"""Flags for parse trees of source sentences, and the checks that they fit a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from demotic.errors import Error, ModelError

if TYPE_CHECKING:
    from demotic.cli.screen import Screen
    from demotic.features import Templates
    from demotic.model import Model

__all__ = ["check_new_trees", "check_trees", "trees_flag"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def trees_flag(name: str, of: str) -> Callable[[_Command], _Command]:
    """A flag for the trees of the sentences of another flag or argument."""
    return click.option(
        name,
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help=f"Parse trees of {of}, Penn brackets or CoNLL-U, for features of trees.",
    )


def check_trees(screen: Screen, model: Model, path: str | None) -> None:
    """Refuses trees for a model that would ignore them; warns if they are missing."""
    used = model.sparse is not None and model.sparse.features.has_constituents
    may_use = model.sparse is not None and model.sparse.features.reads_annotations
    if path is not None and not (used or may_use):
        raise ModelError(
            "trees for a model without features of them",
            path=model.path,
            expected="a model tuned or trained with --trees",
            advice="omit --trees",
        )
    if used and path is None:
        screen.warn("the model has features of source trees, which do not fire without --trees")


def check_new_trees(templates: Templates | None, path: str | None) -> None:
    """Refuses new features of trees without trees, and the other way round."""
    used = templates is not None and templates.trees
    if used and path is None:
        raise Error(
            "features of source trees, but no trees",
            expected="a file with a tree for each sentence",
            advice="give --trees, or other --features",
        )
    if path is not None and not (used or (templates is not None and templates.own)):
        raise Error(
            "trees, but no features of them",
            path=path,
            expected="features such as syntax-fine",
            advice="give --features syntax-fine, or omit --trees",
        )
