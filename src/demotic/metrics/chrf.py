"""chrF (Popovic 2015) and chrF++ (Popovic 2017) as in sacrebleu: F-score of character n-grams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from demotic.metrics.metric import Metric
from demotic.metrics.references import References
from demotic.metrics.signature import signature
from demotic.options import Options, option

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic import _core
    from demotic.metrics.metric import Count, Floats, Numbers, Rows

__all__ = ["Chrf", "ChrfOptions"]


@dataclass(frozen=True, kw_only=True)
class ChrfOptions(Options):
    """Options of chrF; the defaults are sacrebleu's."""

    char_order: int = option(6, "maximum order of character n-grams", minimum=1, maximum=100)
    word_order: int = option(
        0, "maximum order of word n-grams; 2 for chrF++", minimum=0, maximum=100
    )
    beta: int = option(2, "weight of recall relative to precision", minimum=1)
    lowercase: bool = option(False, "ignore case")


class Chrf(Metric):
    """Rows: for every order, n-grams of the candidate, of the best reference, and matches."""

    options_class = ChrfOptions

    def __init__(self, references: References, options: ChrfOptions | None = None) -> None:
        super().__init__(references)
        from demotic import _core

        self.options = options or ChrfOptions()
        self.name = f"chrF{self.options.beta}" + "+" * self.options.word_order
        self._native = _core.ChrfReferences(
            self._prepare(references.texts),
            references.first,
            self.options.char_order,
            self.options.word_order,
            self.options.beta,
        )
        self.columns = self._native.columns

    def _prepare(self, texts: list[str]) -> list[str]:
        return [text.lower() for text in texts] if self.options.lowercase else texts

    def rows(self, texts: list[str], sentences: NDArray[np.int64], threads: int) -> Rows:
        return self._native.rows(self._prepare(texts), sentences, threads)

    def counter(self, words: Sequence[str]) -> Count:
        prepared = self._prepare(list(words))

        def count(
            offsets: NDArray[np.int64],
            ids: NDArray[np.int32],
            sentences: NDArray[np.int64],
            threads: int = 1,
        ) -> Rows:
            rows = self._native.rows_of_words(prepared, offsets, ids, sentences, threads)
            return rows.reshape(len(offsets) - 1, self.columns)

        return count

    @property
    def native_form(self) -> _core.MetricForm:
        from demotic import _core

        return _core.MetricForm(
            _core.MetricKind.chrf,
            beta=float(self.options.beta),
            list_length=self.references.mean_words,
        )

    def corpus_scores(self, sums: Numbers) -> Floats:
        import numpy as np

        orders = np.asarray(sums, np.float64).reshape(*sums.shape[:-1], -1, 3)
        candidate, reference, both = (orders[..., i] for i in range(3))
        used = (candidate > 0) & (reference > 0)
        count = np.maximum(used.sum(axis=-1), 1)
        zeros = np.zeros_like(both)
        precision = np.divide(both, candidate, out=zeros.copy(), where=used).sum(axis=-1) / count
        recall = np.divide(both, reference, out=zeros.copy(), where=used).sum(axis=-1) / count
        factor = self.options.beta**2
        below = factor * precision + recall
        scores: Floats = np.zeros_like(below)
        np.divide((1 + factor) * precision * recall, below, out=scores, where=below > 0)
        return 100 * scores

    def gain(self, statistics: Numbers) -> Floats:
        return self.corpus_scores(statistics) / 100

    @property
    def signature(self) -> str:
        items: dict[str, str | int | bool] = {
            "case": "lc" if self.options.lowercase else "mixed",
            "eff": True,
            "nc": self.options.char_order,
            "nw": self.options.word_order,
            "space": False,
        }
        return signature(self.references.number, items)
