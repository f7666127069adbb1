"""Search: the decoder, its options, and the records of searches.

Names are imported on first use, because the --help of a verb only needs the options.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demotic.search.decoder import Decoder, Record, Step, Translations
    from demotic.search.nbest import read_nbest
    from demotic.search.options import SearchOptions
    from demotic.search.record import Bins, Candidate, SearchResult

_HOME = {
    "Bins": "record",
    "Candidate": "record",
    "Decoder": "decoder",
    "Record": "decoder",
    "SearchOptions": "options",
    "SearchResult": "record",
    "Step": "decoder",
    "Translations": "decoder",
    "read_nbest": "nbest",
}

__all__ = [
    "Bins",
    "Candidate",
    "Decoder",
    "Record",
    "SearchOptions",
    "SearchResult",
    "Step",
    "Translations",
    "read_nbest",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'demotic.search' has no attribute {name!r}")
    return getattr(import_module(f"demotic.search.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
