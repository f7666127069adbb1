"""Text input and output: sentence pairs and their readers, escapes, corpora, vocabularies.

Names are imported on first use, because corpora need numpy and `--help` does not.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demotic._core import Vocabulary
    from demotic.text.corpus import Corpus
    from demotic.text.pairs import Pair
    from demotic.text.parallel import ParallelCorpus
    from demotic.text.readers import PairCounts, PairSource, read_pairs

_HOME = {
    "Corpus": "demotic.text.corpus",
    "Pair": "demotic.text.pairs",
    "PairCounts": "demotic.text.readers",
    "PairSource": "demotic.text.readers",
    "ParallelCorpus": "demotic.text.parallel",
    "Vocabulary": "demotic._core",
    "read_pairs": "demotic.text.readers",
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


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'demotic.text' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
