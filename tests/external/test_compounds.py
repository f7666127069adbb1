"""Compound splitting on real German: split text is joined to the same text again."""

from __future__ import annotations

import gzip

import pytest

from demotic.text.case import capitalized
from demotic.text.clean import clean
from demotic.text.compound_words import CompoundWords, is_marked
from demotic.text.compounds import CompoundCounts
from demotic.text.sentence_starts import doubtful_starts
from demotic.text.tokenize.builtin import BuiltinTokenizer
from tests.external.where import data

pytestmark = pytest.mark.external


def sentences(part: str) -> list[list[str]]:
    tokenizer = BuiltinTokenizer("de")
    path = data() / "de-en-multi30k" / "raw" / f"{part}.de.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [tokenizer.tokenize(clean(line, "nfc")) for line in file]


def test_real_text() -> None:
    counts = CompoundCounts("de")
    train = sentences("train")
    for tokens in train:
        counts.observe(tokens)
    compounds = CompoundWords(counts.model(), "marked")
    words = CompoundWords(compounds.splitter, "words")
    assert words.split(["ein", "Footballspieler"]) == ["ein", "Football Spieler"]
    assert words.split(["eine", "Straße"]) == ["eine", "Straße"]
    parts = 0
    for tokens in [*train, *sentences("test")]:
        split = " ".join(compounds.split(tokens)).split(" ")
        parts += sum(map(is_marked, split))
        starts = set(doubtful_starts(tokens, "de"))
        for i, (word, expected) in enumerate(zip(compounds.join(split), tokens, strict=True)):
            assert word == expected or (i in starts and capitalized(word, "de") == expected)
    assert parts > 5000
