"""Shows a parallel corpus: its size, a pair with its origin, and word classes of the target side.

python examples/look_at_a_corpus.py corpus.zh corpus.en
"""

from __future__ import annotations

import sys

from demotic.text import ParallelCorpus
from demotic.text.brown import BrownOptions, brown_clusters


def main(source: str, target: str) -> None:
    corpus = ParallelCorpus.read(source, target)
    print(corpus)
    print(corpus.pair(0))
    options = BrownOptions(classes=20)
    clusters = brown_clusters(corpus.target.sentences, corpus.vocabulary, options)
    print(clusters)
    for word in corpus.target[0]:
        cluster = clusters.word_class[corpus.vocabulary.find(word)]
        print(f"{clusters.bits[cluster]:>12}  {word}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
