"""Posteriors, likelihoods, best alignments and EM steps equal those of enumeration."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from demotic.align import Aligner, AlignOptions, Bitext
from tests.align.texts import invented, tiny
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


def _sentence(bitext: Bitext, index: int, target: bool) -> list[int]:
    corpus = bitext.target if target else bitext.source
    begin, end = corpus.offsets[index : index + 2]
    return [int(word) for word in corpus.words[begin:end]]


def _expected(aligner: Aligner, bitext: Bitext, index: int, backward: bool) -> oracle.Expected:
    generated = _sentence(bitext, index, target=not backward)
    conditioning = _sentence(bitext, index, target=backward)
    return oracle.expect(
        generated,
        conditioning,
        _translation(aligner, backward),
        _positions(aligner, backward),
    )


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("max_jump", [1, 2, 10])
def test_posteriors_equal_enumeration(model: str, backward: bool, max_jump: int) -> None:
    if model != "hmm" and max_jump != 1:
        pytest.skip("only the HMM jumps")
    bitext = invented(30, longest=5)
    options = AlignOptions(
        model=model, iterations=2, initial_iterations=1, max_jump=max_jump, null_probability=0.15
    )
    aligner = Aligner(options).fit(bitext)
    for index in range(len(bitext)):
        source, target = (_sentence(bitext, index, side) for side in (False, True))
        if not source or not target:
            continue
        expected = _expected(aligner, bitext, index, backward)
        found = aligner.native_.posteriors(bitext.source, bitext.target, index)
        assert found[2 + backward] == pytest.approx(expected.log_likelihood, rel=TOLERANCE)
        for i in range(len(source)):
            for j in range(len(target)):
                link = (i, j) if backward else (j, i)
                assert found[backward][i, j] == pytest.approx(
                    expected.links[link], rel=1e-3, abs=TOLERANCE
                )


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("backward", [False, True])
def test_best_alignment_is_the_likeliest(model: str, backward: bool) -> None:
    bitext = invented(30, seed=2, longest=5)
    options = AlignOptions(model=model, symmetrize="backward" if backward else "forward")
    aligner = Aligner(options).fit(bitext)
    links = aligner.align(bitext)
    for index in range(len(bitext)):
        generated = _sentence(bitext, index, target=not backward)
        conditioning = _sentence(bitext, index, target=backward)
        if not generated or not conditioning:
            continue
        found: list[int | None] = [None] * len(generated)
        for i, j in links[index]:
            row, column = (i, j) if backward else (j, i)
            found[row] = column
        expected = _expected(aligner, bitext, index, backward)
        arguments = generated, conditioning, _translation(aligner, backward)
        positions = _positions(aligner, backward)
        score = oracle.joint(tuple(found), *arguments, positions)
        best = oracle.joint(expected.best, *arguments, positions)
        assert score == pytest.approx(best, rel=1e-4)


@pytest.mark.parametrize("model", MODELS)
def test_first_steps_equal_exact_em(model: str) -> None:
    """One pass from uniform translations, tension and jumps at their first values."""
    bitext = tiny()
    options = AlignOptions(
        model=model,
        initial_iterations=0,
        iterations=1,
        optimize_tension=False,
        null_probability=0.2,
        alpha=0,
        agree=False,
    )
    start = Aligner(options).fit(bitext)
    pairs = [
        (_sentence(bitext, k, target=True), _sentence(bitext, k, target=False))
        for k in range(len(bitext))
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
    bitext = invented(200, seed=3)
    options = AlignOptions(
        model=model,
        initial_iterations=0,
        iterations=12,
        optimize_tension=False,
        max_jump=4,
        alpha=0,
        agree=False,
    )
    seen = Aligner(options).fit(bitext).log_likelihoods_
    for before, after in itertools.pairwise(seen):
        for one, next_one in zip(before, after, strict=True):
            assert next_one >= one - 1e-6 * abs(one)


def test_a_fitted_tension_is_likelier() -> None:
    bitext = invented(300, seed=4)
    fitted, fixed = (
        Aligner(AlignOptions(model="diagonal", iterations=6, optimize_tension=fit)).fit(bitext)
        for fit in (True, False)
    )
    for backward in (0, 1):
        assert fitted.log_likelihoods_[-1][backward] > fixed.log_likelihoods_[-1][backward]
        assert fitted.native_.tension[backward] != 4.0


def test_counts_of_frequent_words_stay_exact() -> None:
    """A text many times over teaches what it teaches once; single precision alone would not."""
    pairs = [("a", "x"), ("a b", "x y"), ("b c a", "y z x"), ("c c", "z x")]
    options = AlignOptions(model="ibm1", iterations=3, agree=False)
    once = Aligner(options).fit(Bitext.from_pairs(pairs))
    often = Aligner(options).fit(Bitext.from_pairs(pairs * 150_000))
    for source in range(3, len(once.vocabularies_[0])):
        for target in range(3, len(once.vocabularies_[1])):
            assert often.native_.translation(source, target) == pytest.approx(
                once.native_.translation(source, target), rel=1e-5, abs=1e-7
            )
