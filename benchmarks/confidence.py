"""Word confidence against baselines: calibrated on a dev set, measured on a test set.

    python -m benchmarks.confidence MODEL dev.zh dev.en test.zh test.en

Rows are calibrated alike: isotonic regression on the dev set, and for copied words their share of
correct ones.  The scale of posteriors is chosen on the dev set.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from demotic.confidence.isotonic import area_under_roc, calibration_error, isotonic_points
from demotic.confidence.learning import SCALES
from demotic.confidence.posteriors import WordPosteriors, word_posteriors
from demotic.learn.dev_set import DevSet
from demotic.metrics.ter import Ter, TerOptions
from demotic.model import Model
from demotic.search import SearchResult

LIST = 100  # distinct translations that vote
_BATCH = 50

Floats = NDArray[np.float64]


class Words(NamedTuple):
    """All words of a text: a column each, and whether they are copied and correct."""

    columns: Floats
    copied: NDArray[np.bool_]
    correct: NDArray[np.bool_]


NAMES = (
    *(f"posterior, scale {scale}" for scale in SCALES),
    *(f"occurs anywhere, scale {scale}" for scale in SCALES),
    f"share of the {LIST}-best list",
    f"share of the {LIST}-best list, weighted",
    "score of the sentence per word",
)
# Of several scales, the best on the dev set.
ROWS = (NAMES[: len(SCALES)], NAMES[len(SCALES) : -3], *((name,) for name in NAMES[-3:]))


def main() -> None:
    if len(sys.argv) != 6:
        print(__doc__)
        return
    model = Model.load(sys.argv[1])
    dev, test = (words_of(model, *sys.argv[i : i + 2]) for i in (2, 4))
    print(f"{len(dev.correct):,} dev words, {dev.correct.mean():.1%} correct")
    print(f"{len(test.correct):,} test words, {test.correct.mean():.1%} correct\n")
    print(f"{'':40} {'area':>6} {'error':>6}  {'area, copied apart':>18} {'error':>6}")
    for names in ROWS:
        plain, apart = (measured(dev, test, names, apart=apart) for apart in (False, True))
        print(f"{apart[0]:40} {plain[1]:6.3f} {plain[2]:6.3f}  {apart[1]:18.3f} {apart[2]:6.3f}")
    raw = calibration_error(test.columns[:, NAMES.index("posterior, scale 1.0")], test.correct)
    print(f"calibration error of posteriors at scale 1 as they are: {raw:.3f}")


def measured(
    dev: Words, test: Words, names: tuple[str, ...], *, apart: bool
) -> tuple[str, float, float]:
    """Name, area under ROC and calibration error; `apart`: copied words have their own share."""
    known = ~dev.copied if apart else np.ones(len(dev.correct), np.bool_)
    places = [NAMES.index(name) for name in names]
    areas = [area_under_roc(dev.columns[known, i], dev.correct[known]) for i in places]
    best = places[int(np.argmax(areas))]
    points = isotonic_points(dev.columns[known, best], dev.correct[known])
    found = np.interp(test.columns[:, best], *points)
    if apart:
        share = (dev.correct[~known].sum() + 1) / ((~known).sum() + 2)
        found = np.where(test.copied, share, found)
    return NAMES[best], area_under_roc(found, test.correct), calibration_error(found, test.correct)


def words_of(model: Model, source: str, reference: str) -> Words:
    dev = DevSet.read(source, [reference], model.raw_text)
    decoder = model.decoder()
    rows: list[Floats] = []
    texts: list[str] = []
    copied: list[NDArray[np.bool_]] = []
    for begin in range(0, len(dev), _BATCH):
        for result in decoder.search(dev.source[begin : begin + _BATCH]):
            found = word_posteriors(result, SCALES)
            texts.append(" ".join(found.words))
            copied.append(found.copied)
            if found.words:
                rows.append(np.stack([*found.posteriors, *baselines(result, found)], axis=1))
    kept = Ter(dev.references, TerOptions(case_sensitive=True)).kept_words(texts)
    return Words(np.concatenate(rows), np.concatenate(copied), np.concatenate(kept))


def baselines(result: SearchResult, found: WordPosteriors) -> Iterator[Floats]:
    """The other columns of a sentence."""
    forest, scores = result.forest, result.edge_scores
    target, ids = forest.edge_target, forest.yields(forest.viterbi(scores))[0].tolist()
    edges = np.repeat(np.arange(forest.edges), np.diff(target.offsets))
    own = [edges[target.values == word] for word in ids]
    for scale in SCALES:  # expected occurrences, per occurrence in the translation
        posteriors = forest.edge_posteriors(scale * scores)
        counts = [
            posteriors[one].sum() / ids.count(word) for one, word in zip(own, ids, strict=True)
        ]
        yield np.minimum(counts, 1.0)
    best = forest.kbest(LIST, scores, distinct=True)
    lists = [set(words.tolist()) for words in forest.yields(best)]
    votes = np.array([[word in words for words in lists] for word in ids])
    for weights in (np.ones(len(best)), np.exp(best.scores - best.scores[0])):
        yield votes @ weights / weights.sum()
    yield np.full(len(ids), best.scores[0] / len(ids))


if __name__ == "__main__":
    main()
