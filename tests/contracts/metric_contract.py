"""The contract of every metric; `check_metric` is run on each of them with its own texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from demotic.metrics import Metric, References

Make = Callable[[References], Metric]


def check_metric(
    make: Make, references: Sequence[Sequence[str]], candidates: Sequence[str]
) -> None:
    """`references` by sentence; candidate i belongs to sentence i."""
    metric = make(References.from_sentences(references))
    rows = metric.statistics(candidates)
    _rows_are_whole_numbers(metric, rows, len(candidates))
    _rows_do_not_depend_on_company(metric, candidates, rows)
    _statistics_add(make, metric, references, candidates)
    _scores_are_functions_of_sums(metric, rows)
    _gains_are_in_range(metric, rows)
    _the_references_are_perfect(metric, references)
    _signature_is_complete(metric)
    _bad_calls_are_refused(metric)


def _rows_are_whole_numbers(metric: Metric, rows: np.ndarray, count: int) -> None:
    assert rows.shape == (count, metric.columns)
    assert rows.dtype == np.int32
    assert (rows >= 0).all()


def _rows_do_not_depend_on_company(
    metric: Metric, candidates: Sequence[str], rows: np.ndarray
) -> None:
    order = np.random.default_rng(1).permutation(np.repeat(np.arange(len(candidates)), 3))
    mixed = [candidates[i] for i in order]
    for threads in (1, 2, 5):
        assert (metric.statistics(mixed, order, threads=threads) == rows[order]).all()


def _statistics_add(
    make: Make, metric: Metric, references: Sequence[Sequence[str]], candidates: Sequence[str]
) -> None:
    """The statistics of a corpus are the sum over its parts, and so is its score."""
    middle = len(candidates) // 2
    halves = [
        make(References.from_sentences(references[part])).statistics(candidates[part])
        for part in (slice(0, middle), slice(middle, None))
        if len(references[part])
    ]
    if metric.references.number is None:
        return  # the scale of average lengths depends on the whole corpus
    total = np.sum([half.sum(axis=0) for half in halves], axis=0)
    assert (total == metric.statistics(candidates).sum(axis=0)).all()


def _scores_are_functions_of_sums(metric: Metric, rows: np.ndarray) -> None:
    sums = np.cumsum(rows, axis=0, dtype=np.int64)
    scores = metric.corpus_scores(sums)
    assert np.isfinite(scores).all()
    for row, score in zip(sums, scores, strict=True):
        assert metric.corpus_score(row) == score


def _gains_are_in_range(metric: Metric, rows: np.ndarray) -> None:
    gains = metric.gain(rows)
    assert gains.shape == (len(rows),)
    assert ((gains >= 0) & (gains <= 1)).all()


def _the_references_are_perfect(metric: Metric, references: Sequence[Sequence[str]]) -> None:
    pairs = [(i, text) for i, texts in enumerate(references) for text in texts if text.strip()]
    rows = metric.statistics([text for _, text in pairs], [i for i, _ in pairs])
    better = metric.gain(rows)
    for text in ("\u2603", "", "\u2603 " * 30):
        worse = metric.gain(metric.statistics([text] * len(pairs), [i for i, _ in pairs]))
        assert (better > worse).all()


def _signature_is_complete(metric: Metric) -> None:
    number = metric.references.number
    for part in metric.signature.split(" ")[-1:]:
        keys = dict(item.split(":") for item in part.split("|"))
        assert keys["nrefs"] == ("var" if number is None else str(number))
        assert {"case", "version"} <= set(keys)
    assert metric.name


def _bad_calls_are_refused(metric: Metric) -> None:
    size = len(metric.references)
    with pytest.raises(ValueError, match=rf"{size + 1} candidates, .* of {size} sentences"):
        metric.statistics(["x"] * (size + 1))
    with pytest.raises(IndexError, match=f"sentence {size} of {size}"):
        metric.statistics(["x"], [size])
    with pytest.raises(IndexError):
        metric.statistics(["x"], [-1])
    with pytest.raises(ValueError, match="2 candidates, but 1 sentence numbers"):
        metric.statistics(["x", "y"], [0])
    with pytest.raises(TypeError, match="candidate 1: int"):
        metric.statistics(["x", 3], [0, 0])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="a string instead of a list"):
        metric.statistics("x" * size)
