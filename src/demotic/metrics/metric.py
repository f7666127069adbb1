"""The metric protocol: additive statistics, a score of their sum, a gain of each row.

    bleu = Bleu(References.from_streams([lines]))
    rows = bleu.statistics(translations)            # (candidates, columns), whole numbers
    bleu.corpus_score(rows.sum(axis=0))             # 0 to 100
    bleu.gain(rows)                                 # sentence level, in [0, 1], higher is better

Learners use rows and gains, significance tests use rows; only metrics deal with text.
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
    """A metric of translations against references; immutable."""

    name: str  # as it is usually written
    higher_is_better: bool = True
    columns: int  # number of statistics per row

    def __init__(self, references: References) -> None:
        self.references = references

    def statistics(
        self,
        candidates: Sequence[str],
        sentence_ids: Sequence[int] | NDArray[np.int64] | None = None,
        *,
        threads: int = 1,
    ) -> Rows:
        """One row per candidate; without `sentence_ids`, candidate i belongs to sentence i."""
        texts = _texts(candidates)
        ids = self._ids(len(texts), sentence_ids)
        return self._rows(texts, ids, threads).reshape(len(texts), self.columns)

    def corpus_score(self, summed: Numbers) -> float:
        """The score of a sum of rows as it is printed: 0 to 100 (TER may exceed 100)."""
        return float(self.corpus_scores(summed[None])[0])

    @abstractmethod
    def corpus_scores(self, sums: Numbers) -> Floats:
        """The scores of many sums, one per row."""

    @abstractmethod
    def gain(self, statistics: Numbers) -> Floats:
        """The sentence-level quality of each candidate: in [0, 1], higher is better."""

    @property
    @abstractmethod
    def signature(self) -> str:
        """Everything a score depends on, in sacrebleu's form `key:value|key:value`."""

    @abstractmethod
    def _rows(self, texts: list[str], sentences: NDArray[np.int64], threads: int) -> Rows:
        """The statistics as one flat array."""

    def detail(self, summed: Numbers) -> str:
        """Additional information to print with the score; may be empty."""
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
                f"{count} candidates, but references for {len(self.references)} sentences;"
                " give sentence_ids to assign candidates to sentences"
            )
        return np.arange(count, dtype=np.int64)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.signature})"


def _texts(candidates: Sequence[str]) -> list[str]:
    if isinstance(candidates, str):
        raise TypeError("expected a list of candidates, got a string")
    texts = candidates if isinstance(candidates, list) else list(candidates)
    if not set(map(type, texts)) <= {str}:
        for i, text in enumerate(texts):
            if not isinstance(text, str):
                raise TypeError(f"candidate {i}: {type(text).__name__}, expected str")
    return texts
