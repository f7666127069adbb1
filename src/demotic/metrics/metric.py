"""What every metric is: statistics that add, a score of their sum, a gain of each row.

    bleu = Bleu(References.from_streams([lines]))
    rows = bleu.statistics(translations)            # (candidates, columns), whole numbers
    bleu.corpus_score(rows.sum(axis=0))             # 0 to 100
    bleu.gain(rows)                                 # sentence level, in [0, 1], higher is better

Learners see rows and gains; tests between systems see rows; nothing else knows about text.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from demotic.metrics.references import References

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows = NDArray[np.int32]
    Numbers = NDArray[Any]
    Floats = NDArray[np.float64]

__all__ = ["Metric"]


class Metric(ABC):
    """A measure of translations against references; immutable."""

    name: str  # as people write it
    higher_is_better: bool = True
    columns: int  # of statistics

    def __init__(self, references: References) -> None:
        self.references = references

    def statistics(
        self,
        candidates: Sequence[str],
        sentence_ids: Sequence[int] | NDArray[np.int64] | None = None,
        *,
        threads: int = 1,
    ) -> Rows:
        """A row for each candidate; without `sentence_ids`, candidate i is one of sentence i."""
        texts = _texts(candidates)
        ids = self._ids(len(texts), sentence_ids)
        return self._rows(texts, ids, threads).reshape(len(texts), self.columns)

    def corpus_score(self, summed: Numbers) -> float:
        """The score of a sum of rows, as it is printed: 0 to 100 (TER may be more)."""
        return float(self.corpus_scores(summed[None])[0])

    @abstractmethod
    def corpus_scores(self, sums: Numbers) -> Floats:
        """The scores of many sums, one a row."""

    @abstractmethod
    def gain(self, statistics: Numbers) -> Floats:
        """How good each candidate is by itself: in [0, 1], higher is better."""

    @property
    @abstractmethod
    def signature(self) -> str:
        """Everything a score depends on, in sacrebleu's form `key:value|key:value`."""

    @abstractmethod
    def _rows(self, texts: list[str], sentences: NDArray[np.int64], threads: int) -> Rows:
        """The statistics in one flat array."""

    def detail(self, summed: Numbers) -> str:
        """What else people want to see beside the score; may be empty."""
        return ""

    def score(self, candidates: Sequence[str], *, threads: int = 1) -> float:
        """The score of a translation of the whole corpus."""
        return self.corpus_score(self.statistics(candidates, threads=threads).sum(axis=0))

    def _ids(self, count: int, ids: Sequence[int] | NDArray[np.int64] | None) -> NDArray[np.int64]:
        import numpy as np

        if ids is not None:
            return np.ascontiguousarray(ids, np.int64)
        if count != len(self.references):
            raise ValueError(
                f"{count} candidates, but references of {len(self.references)} sentences;"
                " say with sentence_ids whose candidates they are"
            )
        return np.arange(count, dtype=np.int64)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.signature})"


def _texts(candidates: Sequence[str]) -> list[str]:
    if isinstance(candidates, str):
        raise TypeError("a string instead of a list of candidates")
    texts = candidates if isinstance(candidates, list) else list(candidates)
    if not set(map(type, texts)) <= {str}:
        for i, text in enumerate(texts):
            if not isinstance(text, str):
                raise TypeError(f"candidate {i}: {type(text).__name__}, expected str")
    return texts
