"""The quality of candidates under tuned weights: oracles and diversity of bins and k-best lists.

Tables 3, 4 and 5 of Liu & Huang 2014, on the test set of zh-en-tatoeba, with the weights kept by
the tuning grid; hypotheses of bins are evaluated by their potential.  The oracle of a list is its
candidate with the highest Bleu+1.  Diversity of two strings is 1 - 2 <c, c'> / (<c, c> + <c', c'>)
with their n-gram counts, 0 if neither has any; that of a list is the mean over its pairs.

    DEMOTIC_BENCH_MODELS=FOLDER python -m benchmarks.tuning_lists
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from benchmarks.results import models_folder
from benchmarks.tuning_cells import Cell
from benchmarks.tuning_run import Task, TuningResults, open_task, search_options
from demotic import _core
from demotic.features.weights import Weights

SIZE = 100
ORDERS = (1, 2, 3, 4)


def main() -> None:
    home = models_folder()
    if home is None:
        return
    results = TuningResults(home)
    print("| system | beam | lists | length | best by score | oracle | diversity n = 1, 2, 3, 4 |")
    print("|---|--:|---|--:|--:|--:|---|")
    for record in results.records:
        cell = Cell(group="", **record["cell"])
        if wanted(cell):
            task = open_task(cell.task, cell.kind, results.models)
            for row in rows(cell, record, task):
                print(f"| {' | '.join(row)} |", flush=True)


def wanted(cell: Cell) -> bool:
    """Plain and search-aware with one seed, by the paper's methods, at two beams."""
    here = cell.task == "zh-en-tatoeba" and cell.kind == "phrase" and cell.seed == 1
    return here and cell.method in ("mira", "mert") and cell.beam in (4, 30)


def rows(cell: Cell, record: dict[str, Any], task: Task) -> Iterator[tuple[str, ...]]:
    index = task.model.weights.index
    weights = Weights(index, np.array([record["weights"][name] for name in index.names]))
    decoder = task.model.decoder(search_options(cell, task.model), weights=weights)
    source = decoder.sentences(task.test.source)
    kbest, bins = decoder.candidates(source, k=SIZE, bins="potential")
    last = np.append(bins.sentence[1:] != bins.sentence[:-1], True)
    for name, lists, chosen, strings in (
        (f"{SIZE} best", kbest, np.ones(len(kbest.sentence), bool), True),
        ("final bin", bins, last, True),
        ("all bins", bins, np.ones(len(last), bool), False),
    ):
        found = Lists(task, lists, source)
        length = float(np.diff(lists.offsets)[chosen].mean())
        values = ", ".join(f"{value:.3f}" for value in found.diversity(chosen)) if strings else ""
        figures = (f"{length:.1f}", *(f"{score:.2f}" for score in found.scores(chosen)), values)
        yield cell.system, str(cell.beam), name, *figures


class Lists:
    """Candidate lists of the test set with their yields and statistics."""

    def __init__(
        self, task: Task, lists: _core.SearchedCandidates, source: _core.SourceSentences
    ) -> None:
        self._bleu = task.bleu
        self._offsets = lists.offsets
        self._texts = lists.texts(source)
        owners = np.repeat(lists.sentence, np.diff(lists.offsets)).astype(np.int64)
        self._rows = task.bleu.statistics(self._texts, owners)
        self._best_first = (np.asarray(lists.scores), task.bleu.gain(self._rows))

    def scores(self, chosen: np.ndarray) -> list[float]:
        """BLEU of the best candidates by model score and by Bleu+1, of the chosen lists."""
        found = []
        for order in self._best_first:
            best = [
                begin + int(np.argmax(order[begin:end]))
                for begin, end in self._spans(chosen)
                if end > begin
            ]
            found.append(self._bleu.corpus_score(self._rows[best].sum(axis=0, dtype=np.int64)))
        return found

    def diversity(self, chosen: np.ndarray) -> list[float]:
        """The mean over the chosen lists that have pairs."""
        every = (
            diversity([text.split() for text in self._texts[begin:end]][:SIZE])
            for begin, end in self._spans(chosen)
        )
        means: list[float] = np.mean([one for one in every if one], axis=0).tolist()
        return means

    def _spans(self, chosen: np.ndarray) -> Iterator[tuple[int, int]]:
        spans = zip(self._offsets[:-1][chosen], self._offsets[1:][chosen], strict=True)
        return ((int(begin), int(end)) for begin, end in spans)


def diversity(strings: Sequence[Sequence[str]]) -> list[float]:
    """Diversity of n-grams of each order; empty if there are no pairs."""
    if len(strings) < 2:
        return []
    pairs = np.triu_indices(len(strings), 1)
    found = []
    for order in ORDERS:
        products = _products(strings, order)
        own = np.diag(products)
        norms = (own[:, None] + own)[pairs]
        same = np.divide(2 * products[pairs], norms, out=np.ones(len(norms)), where=norms > 0)
        found.append(float((1 - same).mean()))
    return found


def _products(strings: Sequence[Sequence[str]], order: int) -> np.ndarray:
    """<c, c'> of all pairs."""
    places: dict[tuple[str, ...], int] = {}
    counted = [Counter(zip(*(words[i:] for i in range(order)), strict=False)) for words in strings]
    for counts in counted:
        for ngram in counts:
            places.setdefault(ngram, len(places))
    table = np.zeros((len(strings), len(places)))
    for row, counts in zip(table, counted, strict=True):
        for ngram, count in counts.items():
            row[places[ngram]] = count
    return np.asarray(table @ table.T)


if __name__ == "__main__":
    main()
