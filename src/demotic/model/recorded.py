"""The options that a model was built with, from its `model.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, Any, TypeVar

from demotic.align.options import aligner_names
from demotic.options import Options, declared

if TYPE_CHECKING:
    from demotic.model import Model

__all__ = ["recorded_aligners", "recorded_options"]

_Options = TypeVar("_Options", bound=Options)


def recorded_aligners(model: Model) -> list[str]:
    """The aligners of the model by name; none if its links were given."""
    return list(takewhile(lambda name: f"{name}_model" in model.info.options, aligner_names()))


def recorded_options(cls: type[_Options], model: Model, prefix: str) -> _Options | None:
    """The options of a part, such as "rules"; None if none are recorded."""
    stored: Mapping[str, Any] = model.info.options
    names = [one.name for one in declared(cls)]
    known = {name: stored[f"{prefix}_{name}"] for name in names if f"{prefix}_{name}" in stored}
    return cls(**known) if known else None
