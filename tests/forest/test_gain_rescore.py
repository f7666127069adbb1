"""Gains of edges add up to BLEU in context, for the derivation chosen by the nodes."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import _core
from demotic.learn.forest_evidence import ForestEvidence
from demotic.testing.plain_metrics import PlainBleu
from tests.forest.small_forests import SmallForest, forest_of, small_forests
from tests.learn.small_evidence import evidence_of
from tests.near import near

REFERENCE = "w0 w1 w1 w0 w0 w1 w2 w0"
FACTORS = st.sampled_from([(1.0, 1.0), (0.5, 0.5), (-1.0, 1.0), (1.0, 0.0)])
COUNTS = st.lists(st.integers(1, 5), min_size=4, max_size=4)


def unclipped(words: list[str], reference: str) -> np.ndarray:
    """Matches of n-grams that the reference has at all, and totals, n = 1..4."""
    known = reference.split()
    row = np.zeros(8)
    for n in range(1, 5):
        have = Counter(tuple(known[i : i + n]) for i in range(len(known) - n + 1))
        grams = [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]
        row[n - 1], row[3 + n] = sum(gram in have for gram in grams), len(grams)
    return row


def in_context(
    background: np.ndarray, words: list[str], length: float, source: float, before: float
) -> float:
    """B of Chiang et al. 2008, equation 8."""
    row = np.concatenate([unclipped(words, REFERENCE), [length]])
    return (before + source) * float(PlainBleu().objective((background + row)[None])[0])


def gains(
    evidence: ForestEvidence, scores: np.ndarray, background: np.ndarray, *factors: float
) -> np.ndarray:
    covered = evidence.covered[0]
    lengths = (3.0, float(len(REFERENCE.split())))
    return _core.edge_gains(
        evidence.native, 0, scores, covered, background, lengths, (factors[0], factors[1])
    )


@given(drawn=small_forests(), matches=COUNTS, factors=FACTORS, seed=st.integers(0, 99))
@settings(max_examples=300, deadline=None)
def test_the_best_derivation_has_its_gain(
    drawn: SmallForest, matches: list[int], factors: tuple[float, float], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    covered = rng.integers(1, 6, drawn.forest.nodes).astype(np.int32)
    evidence = evidence_of([drawn.forest], [REFERENCE], [covered])
    background = np.array([*matches, *(count + 2 for count in matches), 6.0])
    scores = np.where(np.isinf(drawn.scores), -np.inf, rng.normal(size=drawn.forest.edges))
    found = gains(evidence, scores, background, *factors)
    assert np.isfinite(found).all()
    with np.errstate(invalid="ignore"):
        mixed = np.where(np.isinf(scores), scores, factors[1] * scores + factors[0] * found)
    best = drawn.forest.viterbi(mixed)
    if len(best) == 0:
        return
    words = [f"w{word}" for word in drawn.forest.yields(best)[0]]
    whole = in_context(background, words, 8.0, float(covered[-1]), 3.0)
    nothing = in_context(background, [], 0.0, 0.0, 3.0)
    assert found[best[0]].sum() == near(whole - nothing, abs=1e-9)


@given(words=st.lists(st.integers(0, 2), min_size=1, max_size=12), seed=st.integers(0, 99))
@settings(max_examples=100, deadline=None)
def test_the_bracketing_does_not_change_the_gain(words: list[int], seed: int) -> None:
    """N-grams that span several tails are counted exactly once."""
    rng = np.random.default_rng(seed)
    tails: list[list[tuple[int, ...]]] = []
    targets: list[list[int]] = []

    def build(begin: int, end: int) -> int:
        """A node for words[begin:end]: one edge with two tails and words between, or words only."""
        left, right = sorted(rng.integers(begin, end + 1, 2).tolist())
        if (left, right) in ((begin, begin), (end, end)):
            left, right = begin, end
        parts = [(a, b) for a, b in ((begin, left), (right, end)) if a < b]
        below = tuple(build(*part) for part in parts)
        before = [-1] if begin < left else []
        after = [-len(below)] if right < end else []
        tails.append([below])
        targets.append([*before, *words[left:right], *after])
        return len(tails) - 1

    build(0, len(words))
    forest = forest_of(tails, targets)
    covered = np.full(forest.nodes, 4, np.int32)
    background = np.array([2.0, 2, 2, 2, 3, 3, 3, 3, 4])
    evidence = evidence_of([forest], [REFERENCE], [covered])
    found = gains(evidence, np.zeros(forest.edges), background, 1.0, 1.0)
    best = forest.viterbi(np.zeros(forest.edges))
    assert forest.yields(best)[0].tolist() == words
    text = [f"w{word}" for word in words]
    whole = in_context(background, text, 8.0, 4.0, 3.0) - in_context(background, [], 0.0, 0.0, 3.0)
    assert found[best[0]].sum() == near(whole, abs=1e-9)


def test_refuses_arrays_of_other_sizes() -> None:
    evidence = evidence_of([forest_of([[()]], [[0]])], [REFERENCE])
    for scores, background, place in (
        (np.zeros(2), np.ones(9), 0),
        (np.zeros(1), np.ones(8), 0),
        (np.zeros(1), np.ones(9), 1),
    ):
        with pytest.raises((ValueError, IndexError)):
            _core.edge_gains(
                evidence.native, place, scores, evidence.covered[0], background, (1.0, 1.0), (1, 1)
            )
