"""What tuned weights leave to choose from: oracles and diversity of final bins and k-best lists.

Tables 4 and 5 of Liu & Huang 2014, on test sets, from the weights that the tuning grid kept.  The
oracle of a list is its candidate of the highest Bleu+1.  Diversity of two strings is
1 - 2 <c, c'> / (<c, c> + <c', c'>) with their counts of n-grams, 0 where neither has any; that of a
list is the mean over its pairs.

    DEMOTIC_BENCH_MODELS=FOLDER python -m benchmarks.tuning_lists
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.tuning_cells import Cell
from benchmarks.tuning_run import Results, Task, open_task, search_options
from demotic import _core
from demotic.weights import Weights

SIZE = 100
ORDERS = (1, 2, 3, 4)


def main() -> None:
    named = os.environ.get("DEMOTIC_BENCH_MODELS")
    if not named:
        print("DEMOTIC_BENCH_MODELS names no folder with results; nothing to do")
        return
    results = Results(Path(named))
    print("| system | beam | seed | lists | length | 1-best | oracle | diversity n = 1, 2, 3, 4 |")
    print("|---|--:|--:|---|--:|--:|--:|---|")
    for record in results.records:
        cell = Cell(group="", **record["cell"])
        if wanted(cell):
            task = open_task(cell.task, cell.kind, results.models)
            for row in rows(cell, record, task):
                print(f"| {' | '.join(row)} |", flush=True)


def wanted(cell: Cell) -> bool:
    """Plain and search-aware of one seed, and nothing beside the paper's methods."""
    known = cell.method in ("mira", "mert") and cell.aware != "partial"
    return known and cell.kind == "phrase" and cell.seed == 1


def rows(cell: Cell, record: dict[str, Any], task: Task) -> Iterator[tuple[str, ...]]:
    index = task.model.weights.index
    weights = Weights(index, np.array([record["weights"][name] for name in index.names]))
    decoder = task.model.decoder(search_options(cell, task.model), weights=weights)
    source = decoder.sentences(task.test.source)
    bins = decoder.bins(source, potential=True)
    last = np.append(bins.sentence[1:] != bins.sentence[:-1], True)
    found = {
        f"{SIZE} best": (decoder.kbest(source, SIZE), slice(None)),
        "final bin": (bins, last),
    }
    for name, (lists, chosen) in found.items():
        length, best, oracle, spread = measured(task, lists, source, chosen)
        values = ", ".join(f"{value:.3f}" for value in spread)
        figures = (f"{length:.1f}", f"{best:.2f}", f"{oracle:.2f}", values)
        yield cell.system, str(cell.beam), str(cell.seed), name, *figures


def measured(
    task: Task, lists: _core.SearchedCandidates, source: _core.SourceSentences, chosen: Any
) -> tuple[float, float, float, list[float]]:
    """Of the chosen lists: mean length, BLEU of the best by score, of the oracles, diversity."""
    begins, ends = lists.offsets[:-1][chosen], lists.offsets[1:][chosen]
    texts, scores = lists.texts(source), np.asarray(lists.scores)
    best, oracle, spread = [], [], []
    for sentence, begin, end in zip(lists.sentence[chosen], begins, ends, strict=True):
        owners = np.full(end - begin, sentence, np.int64)
        rows = task.bleu.statistics(texts[begin:end], owners)
        best.append(rows[np.argmax(scores[begin:end])])
        oracle.append(rows[np.argmax(task.bleu.gain(rows))])
        spread.append(diversity([text.split() for text in texts[begin:end]][:SIZE]))
    scored = [task.bleu.corpus_score(np.array(one).sum(axis=0)) for one in (best, oracle)]
    means = np.mean([one for one in spread if one], axis=0).tolist()
    return float((ends - begins).mean()), scored[0], scored[1], means


def diversity(strings: Sequence[Sequence[str]]) -> list[float]:
    """Of n-grams of each order; empty if there are no pairs."""
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
