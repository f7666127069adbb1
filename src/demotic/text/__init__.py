"""Text input and output: sentence pairs and their readers, escapes, corpora, vocabularies.

Names are imported on first use, because corpora need numpy and `--help` does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.lazy import lazy_names

if TYPE_CHECKING:
    from demotic._core import Vocabulary
    from demotic.text.corpus import Corpus
    from demotic.text.pairs import Pair
    from demotic.text.parallel import ParallelCorpus
    from demotic.text.readers import PairCounts, PairSource, read_pairs

_MODULES = {
    "Corpus": ".corpus",
    "Pair": ".pairs",
    "PairCounts": ".readers",
    "PairSource": ".readers",
    "ParallelCorpus": ".parallel",
    "Vocabulary": "demotic._core",
    "read_pairs": ".readers",
}

__all__ = [
    "Corpus",
    "Pair",
    "PairCounts",
    "PairSource",
    "ParallelCorpus",
    "Vocabulary",
    "read_pairs",
]

__getattr__, __dir__ = lazy_names(__name__, _MODULES, __all__)
