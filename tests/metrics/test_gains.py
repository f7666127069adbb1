"""Gains of single candidates: Bleu+1, partial BLEU, BLEU in a pseudo-document, by the oracle."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.metrics import Bleu, BleuOptions, PseudoDocument, References
from demotic.metrics.bleu import ReferenceLengthName
from tests.metrics.texts import corpus
from tests.oracle.bleu import counts, plain, plus_one

RULES: list[ReferenceLengthName] = ["closest", "shortest", "average"]
Corpus = list[tuple[str, list[str]]]


def bleu_of(pairs: Corpus, rule: ReferenceLengthName, **options: object) -> tuple[Bleu, np.ndarray]:
    chosen = BleuOptions(tokenize="none", reference_length=rule, **options)  # type: ignore[arg-type]
    bleu = Bleu(References.from_sentences([texts for _, texts in pairs]), chosen)
    return bleu, bleu.statistics([text for text, _ in pairs])


@pytest.mark.parametrize("rule", RULES)
def test_counts_and_bleu_plus_one(rule: ReferenceLengthName) -> None:
    @settings(max_examples=100, deadline=None)
    @given(corpus)
    def equal(pairs: Corpus) -> None:
        bleu, rows = bleu_of(pairs, rule)
        expected = [counts(text, texts, rule) for text, texts in pairs]
        assert bleu.counts(rows) == pytest.approx(np.array(expected), abs=1e-12)
        assert bleu.gain(rows) == pytest.approx([plus_one(row) for row in expected], abs=1e-12)
        smoothed, _ = bleu_of(pairs, rule, smooth_brevity=True)
        longer = [plus_one(row, length=row[8] + 1) for row in expected]
        assert smoothed.gain(rows) == pytest.approx(longer, abs=1e-12)
        moses, _ = bleu_of(pairs, rule, sentence_smoothing="plus-one-all")
        everywhere = [plus_one(row, first=1.0) for row in expected]
        assert moses.gain(rows) == pytest.approx(everywhere, abs=1e-12)

    equal()


def test_an_empty_output_gains_nothing() -> None:
    for smoothing in ("plus-one", "plus-one-all", "exp", "floor", "none"):
        for text in ("a b c d e", ""):
            bleu, rows = bleu_of([("", [text])], "closest", sentence_smoothing=smoothing)
            assert bleu.gain(rows).tolist() == [0.0]


def test_known_numbers_of_moses() -> None:
    """Those that Moses' own test of its smoothed sentence BLEU expects."""
    row = np.array([6, 4, 2, 1, 6, 5, 4, 3, 7])
    references = References.from_streams([["x"]])
    moses = BleuOptions(sentence_smoothing="plus-one-all")
    assert float(Bleu(references, moses).gain(row)) == pytest.approx(0.5985, rel=1e-4)
    smoothed = BleuOptions(sentence_smoothing="plus-one-all", smooth_brevity=True)
    assert float(Bleu(references, smoothed).gain(row)) == pytest.approx(0.5067, rel=1e-4)
    plain_options = BleuOptions(smoothing="none")
    score = Bleu(references, plain_options).corpus_score(row)
    assert score == pytest.approx(51.15, rel=1e-4)


def partial_length(text: str, texts: list[str], rule: ReferenceLengthName, share: float) -> float:
    """Every reference is shortened to the share first; then the rule chooses."""
    lengths = [share * len(reference.split()) for reference in texts]
    said = len(text.split())
    if rule == "average":
        return sum(lengths) / len(lengths)
    return min(lengths, key=lambda one: (abs(one - said) if rule == "closest" else 0, one))


@pytest.mark.parametrize("rule", RULES)
def test_reference_lengths_of_partial_translations(rule: ReferenceLengthName) -> None:
    @settings(max_examples=60, deadline=None)
    @given(corpus, st.floats(0, 1))
    def equal(pairs: Corpus, share: float) -> None:
        bleu, rows = bleu_of(pairs, rule)
        shares = np.linspace(share, 1, len(pairs))
        expected = [
            partial_length(text, texts, rule, float(part))
            for (text, texts), part in zip(pairs, shares, strict=True)
        ]
        found = bleu.partial_lengths(rows, np.arange(len(pairs)), shares)
        assert found == pytest.approx(expected, abs=1e-9)

    equal()


def test_the_closest_reference_of_a_part_is_not_the_shortest() -> None:
    """Half of it said in 4 words: near half of the longer reference, though 4 is nearer to 5."""
    bleu, rows = bleu_of([("a b c d", ["a b c d e", "a b c d e f g h"])], "closest")
    assert bleu.partial_lengths(rows, np.array([0]), np.array([0.5])).tolist() == [4.0]
    assert bleu.partial_lengths(rows, np.array([0]), np.array([1.0])).tolist() == [5.0]


def test_partial_bleu_of_the_paper() -> None:
    """2 of 8 source words, 12 reference words: as if the reference had 3."""
    reference = " ".join(f"w{i}" for i in range(12))
    bleu, rows = bleu_of([("w0 w1", [reference])], "average")
    partial = bleu.partial_statistics(rows, np.array([0]), np.array([2 / 8]))
    gain = float(bleu.gain(partial)[0])
    assert gain == pytest.approx(math.exp(1 - 3 / 2))
    assert float(bleu.gain(rows)[0]) == pytest.approx(math.exp(1 - 12 / 2))


@pytest.mark.parametrize("rule", RULES)
def test_shares_of_references_are_fractions_of_words(rule: ReferenceLengthName) -> None:
    """1 of 8 source words, 12 reference words: as if the reference had 1.5, not 2."""
    reference = " ".join(f"w{i}" for i in range(12))
    whole, rows = bleu_of([("w0", [reference])], rule)
    bleu = whole.with_fractional_lengths()
    fractional = bleu.statistics(["w0"])
    partial = bleu.partial_statistics(fractional, np.array([0]), np.array([1 / 8]))
    assert float(bleu.gain(partial)[0]) == pytest.approx(math.exp(1 - 1.5))
    assert bleu.native_form is not None
    # Whole sentences are what they were, counted in smaller units.
    assert bleu.counts(fractional).tolist() == whole.counts(rows).tolist()
    assert bleu.corpus_scores(fractional).tolist() == whole.corpus_scores(rows).tolist()
    count = bleu.counter(["w0"])
    ids = count(np.array([0, 1]), np.array([0], np.int32), np.array([0]), 1)
    assert ids.tolist() == fractional.tolist()
    assert whole.statistics(["w0"]).tolist() == rows.tolist()


@settings(max_examples=60, deadline=None)
@given(corpus, st.floats(0.1, 1))
def test_pseudo_documents(pairs: Corpus, decay: float) -> None:
    bleu, rows = bleu_of(pairs, "shortest")
    document = PseudoDocument(decay=decay)
    context, source = [1.0] * 9, 1.0
    for i, (text, texts) in enumerate(pairs):
        length, row = float(i + 2), counts(text, texts, "shortest")
        together = [a + b for a, b in zip(context, row, strict=True)]
        gain = float(document.gain(bleu.counts(rows[i]), length))
        assert gain == pytest.approx((source + length) * plain(together), abs=1e-9)
        document = document.after(bleu.counts(rows[i]), length)
        context, source = [decay * a for a in together], decay * (source + length)
        assert document.counts == pytest.approx(np.array(context))
        assert document.source_length == pytest.approx(source)


def test_pseudo_documents_of_many_rows_and_of_wrong_shape() -> None:
    rows = np.array([[4, 3, 2, 1, 4, 3, 2, 1, 4], [0, 0, 0, 0, 4, 3, 2, 1, 4]])
    gains = PseudoDocument().gain(rows, 5)
    assert 0 <= gains[1] < gains[0]
    assert gains[1] == PseudoDocument().gain(rows[1], 5)
    with pytest.raises(ValueError, match="decay is 2"):
        PseudoDocument(decay=2)
    with pytest.raises(ValueError, match="expected 9"):
        PseudoDocument(counts=np.ones(3))


def test_candidates_as_numbers() -> None:
    """Ids of another vocabulary give the rows of the text."""
    words = ["zero", "a", "b", "c", "nowhere"]
    references = References.from_sentences([["a b c a", "a a b"], ["c c"]])
    lines = ["a b nowhere a", "", "c c c", "zero a a a b"]
    ids = np.array([0, 0, 1, 0])
    numbers = [words.index(word) for line in lines for word in line.split()]
    offsets = np.cumsum([0] + [len(line.split()) for line in lines])
    from demotic.metrics import Ter

    for metric in (Bleu(references, BleuOptions(tokenize="none")), Ter(references)):
        mapped = metric.ids_of(words)[numbers]
        assert mapped.min() == -1
        rows = metric.statistics_of_ids(offsets, mapped, ids, threads=2)
        assert (rows == metric.statistics(lines, ids)).all()
        with pytest.raises(ValueError, match="offsets"):
            metric.statistics_of_ids(offsets[:-1], mapped, ids[:-1])
