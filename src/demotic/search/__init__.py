"""Search: the decoder, its options, and what it leaves behind."""

from demotic.search.options import SearchOptions
from demotic.search.phrase import PhraseDecoder, Record, Step, Translations
from demotic.search.record import Bins, Candidate, SearchResult

__all__ = [
    "Bins",
    "Candidate",
    "PhraseDecoder",
    "Record",
    "SearchOptions",
    "SearchResult",
    "Step",
    "Translations",
]
