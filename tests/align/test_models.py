"""Posteriors, likelihoods, best alignments and EM steps equal those of enumeration."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

from demotic._core import exp_digamma
from demotic.align import Aligner, AlignOptions
from demotic.text.parallel import ParallelCorpus
from tests.align.texts import invented, parallel, tiny
from tests.oracle import alignment as oracle

MODELS = ["ibm1", "diagonal", "hmm"]
TOLERANCE = 2e-5  # translation probabilities are single precision


def _positions(aligner: Aligner, backward: bool) -> oracle.Positions:
    native = aligner.native_
    return oracle.Positions(
        model=aligner.options.model,
        null=native.null_probability,
        tension=native.tension[backward],
        jumps=native.jumps(backward),
        uniform=aligner.options.jump_uniform,
    )


def _translation(aligner: Aligner, backward: bool) -> Callable[[int | None, int], float]:
    native = aligner.native_
    null = native.backward_null if backward else native.forward_null

    def probability(conditioning: int | None, generated: int) -> float:
        if conditioning is None:
            return float(null[generated])
        if backward:
            return native.translation(generated, conditioning)[1]
        return native.translation(conditioning, generated)[0]

    return probability


def _sentence(corpus: ParallelCorpus, index: int, target: bool) -> list[int]:
    return (corpus.target if target else corpus.source).ids(index).tolist()


def _expected(
    aligner: Aligner, corpus: ParallelCorpus, index: int, backward: bool
) -> oracle.Expected:
    generated = _sentence(corpus, index, target=not backward)
    conditioning = _sentence(corpus, index, target=backward)
    return oracle.expect(
        generated,
        conditioning,
        _translation(aligner, backward),
        _positions(aligner, backward),
    )


@pytest.mark.parametrize(
    ("model", "max_jump"), [("ibm1", 1), ("diagonal", 1), ("hmm", 1), ("hmm", 2), ("hmm", 10)]
)
@pytest.mark.parametrize("backward", [False, True])
def test_posteriors_equal_enumeration(model: str, backward: bool, max_jump: int) -> None:
    corpus = invented(30, longest=5)
    options = AlignOptions(
        model=model, iterations=2, initial_iterations=1, max_jump=max_jump, null_probability=0.15
    )
    aligner = Aligner(options).fit(corpus)
    for index in range(len(corpus)):
        source, target = (_sentence(corpus, index, side) for side in (False, True))
        if not source or not target:
            continue
        expected = _expected(aligner, corpus, index, backward)
        found = aligner.native_.posteriors(corpus.source.sentences, corpus.target.sentences, index)
        assert found[2 + backward] == pytest.approx(expected.log_likelihood, rel=TOLERANCE)
        for i in range(len(source)):
            for j in range(len(target)):
                link = (i, j) if backward else (j, i)
                assert found[backward][i, j] == pytest.approx(
                    expected.links[link], rel=1e-3, abs=TOLERANCE
                )


@pytest.mark.parametrize("backward", [False, True])
def test_diagonal_posteriors_of_longer_sentences(backward: bool) -> None:
    """Row by row from the formula; rows of short sentences come from a table, others do not."""
    corpus = invented(40, seed=3, longest=32)
    aligner = Aligner(AlignOptions(model="diagonal", iterations=2)).fit(corpus)
    null, tension = aligner.native_.null_probability, aligner.native_.tension[backward]
    translation = _translation(aligner, backward)
    lengths = set()
    for index in range(len(corpus)):
        rows = _sentence(corpus, index, target=not backward)
        columns = _sentence(corpus, index, target=backward)
        if not rows or not columns:
            continue
        lengths.add(max(len(rows), len(columns)))
        found = aligner.native_.posteriors(corpus.source.sentences, corpus.target.sentences, index)
        links = found[backward] if backward else found[backward].T
        r, c = np.arange(1, len(rows) + 1)[:, None], np.arange(1, len(columns) + 1)
        prior = np.exp(-tension * np.abs(r / len(rows) - c / len(columns)))
        prior *= (1 - null) / prior.sum(axis=1, keepdims=True)
        joint = prior * [[translation(column, row) for column in columns] for row in rows]
        empty = np.array([null * translation(None, row) for row in rows])
        expected = joint / (joint.sum(axis=1) + empty)[:, None]
        np.testing.assert_allclose(links, expected, rtol=1e-3, atol=TOLERANCE)
    assert min(lengths) <= 24 < max(lengths)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("backward", [False, True])
def test_best_alignment_is_the_likeliest(model: str, backward: bool) -> None:
    corpus = invented(30, seed=2, longest=5)
    options = AlignOptions(model=model, symmetrize="backward" if backward else "forward")
    aligner = Aligner(options).fit(corpus)
    links = aligner.align(corpus)
    for index in range(len(corpus)):
        generated = _sentence(corpus, index, target=not backward)
        conditioning = _sentence(corpus, index, target=backward)
        if not generated or not conditioning:
            continue
        found: list[int | None] = [None] * len(generated)
        for i, j in links[index]:
            row, column = (i, j) if backward else (j, i)
            found[row] = column
        expected = _expected(aligner, corpus, index, backward)
        arguments = generated, conditioning, _translation(aligner, backward)
        positions = _positions(aligner, backward)
        score = oracle.joint(tuple(found), *arguments, positions)
        best = oracle.joint(expected.best, *arguments, positions)
        assert score == pytest.approx(best, rel=1e-4)


@pytest.mark.parametrize("model", MODELS)
def test_first_steps_equal_exact_em(model: str) -> None:
    """One pass from uniform translations, with initial tension and jumps."""
    corpus = tiny()
    options = AlignOptions(
        model=model,
        initial_iterations=0,
        iterations=1,
        optimize_tension=False,
        null_probability=0.2,
        alpha=0,
        agree=False,
    )
    start = Aligner(options).fit(corpus)
    pairs = [
        (_sentence(corpus, k, target=True), _sentence(corpus, k, target=False))
        for k in range(len(corpus))
    ]
    words = 1 + max(word for generated, _ in pairs for word in generated)
    sources: list[int | None] = [None, *{word for _, source in pairs for word in source}]
    table = {(source, target): 1 / words for source in sources for target in range(words)}
    likelihood, table = oracle.em_step(pairs, table, _positions(start, False))
    assert start.log_likelihoods_[0][0] == pytest.approx(likelihood, rel=TOLERANCE)
    for (source, target), probability in table.items():
        assert _translation(start, False)(source, target) == pytest.approx(
            probability, rel=1e-4, abs=1e-7
        )


@pytest.mark.parametrize("model", MODELS)
def test_likelihood_never_falls(model: str) -> None:
    corpus = invented(200, seed=3)
    options = AlignOptions(
        model=model,
        initial_iterations=0,
        iterations=12,
        optimize_tension=False,
        max_jump=4,
        alpha=0,
        agree=False,
    )
    seen = Aligner(options).fit(corpus).log_likelihoods_
    for before, after in itertools.pairwise(seen):
        for one, next_one in zip(before, after, strict=True):
            assert next_one >= one - 1e-6 * abs(one)


def test_a_fitted_tension_is_likelier() -> None:
    corpus = invented(300, seed=4)
    fitted, fixed = (
        Aligner(AlignOptions(model="diagonal", iterations=6, optimize_tension=fit)).fit(corpus)
        for fit in (True, False)
    )
    for backward in (0, 1):
        assert fitted.log_likelihoods_[-1][backward] > fixed.log_likelihoods_[-1][backward]
        assert fitted.native_.tension[backward] != 4.0


def test_counts_of_frequent_words_stay_exact() -> None:
    """Repeating a text does not change the estimates; with single precision it would."""
    pairs = [("a", "x"), ("a b", "x y"), ("b c a", "y z x"), ("c c", "z x")]
    options = AlignOptions(model="ibm1", iterations=3, agree=False)
    once = Aligner(options).fit(parallel(pairs))
    often = Aligner(options).fit(parallel(pairs * 150_000))
    for source in range(3, len(once.vocabulary_)):
        for target in range(3, len(once.vocabulary_)):
            assert often.native_.translation(source, target) == pytest.approx(
                once.native_.translation(source, target), rel=1e-5, abs=1e-7
            )


@pytest.mark.parametrize("x", [0.035, 0.1, 0.5, 1.0, 1.5, 3.0, 10.0, 1234.5, 1e7])
def test_exp_digamma(x: float) -> None:
    """Against digamma as the derivative of log-gamma, far from zero, and its recurrence."""
    high = x + 1000
    series = math.log(high) - 1 / (2 * high) - 1 / (12 * high**2)
    digamma = series - math.fsum(1 / (x + k) for k in range(1000))
    assert exp_digamma(x) == pytest.approx(math.exp(digamma), rel=1e-6)
    assert exp_digamma(0.03) == 0
