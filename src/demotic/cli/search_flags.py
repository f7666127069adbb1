"""The search flags of verbs with a decoder, and the decoder they configure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from demotic.cli.flags import given_options
from demotic.search.options import SearchOptions

if TYPE_CHECKING:
    from demotic.model import Model
    from demotic.search import Decoder

__all__ = ["open_decoder", "search_flags"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def search_flags(function: _Command) -> _Command:
    """Adds the flags of the search; the verb gets a dict `given` with those that the user gave."""
    return given_options(SearchOptions, "given")(function)


def open_decoder(model: Model, given: Mapping[str, Any]) -> Decoder:
    """The decoder with the model's settings, overridden by those given."""
    return model.decoder(SearchOptions.for_model(model, given))
