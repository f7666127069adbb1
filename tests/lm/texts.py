"""Small texts and the real ones of other projects, for the tests of language models."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from hypothesis import strategies as st

from demotic._core import Lines
from demotic.lm import LanguageModel, LmOptions, estimate_lm

__all__ = ["data_folder", "estimated", "lines_of", "real_sentences", "tiny_texts"]

WORDS = ["a", "b", "c", "d", "e", "f"]
Sentences = list[list[str]]

# Few words, so that n-grams repeat; empty sentences too.
tiny_texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=8), min_size=1, max_size=12)


def lines_of(sentences: Sentences) -> Lines:
    lines = Lines()
    for sentence in sentences:
        lines.append(" ".join(sentence))
    return lines


def estimated(sentences: Sentences, order: int, prune: str = "0") -> LanguageModel:
    return estimate_lm(lines_of(sentences), LmOptions(order=order, prune=prune))


def data_folder() -> Path:
    given = os.environ.get("DEMOTIC_DATA")
    folder = Path(given) if given else Path(__file__).parents[2] / ".." / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("no corpora of other projects: set DEMOTIC_DATA")
    return folder


def real_sentences(split: str, limit: int) -> list[str]:
    path = data_folder() / "es-en-news" / "tok" / f"{split}.en.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n") for line, _ in zip(file, range(limit), strict=False)]
