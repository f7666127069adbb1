"""Scores, rows and signatures are sacrebleu's, to more than the printed digits."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF, TER

from demotic import _core
from demotic.metrics import (
    Bleu,
    BleuOptions,
    Chrf,
    ChrfOptions,
    Metric,
    References,
    Ter,
    TerOptions,
)
from tests.external.where import data
from tests.metrics.texts import damaged, streams

NEAR = 1e-9
MARKS = "ab.,-39 '<&;amplt\n\t/猫。\u2003\u3000\u2a6d\U00020001é…"


def pairs(references: References) -> Iterator[tuple[Metric, BLEU | TER | CHRF]]:
    """Our metrics and theirs with the same settings."""
    for tokenize in ("13a", "none", "zh", "char", "intl"):
        ours = Bleu(references, BleuOptions(tokenize=tokenize))  # type: ignore[arg-type]
        yield ours, BLEU(tokenize=tokenize, force=True)
    for smoothing in ("floor", "add-k", "none"):
        ours = Bleu(references, BleuOptions(smoothing=smoothing, lowercase=True))  # type: ignore[arg-type]
        yield ours, BLEU(smooth_method=smoothing, lowercase=True, force=True)
    yield Ter(references), TER()
    yield Ter(references, TerOptions(case_sensitive=True)), TER(case_sensitive=True)
    for order in (0, 2):
        yield Chrf(references, ChrfOptions(word_order=order)), CHRF(word_order=order)
    options = ChrfOptions(char_order=3, beta=3, lowercase=True)
    yield Chrf(references, options), CHRF(char_order=3, beta=3, lowercase=True)


def check_equal(lines: list[str], texts: list[list[str]]) -> None:
    for ours, theirs in pairs(References.from_streams(texts)):
        expected = theirs.corpus_score(lines, texts)
        assert ours.score(lines) == pytest.approx(expected.score, abs=NEAR), ours.signature
        assert ours.signature == str(theirs.get_signature())


@settings(max_examples=80, deadline=None)
@given(streams)
def test_drawn_corpora(corpus: list[tuple[str, list[str]]]) -> None:
    check_equal([text for text, _ in corpus], [list(x) for x in zip(*(r for _, r in corpus))])  # noqa: B905


@settings(max_examples=150, deadline=None)
@given(streams)
def test_sentences(corpus: list[tuple[str, list[str]]]) -> None:
    """Single sentences: smoothed BLEU with the effective order, TER, chrF."""
    references = References.from_sentences([texts for _, texts in corpus])
    lines = [text for text, _ in corpus]
    bleu = Bleu(references, BleuOptions(sentence_smoothing="exp"))
    plus_one = Bleu(references)
    sides = (
        (bleu, BLEU(effective_order=True)),
        (plus_one, BLEU(smooth_method="add-k", smooth_value=1, effective_order=True)),
        (Chrf(references), CHRF()),
    )
    for ours, theirs in sides:
        gains = ours.gain(ours.statistics(lines))
        for gain, (text, texts) in zip(gains, corpus, strict=True):
            expected = theirs.sentence_score(text, texts).score / 100
            assert gain == pytest.approx(expected, abs=NEAR)
    ter = Ter(references)
    rates = ter.corpus_scores(ter.statistics(lines))
    for rate, (text, texts) in zip(rates, corpus, strict=True):
        assert rate == pytest.approx(TER().sentence_score(text, texts).score, abs=NEAR)


@settings(max_examples=400, deadline=None)
@given(
    st.text(
        st.sampled_from("ab.,-39 '<&;amplt\n\t/猫。\u2003\u3000\u2a6d\U00020001é…"), max_size=25
    )
)
def test_cutting(text: str) -> None:
    """Token by token, whatever the text."""
    for name in ("13a", "zh", "char", "none"):
        theirs = BLEU(tokenize=name).tokenizer(text.rstrip()).split()
        assert _core.segment(text, name) == theirs


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from("abcde"), max_size=40),
    st.lists(st.sampled_from("abcdef"), max_size=40),
)
def test_edits(hypothesis: list[str], reference: list[str]) -> None:
    """Few words, so that there are many shifts; more than the search tries at times."""
    text, target = " ".join(hypothesis), " ".join(reference)
    rows = Ter(References.from_streams([[target]])).statistics([text])
    expected = TER().sentence_score(text, [target])
    assert rows.tolist() == [[expected.num_edits, expected.ref_length]]


@pytest.mark.parametrize(
    ("words", "others"), [(1, 150), (150, 1), (3, 400), (120, 120), (200, 90), (0, 5), (5, 0)]
)
def test_edits_of_unequal_lengths(words: int, others: int) -> None:
    """The band around the diagonal is the same where it cuts off and where it is widened."""
    vocabulary = [f"w{i % 37}" for i in range(500)]
    target = damaged([" ".join(vocabulary[:others])], 8)[0]
    for seed in range(4 if words + others < 200 else 1):
        text = damaged([" ".join(vocabulary[seed * 3 : seed * 3 + words])], seed)[0]
        row = Ter(References.from_streams([[target]])).statistics([text])[0]
        expected = TER().sentence_score(text, [target])
        assert (row[0], row[1]) == (expected.num_edits, expected.ref_length)


def test_words_that_look_reserved() -> None:
    """Unknown words do not match a reference's <unk>."""
    references = References.from_streams([["<unk> <s> b </s> <unk>"]])
    for text in ("<unk> <s> b </s> <unk>", "x <s> y z <unk>", "c d e"):
        for tokenize in ("none", "13a"):
            ours = Bleu(references, BleuOptions(tokenize=tokenize, smoothing="floor"))  # type: ignore[arg-type]
            theirs = BLEU(tokenize=tokenize, smooth_method="floor")
            assert ours.score([text]) == pytest.approx(
                theirs.corpus_score([text], references.streams).score, abs=NEAR
            )
        assert Chrf(references, ChrfOptions(word_order=2)).score([text]) == pytest.approx(
            CHRF(word_order=2).corpus_score([text], references.streams).score, abs=NEAR
        )


SETS = {
    # name: (files of references, lines)
    "eleven German references": ([f"eleven-references/en-de.de.{k}.gz" for k in range(11)], 200),
    "one German reference": (["eleven-references/en-de.de.7.gz"], 500),
    "five English references": ([f"es-en-bible/raw/dev.en.{k}.gz" for k in range(5)], 60),
    "five tokenised references": ([f"es-en-bible/tok/test.en.{k}.gz" for k in range(5)], 60),
    "Spanish": (["es-en-bible/raw/dev.es.gz"], 300),
    "news": (["es-en-news/raw/dev.en.gz"], 400),
    "short English": (["zh-en-tatoeba/raw/dev.en.gz"], 1000),
    "Chinese": (["zh-en-tatoeba/raw/test.zh.gz"], 1000),
    "Chinese words": (["zh-en-tatoeba/tok/dev.zh.gz"], 1000),
    "Chinese prose": (["zh-en-help/raw/dev.zh.gz"], 300),
    "captions": (["zh-en-captions/tok/dev.en.gz"], 600),
    "Japanese": (["ja-en-tanaka/tok/dev.ja.gz"], 500),
    "German": (["de-en-multi30k/raw/dev.de.gz"], 500),
}


@pytest.mark.external
@pytest.mark.parametrize("name", SETS)
def test_real_text(name: str) -> None:
    """The beginning of each set; their TER is slow."""
    files, lines = SETS[name]
    _check_set(files, lines // (8 if len(files) > 1 else 4))


@pytest.mark.external
@pytest.mark.long
@pytest.mark.parametrize("name", SETS)
def test_all_of_the_real_text(name: str) -> None:
    _check_set(*SETS[name])


def _check_set(files: list[str], lines: int) -> None:
    texts = []
    for file in files:
        with gzip.open(data() / file, "rt", encoding="utf-8", newline="\n") as stream:
            texts.append(stream.read().split("\n")[:lines])
    whole = "raw" in files[0] and ".zh." in files[0]  # Chinese without spaces
    check_equal(damaged(texts[0], 5, characters=whole), texts)
    if len(texts) > 1:
        check_equal(texts[0], texts[1:])
