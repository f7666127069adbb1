"""What k-best lists and bins of a search hold (Liu & Huang 2014, section 5.3): the best of the
final bins and of all bins, oracles, diversity; and mixtures of score and gain (Chiang, Marton &
Resnik 2008, figure 1)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from demotic.lines import split_words

if TYPE_CHECKING:
    from demotic import _core
    from demotic.learn.dev_set import DevSet
    from demotic.metrics.metric import Metric
    from demotic.search.decoder import Decoder

__all__ = ["diversity", "list_figures", "mixtures"]

_K = 100  # length of the lists
_ORDER = 4  # n-grams whose counts diversity compares
_MIXED = 10  # candidates per sentence and mixture
_SENTENCES = 30  # whose mixtures are drawn

Floats = NDArray[np.float64]


def list_figures(decoder: Decoder, dev: DevSet, metric: Metric, threads: int) -> dict[str, float]:
    """One search of every sentence, and the figures of its lists."""
    source = decoder.sentences(dev.source)
    best, bins = decoder.candidates(source, k=_K, bins="potential", threads=threads)
    texts = best.texts(source)
    rows = metric.statistics(texts, _owners(best), threads=threads)
    gains = metric.gain(rows)
    in_bins = metric.statistics(bins.texts(source), _owners(bins), threads=threads)
    return {
        "one_best": _score(metric, rows, _tops(best.offsets, best.scores)),
        "all_bins": _score(metric, in_bins, _tops(bins.offsets, bins.scores)),
        "oracle": _score(metric, rows, _tops(best.offsets, gains)),
        "diversity": float(
            np.mean([diversity(texts[begin:end]) for begin, end in pairwise(best.offsets.tolist())])
        ),
    }


def _owners(candidates: _core.SearchedCandidates) -> NDArray[np.int64]:
    return np.repeat(candidates.sentence, np.diff(candidates.offsets)).astype(np.int64)


def _tops(offsets: NDArray[np.int64], values: Floats) -> list[int]:
    """The place of the largest value of every list; of equal ones the first."""
    return [
        begin + int(np.argmax(values[begin:end]))
        for begin, end in pairwise(offsets.tolist())
        if end > begin
    ]


def _score(metric: Metric, rows: NDArray[Any], places: list[int]) -> float:
    return metric.corpus_score(rows[places].sum(axis=0, dtype=np.int64))


def diversity(texts: list[str]) -> float:
    """The mean over pairs of 1 - 2 <c, c'> / (<c, c> + <c', c'>), c the counts of n-grams.

    0 for equal texts, 1 for texts without a common word; 0 for a list of one.
    """
    if len(texts) < 2:
        return 0.0
    counts = [_ngrams(text) for text in texts]
    index = {gram: i for i, gram in enumerate(dict.fromkeys(g for one in counts for g in one))}
    table = np.zeros((len(texts), max(1, len(index))))
    for row, one in zip(table, counts, strict=True):
        for gram, count in one.items():
            row[index[gram]] = count
    products = table @ table.T
    norms = np.diag(products)
    sums = norms[:, None] + norms[None, :]
    shares = np.divide(2 * products, sums, out=np.ones_like(products), where=sums > 0)
    above = np.triu_indices(len(texts), 1)
    return float(1 - shares[above].mean())


def _ngrams(text: str) -> Counter[tuple[str, ...]]:
    words = split_words(text)
    return Counter(
        tuple(words[i : i + n]) for n in range(1, _ORDER + 1) for i in range(len(words) - n + 1)
    )


def mixtures(
    decoder: Decoder, dev: DevSet, metric: Metric, threads: int
) -> dict[str, list[list[float]]]:
    """Score behind the best, and gain, of the candidates that each mixture prefers.

    Candidates are those of k-best lists; mu weighs the score against the gain, from the best gain
    (0) to the best score (1); infinity is the score minus the gain (fear).
    """
    source = decoder.sentences(dev.source)
    best, _ = decoder.candidates(source, k=_K, threads=threads)
    gains = metric.gain(metric.statistics(best.texts(source), _owners(best), threads=threads))
    curves: dict[str, list[list[float]]] = {}
    for begin, end in pairwise(best.offsets.tolist()[: _SENTENCES + 1]):
        score, gain = best.scores[begin:end] - best.scores[begin:end].max(), gains[begin:end]
        mixed = {
            "mu-0": gain,
            "mu-0.5": 0.5 * gain + 0.5 * score,
            "mu-1": score,
            "mu-infinity": score - gain,
        }
        for name, values in mixed.items():
            for i in np.argsort(-values, kind="stable")[:_MIXED].tolist():
                curves.setdefault(name, []).append([float(score[i]), 100 * float(gain[i])])
    return curves
