"""A metric of your own: F score of the words, regardless of their order.

    demotic tune zh-en --src dev.zh --ref dev.en --metric examples/own_metric.py:WordF -o tuned
    demotic evaluate out.en --ref test.en --metric bleu,examples/own_metric.py:WordF

python examples/own_metric.py checks that it keeps the contract of metrics.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from demotic.metrics import Metric, References
from demotic.options import Options, option
from demotic.testing import check_metric


@dataclass(frozen=True, kw_only=True)
class WordFOptions(Options):
    """Settings, for --metric-option NAME=VALUE."""

    beta: float = option(1.0, "weight of recall relative to precision", minimum=0.1)


class WordF(Metric):
    """F score of the words that a translation shares with its best reference."""

    name = "word F"
    columns = 3  # words in common, words of the translation, words of the reference
    options_class = WordFOptions

    def __init__(self, references: References, options: WordFOptions | None = None) -> None:
        super().__init__(references)
        self.options = options or WordFOptions()
        self._words = [Counter(text.split()) for text in references.texts]

    def rows(
        self, texts: list[str], sentences: NDArray[np.int64], threads: int
    ) -> NDArray[np.int32]:
        """Integer statistics per translation; the corpus score is a function of their sum."""
        rows = [
            self._best_row(Counter(text.split()), int(sentence))
            for text, sentence in zip(texts, sentences, strict=True)
        ]
        return np.array(rows, np.int32).reshape(-1, self.columns)

    def corpus_scores(self, sums: NDArray[Any]) -> NDArray[np.float64]:
        """One score per row of sums; learners score many rows per call."""
        common, found, wanted = np.moveaxis(np.asarray(sums, np.float64), -1, 0)
        square = self.options.beta**2
        below = square * wanted + found
        scores: NDArray[np.float64] = np.zeros_like(below)
        np.divide(100 * (1 + square) * common, below, out=scores, where=below > 0)
        return scores

    def _best_row(self, found: Counter[str], sentence: int) -> list[int]:
        first, last = self.references.first[sentence : sentence + 2]
        rows = [
            [(found & wanted).total(), found.total(), wanted.total()]
            for wanted in self._words[first:last]
        ]
        scores = self.corpus_scores(np.array(rows))
        return rows[int(np.argmax(scores))]


if __name__ == "__main__":
    check_metric(WordF)
    print("WordF keeps the contract of metrics.")
