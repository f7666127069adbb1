"""Search: the decoder, its options, and what it leaves behind."""

from demotic.search.decoder import Decoder, Record, Step, Translations
from demotic.search.options import SearchOptions
from demotic.search.record import Bins, Candidate, SearchResult

__all__ = [
    "Bins",
    "Candidate",
    "Decoder",
    "Record",
    "SearchOptions",
    "SearchResult",
    "Step",
    "Translations",
]
