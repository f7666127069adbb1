"""The texts of the measurements: real ones from DEMOTIC_DATA, or generated ones, labelled so."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from itertools import accumulate, pairwise
from pathlib import Path

from demotic._core import Corpus, CorpusBuilder, Lines, Vocabulary, VocabularyBuilder
from demotic.lines import LineFile

__all__ = ["Text", "encoded", "generated", "sentences"]

Text = list[list[str]]


def data_folder() -> Path:
    named = os.environ.get("DEMOTIC_DATA")
    return Path(named) if named else Path(__file__).parents[2] / "shared" / "data"


def sentences(name: str, limit: int | None = None) -> tuple[Text, str]:
    """Sentences of a tokenised file, evenly sampled if `limit` is smaller than their number, and
    their name in a report.
    """
    path = data_folder() / name
    if path.exists():
        every = [line.split() for line in LineFile(path)]
        text = every[:: len(every) // limit][:limit] if limit and limit < len(every) else every
        return text, f"{name}, {len(text):,} sentences"
    text = generated(limit or 100_000, words=60_000)
    return text, f"GENERATED Zipfian text ({name} is not here), {len(text):,} sentences"


def generated(count: int, words: int, seed: int = 1) -> Text:
    """Sentences whose words follow Zipf's law and depend on the previous word."""
    rng = random.Random(seed)
    weights = list(accumulate(1 / (rank + 2.7) for rank in range(words)))
    result = []
    for _ in range(count):
        drawn = rng.choices(range(words), cum_weights=weights, k=rng.randint(4, 20))
        shifted = [drawn[0], *((a % 50 + b) % words for a, b in pairwise(drawn))]
        result.append([f"w{word}" for word in shifted])
    return result


def encoded(text: Iterable[list[str]]) -> tuple[Corpus, Vocabulary]:
    lines = Lines()
    for sentence in text:
        lines.append(" ".join(sentence))
    vocabulary = VocabularyBuilder()
    builder = CorpusBuilder(vocabulary)
    builder.add(lines)
    return builder.finish(), vocabulary.finish()
