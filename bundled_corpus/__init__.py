"""The generator of the bundled corpus: a hand-written synchronous grammar of Chinese and English.

It is part of the repository, not of the installed package, which ships what it generates
(`src/demotic/demo/`). `python -m bundled_corpus` regenerates that archive.

    corpus = generate(seed=1)                     # train, dev and test as pairs
    write(corpus, Path("corpus"))                 # as files, in the layout of docs/corpus.md

A rule of the grammar is a function that draws a Chinese tree together with all its English
wordings; `sentences.py` lists the rules and how often each is used. Words and what may stand
beside them are in the `.tsv` files.
"""

from .corpus import Corpus, generate
from .files import texts, write
from .pairs import Pair
from .statistics import statistics
from .wording import Wording

__all__ = ["Corpus", "Pair", "Wording", "generate", "statistics", "texts", "write"]
