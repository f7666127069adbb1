"""Segments scripts without spaces into words, with a unigram model learnt from the text itself.

    words = learn_words([["汤", "姆", "来", "了"], ...])   # runs of characters, with their marks
    words.segment(["汤", "姆", "来"])                      # ["汤姆", "来"]

Method and citations: core/include/demotic/text/segmenter_learning.h and docs/text.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from demotic import _core
from demotic.lines import PathLike
from demotic.native_options import to_native
from demotic.options import Options, option
from demotic.text.word_table import read_word_table, write_word_table

__all__ = ["SegmenterOptions", "UnigramWords", "learn_words"]


@dataclass(frozen=True, kw_only=True)
class SegmenterOptions(Options):
    """What becomes a word of the learnt segmenter."""

    max_units: int = option(8, "maximum word length", unit="characters", minimum=1, maximum=64)
    min_count: int = option(2, "minimum occurrences of a word", minimum=1)
    min_gain: float = option(
        4.0, "minimum gain of a word over its parts", unit="nats per occurrence", minimum=0
    )
    cost: float = option(8.0, "weight of the dictionary's length against the text's", minimum=0)


class UnigramWords:
    """Words with natural log probabilities, and the segmenter that uses them."""

    def __init__(self, log_probs: dict[str, float]) -> None:
        self.log_probs = log_probs
        self._native = _core.Segmenter(list(log_probs), list(log_probs.values()))

    def __len__(self) -> int:
        return len(self.log_probs)

    def __repr__(self) -> str:
        return f"UnigramWords({len(self)} words)"

    def segment(self, units: Sequence[str]) -> list[str]:
        """Joins the units to words; nothing is lost or added."""
        words: list[str] = []
        begin = 0
        for length in self._native.segment(units):
            words.append("".join(units[begin : begin + length]))
            begin += length
        return words

    def save(self, path: PathLike) -> None:
        """Writes a readable file: one word and its log probability per line, the best first."""
        write_word_table(path, self.log_probs, ".6f")

    @classmethod
    def load(cls, path: PathLike) -> UnigramWords:
        return cls(read_word_table(path, _log_prob, expected="a natural log probability"))


def _log_prob(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value <= 0 else None


def learn_words(
    runs: Iterable[Sequence[str]],
    options: SegmenterOptions | None = None,
    *,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> UnigramWords:
    """The words of unsegmented text; independent of the number of threads."""
    import numpy as np

    ids: dict[str, int] = {}
    offsets = [0]
    values: list[int] = []
    for run in runs:
        values.extend(ids.setdefault(unit, len(ids)) for unit in run)
        offsets.append(len(values))
    corpus = _core.Corpus(np.array(offsets, np.int64), np.array(values, np.int32))
    native = to_native(_core.SegmenterOptions, options or SegmenterOptions())
    learnt = _core.learn_segmenter(corpus, len(ids), native, threads, progress)
    units = list(ids)
    words = ["".join(units[i] for i in learnt.word(place)) for place in range(len(learnt))]
    return UnigramWords(dict(zip(words, learnt.log_probs, strict=True)))
