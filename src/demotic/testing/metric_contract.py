"""What every metric promises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from demotic.metrics.metric import Metric
from demotic.metrics.references import References
from demotic.testing.contract import called, refuses, require

if TYPE_CHECKING:
    from demotic.metrics.metric import Numbers, Rows

__all__ = ["Make", "check_metric"]

Make = Callable[[References], Metric]

_REFERENCES = (
    ("the house is small .", "a small house ."),
    ("he said : 3.5 - 4 % of us", "3.5 to 4 percent of us , he said"),
    ("这 是 一 只 猫 。", "那 是 猫 。"),
    ("one", "one two three four five six seven"),
    ("a a a b a a a b", "b a b a b a b a"),
    ("the U.S.A. !", "U.S.A. !"),
)
_CANDIDATES = ("the small house", "4 % of us said he", "这 是 猫", "one two", "a b a b", "")


def check_metric(
    make: Make,
    references: Sequence[Sequence[str]] = _REFERENCES,
    candidates: Sequence[str] = _CANDIDATES,
) -> None:
    """Raises ContractError at the first promise that the metric does not keep.

    `make` is the class, or a function of the references; `references` by sentence; candidate i is
    one of sentence i.
    """
    with called("making the metric"):
        metric = make(References.from_sentences(references))
    require(
        isinstance(metric, Metric),
        f"{type(metric).__name__}: expected a class derived from demotic.metrics.Metric",
    )
    _is_described(metric)
    with called("statistics"):
        rows = metric.statistics(list(candidates))
    _rows_are_whole_numbers(metric, rows, len(candidates))
    _rows_do_not_depend_on_company(metric, candidates, rows)
    _ids_of_words_give_the_same(metric, candidates, rows)
    _statistics_add(make, metric, references, candidates)
    _scores_are_functions_of_sums(metric, rows)
    _the_native_formula_is_the_objective(metric, rows)
    _gains_are_in_range(metric, rows)
    _the_references_are_better(metric, references)
    _bad_calls_are_refused(metric)


def _is_described(metric: Metric) -> None:
    require(isinstance(metric.name, str) and metric.name, "name is empty; expected what to print")
    require(
        isinstance(metric.columns, int) and metric.columns > 0,
        f"columns is {metric.columns!r}; expected the number of statistics per candidate",
    )
    require(isinstance(metric.higher_is_better, bool), "higher_is_better: expected True or False")
    with called("signature"):
        signature = metric.signature
    require(isinstance(signature, str) and signature, "signature is empty")
    number = metric.references.number
    nrefs = f"nrefs:{'var' if number is None else number}"
    require(nrefs in signature, f"signature {signature!r} does not have {nrefs}")


def _rows_are_whole_numbers(metric: Metric, rows: Rows, count: int) -> None:
    require(
        rows.shape == (count, metric.columns),
        f"statistics of {count} candidates have the shape {rows.shape}; expected "
        f"{(count, metric.columns)}",
    )
    require(rows.dtype == np.int32, f"statistics are {rows.dtype}; expected int32")


def _rows_do_not_depend_on_company(metric: Metric, candidates: Sequence[str], rows: Rows) -> None:
    order = np.random.default_rng(1).permutation(np.repeat(np.arange(len(candidates)), 3))
    mixed = [candidates[i] for i in order]
    for threads in (1, 2, 5):
        with called("statistics of candidates in another order"):
            found = metric.statistics(mixed, order, threads=threads)
        require(
            (found == rows[order]).all(),
            "the statistics of a candidate depend on its neighbours or on the number of threads",
        )


def _ids_of_words_give_the_same(metric: Metric, candidates: Sequence[str], rows: Rows) -> None:
    split = [text.split(" ") if text else [] for text in candidates]
    words = sorted({word for text in split for word in text})
    ids = np.array([words.index(word) for text in split for word in text], np.int32)
    offsets = np.concatenate(([0], np.cumsum([len(text) for text in split], dtype=np.int64)))
    with called("counter"):
        found = metric.counter(words)(offsets, ids, np.arange(len(candidates)), 1)
    require((found == rows).all(), "counter(words) gives other statistics than the text")


def _statistics_add(
    make: Make, metric: Metric, references: Sequence[Sequence[str]], candidates: Sequence[str]
) -> None:
    """The statistics of a corpus are those of its parts, and so is its score."""
    if metric.references.number is None:
        return  # the scale of average lengths belongs to the whole
    middle = len(candidates) // 2
    halves = [
        make(References.from_sentences(references[part])).statistics(list(candidates[part]))
        for part in (slice(0, middle), slice(middle, None))
        if len(references[part])
    ]
    total = np.sum([half.sum(axis=0) for half in halves], axis=0)
    whole = metric.statistics(list(candidates)).sum(axis=0)
    require(
        (total == whole).all(),
        f"statistics do not add: {total.tolist()} from two halves, {whole.tolist()} from the whole",
    )


def _scores_are_functions_of_sums(metric: Metric, rows: Rows) -> None:
    sums = np.cumsum(rows, axis=0, dtype=np.int64)
    with called("corpus_scores"):
        scores = metric.corpus_scores(sums)
    require(
        scores.shape == (len(sums),),
        f"corpus_scores of {len(sums)} sums has the shape {scores.shape}; expected {(len(sums),)}",
    )
    require(np.isfinite(scores).all(), f"corpus_scores gives {scores.tolist()}; expected numbers")
    for row, score in zip(sums, scores, strict=True):
        alone = metric.corpus_score(row)
        require(alone == score, f"a sum scores {alone} alone and {score} among others")
    with called("corpus_scores of floating-point sums"):
        again = metric.corpus_scores(sums.astype(np.float64))
    require((again == scores).all(), "sums as floating-point numbers have other scores")


def _the_native_formula_is_the_objective(metric: Metric, rows: Rows) -> None:
    """By the line search over a single list, whose only line is the candidate itself."""
    if metric.native_form is None or metric.background.sum() == 0:
        return
    from demotic.learn.evidence import Pool

    start = np.rint(metric.background).astype(np.int32)
    for row in rows:
        pool = Pool.of([([[1.0]], [start + row])])
        _, score = pool.native.line_search(metric.native_form, np.ones(1), np.zeros(1))
        expected = float(metric.objective((start + row)[None])[0])
        require(
            abs(score - expected) < 1e-9,
            f"native_form gives {score} for {(start + row).tolist()}, objective {expected}",
        )


def _gains_are_in_range(metric: Metric, rows: Numbers) -> None:
    with called("gain"):
        gains = metric.gain(rows)
    require(
        gains.shape == (len(rows),),
        f"gain of {len(rows)} rows has the shape {gains.shape}; expected {(len(rows),)}",
    )
    low, high = float(gains.min()), float(gains.max())
    require(low >= 0 and high <= 1, f"gains from {low} to {high}; expected them in [0, 1]")


def _the_references_are_better(metric: Metric, references: Sequence[Sequence[str]]) -> None:
    pairs = [(i, text) for i, texts in enumerate(references) for text in texts if text.strip()]
    owners = [i for i, _ in pairs]
    better = metric.gain(metric.statistics([text for _, text in pairs], owners))
    for text in ("\u2603", "", "\u2603 " * 30):
        worse = metric.gain(metric.statistics([text] * len(pairs), owners))
        for (_, reference), good, bad in zip(pairs, better, worse, strict=True):
            require(
                good > bad,
                f"the reference {reference!r} has gain {good:.4f}, the translation {text!r} "
                f"{bad:.4f}; expected a reference to be better than nonsense",
            )


def _bad_calls_are_refused(metric: Metric) -> None:
    size = len(metric.references)
    refuses(lambda: metric.statistics(["x"] * (size + 1)), ValueError, "a candidate too many")
    refuses(lambda: metric.statistics(["x"], [size]), IndexError, "a sentence that there is not")
    refuses(lambda: metric.statistics(["x"], [-1]), IndexError, "sentence -1")
    refuses(lambda: metric.statistics(["x", "y"], [0]), ValueError, "2 candidates and 1 sentence")
    refuses(lambda: metric.statistics(["x", 3], [0, 0]), TypeError, "a number for a candidate")  # type: ignore[list-item]
    refuses(lambda: metric.statistics("x" * size), TypeError, "a string for a list of candidates")
