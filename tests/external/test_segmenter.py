"""The segmenter on real Chinese: nothing is lost, threads do not matter, words are found."""

from __future__ import annotations

import gzip

import pytest

from demotic.text.clean import clean
from demotic.text.segment import learn_words
from demotic.text.tokenize.unigram import UnigramTokenizer
from tests.external.where import data

pytestmark = pytest.mark.external


def lines(part: str) -> list[str]:
    path = data() / "zh-en-tatoeba" / "raw" / f"{part}.zh.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [clean(line, "nfc") for line in file]


def test_real_text() -> None:
    characters = UnigramTokenizer("zh")
    runs = [run for line in lines("train") for run in characters.runs(line)]
    words = learn_words(runs, threads=1)
    assert learn_words(runs, threads=2).log_probs == words.log_probs
    assert {"汤姆", "桌子", "西班牙", "什么"} <= words.log_probs.keys()
    assert not {"我不", "他是", "我在"} & words.log_probs.keys()
    tokenizer = UnigramTokenizer("zh", words)
    for line in lines("test"):
        assert "".join(tokenizer.tokenize(line)) == line.replace(" ", "")
