"""Brown clustering compared with the PyPI package `brown-clustering`, and at full size.

Both get the same sentences and number of classes; the average mutual information of both results
is recomputed by one function here.  The package adds 1 to every bigram count by default and counts
sentence ends; it is also run with almost no smoothing, which is its best setting.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
from collections import Counter
from functools import partial
from itertools import pairwise

from benchmarks.pairing import Seconds, compare, measure
from benchmarks.texts import Text, encoded, generated, sentences
from demotic.text.brown import BrownClusters, BrownOptions, brown_clusters

NEWS = "es-en-news/tok/train.en.gz"
NEWS_SPANISH = "es-en-news/tok/train.es.gz"


def main() -> None:
    compare_with_brown_clustering(count=2000, classes=50, pairs=5)
    print()
    alone()


def information(text: Text, class_of: dict[str, int]) -> float:
    """Average mutual information of adjacent classes inside sentences, in nats."""
    both = Counter((class_of[a], class_of[b]) for s in text for a, b in pairwise(s))
    left: Counter[int] = Counter()
    right: Counter[int] = Counter()
    for (a, b), count in both.items():
        left[a] += count
        right[b] += count
    n = sum(both.values())
    return sum(c / n * math.log(c * n / (left[a] * right[b])) for (a, b), c in both.items())


def ours(text: Text, classes: int) -> dict[str, int]:
    corpus, vocabulary = encoded(text)
    clusters = brown_clusters(corpus, vocabulary, BrownOptions(classes=classes))
    return {
        word: int(cluster)
        for word, cluster in zip(vocabulary.words(), clusters.word_class, strict=True)
        if cluster >= 0
    }


def theirs(text: Text, classes: int, alpha: float) -> dict[str, int]:
    from brown_clustering import BigramCorpus, BrownClustering

    with contextlib.redirect_stderr(io.StringIO()):  # its progress bar
        found = BrownClustering(BigramCorpus(text, alpha=alpha), classes).train()
    return {word: number for number, words in enumerate(found) for word in words}


def compare_with_brown_clustering(count: int, classes: int, pairs: int) -> None:
    os.environ.setdefault("NUMBA_NUM_THREADS", "1")
    try:
        import brown_clustering  # noqa: F401
    except ImportError:
        print("brown-clustering: not measured (not installed; `make .venv/.bench`)")
        return
    text, name = sentences(NEWS, count)
    words = sum(map(len, text))
    kinds = len({word for sentence in text for word in sentence})
    for alpha in (1.0, 1e-6):
        pairing = compare(
            ("demotic", partial(ours, text, classes)),
            ("brown-clustering", partial(theirs, text, classes, alpha)),
            pairs=pairs,
        )
        settings = (
            f"C={classes}, V={kinds:,}, 1 thread, sentences in memory, rival's alpha {alpha:g}"
        )
        print(pairing.report(f"{name}, {words:,} words", settings))
        for side, result in (
            ("demotic", ours(text, classes)),
            ("brown-clustering", theirs(text, classes, alpha)),
        ):
            print(f"{side}: average mutual information {information(text, result):.4f} nats")
        print()


def alone() -> None:
    """Our time at full size: median of three runs, without encoding, 1 thread."""
    print(f"{'text':<64} {'V':>7} {'C':>5} {'CPU s':>8} {'wall s':>8} {'ns/VC^2':>8} {'nats':>7}")
    english, english_name = sentences(NEWS)
    spanish, spanish_name = sentences(NEWS_SPANISH)
    made = generated(150_000, words=60_000)
    for text, name, words, classes in (
        (english, english_name, 20_000, 200),
        (english + spanish, f"{english_name}, and the Spanish", 50_000, 200),
        (made, f"generated Zipfian text, {len(made):,} sentences", 50_000, 200),
        (spanish, spanish_name, 20_000, 1000),
    ):
        taken, found = timed(text, BrownOptions(classes=classes, max_words=words))
        v = int((found.word_class >= 0).sum())
        print(
            f"{name:<64} {v:>7,} {classes:>5} {taken.cpu:>8.2f} {taken.wall:>8.2f}"
            f" {taken.cpu * 1e9 / (v * classes**2):>8.2f} {found.information:>7.4f}",
            flush=True,
        )


def timed(text: Text, options: BrownOptions) -> tuple[Seconds, BrownClusters]:
    corpus, vocabulary = encoded(text)
    results: list[BrownClusters] = []
    taken = [
        measure(lambda: results.append(brown_clusters(corpus, vocabulary, options)))
        for _ in range(3)
    ]
    return sorted(taken, key=lambda time: time.cpu)[1], results[0]
