"""Every metric with every option keeps the contract of metrics."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from demotic.metrics import (
    Bleu,
    BleuOptions,
    Chrf,
    ChrfOptions,
    Metric,
    References,
    Ter,
    TerBleu,
    TerOptions,
)
from demotic.testing import check_metric
from demotic.testing.metric_contract import Make
from tests.metrics.texts import corpus, damaged

MAKERS: dict[str, Make] = {
    "bleu": Bleu,
    "bleu shortest": lambda r: Bleu(r, BleuOptions(reference_length="shortest", tokenize="none")),
    "bleu average": lambda r: Bleu(r, BleuOptions(reference_length="average", lowercase=True)),
    "bleu characters": lambda r: Bleu(r, BleuOptions(tokenize="char", smoothing="floor")),
    "bleu Chinese": lambda r: Bleu(r, BleuOptions(tokenize="zh", smoothing="add-k")),
    "bleu intl": lambda r: Bleu(r, BleuOptions(tokenize="intl", sentence_smoothing="exp")),
    "bleu brevity": lambda r: Bleu(r, BleuOptions(smooth_brevity=True)),
    "ter": Ter,
    "ter cased": lambda r: Ter(r, TerOptions(case_sensitive=True)),
    "ter normalised": lambda r: Ter(r, TerOptions(normalized=True, asian_support=True)),
    "chrf": Chrf,
    "chrf++": lambda r: Chrf(r, ChrfOptions(word_order=2)),
    "ter-bleu": TerBleu,
}

SENTENCES = [
    ["the house is small .", "a small house ."],
    ["he said : 3.5 - 4 % of us", "3.5 to 4 percent of us , he said"],
    ["这 是 一 只 猫 。", "那 是 猫 。"],
    ["one", "one two three four five six seven"],
    ["a a a b a a a b", "b a b a b a b a"],
    ["U.S.A. !", "the U.S.A. !"],
]


@pytest.mark.parametrize("name", MAKERS)
def test_contract(name: str) -> None:
    candidates = damaged([texts[0] for texts in SENTENCES], 3)
    check_metric(MAKERS[name], SENTENCES, candidates)
    # Different numbers of references.
    check_metric(
        MAKERS[name], [texts[: 1 + i % 2] for i, texts in enumerate(SENTENCES)], candidates
    )


@pytest.mark.parametrize("make", [Bleu, Ter, Chrf])
def test_statistics_add(make: type[Metric]) -> None:
    @settings(max_examples=60, deadline=None)
    @given(corpus)
    def sums(pairs: list[tuple[str, list[str]]]) -> None:
        metric = make(References.from_sentences([texts for _, texts in pairs]))  # type: ignore[call-arg]
        rows = metric.statistics([text for text, _ in pairs])
        single = [metric.statistics([text], [i])[0] for i, (text, _) in enumerate(pairs)]
        assert (rows == single).all()
        assert (rows.sum(axis=0) == sum(single)).all()

    sums()


def test_references_say_which_way_round() -> None:
    streams = [["a", "b", "c"], ["d", "e", "f"]]
    references = References.from_streams(streams)
    assert len(references) == 3
    assert references.texts == ["a", "d", "b", "e", "c", "f"]
    assert references.streams == streams
    assert repr(references) == "References(3 sentences, 6 references)"
    with pytest.raises(ValueError, match="reference 1 has 2 sentences, reference 0 has 3"):
        References.from_streams([["a", "b", "c"], ["d", "e"]])
    with pytest.raises(TypeError, match="sentence 0: a string"):
        References.from_sentences(["abc"])
    with pytest.raises(ValueError, match="sentence 1 has no reference"):
        References.from_sentences([["a"], []])
    with pytest.raises(ValueError, match="no references"):
        References.from_streams([])
    assert References.from_sentences([["a"], ["a", "b"]]).number is None
