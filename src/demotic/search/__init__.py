"""Search: the decoder, its options, and the records of searches.

Names are imported on first use, because the --help of a verb only needs the options.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.lazy import lazy_names

if TYPE_CHECKING:
    from demotic.search.decoder import Decoder, Record, Step, Translations
    from demotic.search.nbest import read_nbest
    from demotic.search.options import SearchOptions
    from demotic.search.record import Bins, Candidate, SearchResult

_MODULES = {
    "Bins": ".record",
    "Candidate": ".record",
    "Decoder": ".decoder",
    "Record": ".decoder",
    "SearchOptions": ".options",
    "SearchResult": ".record",
    "Step": ".decoder",
    "Translations": ".decoder",
    "read_nbest": ".nbest",
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

__getattr__, __dir__ = lazy_names(__name__, _MODULES, __all__)
