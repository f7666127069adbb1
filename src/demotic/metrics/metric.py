"""What every metric is, for evaluation and for learning: statistics that add, a score of their sum,
a gain of each row, and which direction is better.

    bleu = Bleu(References.from_streams([lines]))
    rows = bleu.statistics(translations)            # (candidates, columns), whole numbers
    bleu.corpus_score(rows.sum(axis=0))             # 0 to 100
    bleu.gain(rows)                                 # sentence level, in [0, 1], higher is better

Learners see rows, gains and scores of sums; tests between systems see rows; nothing else knows
about text.  A metric of your own is a class derived from `Metric` that defines `name`, `columns`,
`rows` and `corpus_scores`; `demotic.testing.check_metric` tells whether it keeps the contract.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self

from demotic.metrics.references import References
from demotic.own_classes import class_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic import _core
    from demotic.options import Options

    Rows = NDArray[np.int32]
    Numbers = NDArray[Any]
    Floats = NDArray[np.float64]
    Count = Callable[[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], int], Rows]

__all__ = ["Metric"]


class Metric(ABC):
    """A metric of translations against references; immutable."""

    name: str
    """As people write it."""
    higher_is_better: bool = True
    columns: int
    """Of statistics."""
    options_class: ClassVar[type[Options] | None] = None
    """Of the settings that the constructor takes after the references, if it takes any."""
    has_partial_statistics: bool = False
    """Whether `partial_statistics` and `with_fractional_lengths` are defined, for search-aware
    tuning with partial gains."""

    def __init__(self, references: References) -> None:
        self.references = references

    # What a metric defines.

    @abstractmethod
    def rows(self, texts: list[str], sentences: NDArray[np.int64], threads: int) -> Rows:
        """The statistics of texts[i], a candidate of sentence sentences[i], `columns` each.

        Whole numbers that add: the statistics of a corpus are the sum of its sentences'.
        """

    @abstractmethod
    def corpus_scores(self, sums: Numbers) -> Floats:
        """The scores of many sums, one per row, as they are printed: 0 to 100 (TER may be more)."""

    # What follows from it, unless a metric knows better.

    def gain(self, statistics: Numbers) -> Floats:
        """How good each candidate is by itself: in [0, 1], higher is better."""
        import numpy as np

        return np.clip(self.objective(statistics), 0.0, 1.0)

    @property
    def signature(self) -> str:
        """Everything a score depends on, in sacrebleu's form `key:value|key:value`."""
        from demotic.metrics.signature import signature

        return signature(self.references.number, {"metric": class_name(type(self))}, ours=True)

    def detail(self, summed: Numbers) -> str:
        """Figures to print next to the score, such as the brevity penalty; may be empty."""
        return ""

    def counter(self, words: Sequence[str]) -> Count:
        """count(offsets, ids, sentences, threads): statistics of candidates that are word ids.

        Candidate i has the words words[ids[k]] for k from offsets[i] to offsets[i + 1], and belongs
        to sentence sentences[i].  Metrics with native statistics make no strings of them.
        """
        known = list(words)

        def count(
            offsets: NDArray[np.int64],
            ids: NDArray[np.int32],
            sentences: NDArray[np.int64],
            threads: int = 1,
        ) -> Rows:
            places, bounds = ids.tolist(), offsets.tolist()
            texts = [
                " ".join([known[id_] for id_ in places[begin:end]])
                for begin, end in pairwise(bounds)
            ]
            return self.statistics(texts, sentences, threads=threads)

        return count

    def partial_statistics(
        self, statistics: Rows, sentences: NDArray[np.integer], covered: Numbers
    ) -> Rows:
        """Rows of partial translations, measured against the `covered` share of the reference."""
        raise NotImplementedError(f"{self.name} has no partial statistics")

    def with_fractional_lengths(self) -> Self:
        """The same metric with statistics fine enough for the shares of references."""
        raise NotImplementedError(f"{self.name} has no partial statistics")

    @property
    def native_form(self) -> _core.MetricForm | None:
        """The native formula of `objective`, for learners' loops; None: they call `objective`."""
        return None

    @property
    def background(self) -> Floats:
        """Statistics that gains in context start with; see `PseudoDocument`."""
        import numpy as np

        return np.zeros(self.columns)

    # What all metrics share.

    def statistics(
        self,
        candidates: Sequence[str],
        sentence_ids: Sequence[int] | NDArray[np.integer] | None = None,
        *,
        threads: int = 1,
    ) -> Rows:
        """One row per candidate; without `sentence_ids`, candidate i belongs to sentence i."""
        texts = _texts(candidates)
        ids = self._ids(len(texts), sentence_ids)
        return self.rows(texts, ids, threads).reshape(len(texts), self.columns)

    def corpus_score(self, summed: Numbers) -> float:
        """The score of a sum of rows."""
        return float(self.corpus_scores(summed[None])[0])

    def score(self, candidates: Sequence[str], *, threads: int = 1) -> float:
        """The score of a translation of the whole corpus."""
        return self.corpus_score(self.statistics(candidates, threads=threads).sum(axis=0))

    def objective(self, sums: Numbers) -> Floats:
        """What learners maximise: scores / 100, or 1 - scores / 100 where lower is better."""
        scores = self.corpus_scores(sums) / 100
        return scores if self.higher_is_better else 1 - scores

    def as_score(self, objective: float) -> float:
        """The score as it is printed, from a value of `objective`."""
        return 100 * objective if self.higher_is_better else 100 * (1 - objective)

    def is_better(self, score: float, other: float) -> bool:
        """Whether a printed score is strictly better than another."""
        return score > other if self.higher_is_better else score < other

    def _ids(
        self, count: int, ids: Sequence[int] | NDArray[np.integer] | None
    ) -> NDArray[np.int64]:
        import numpy as np

        if ids is not None:
            given, known = np.ascontiguousarray(ids, np.int64), len(self.references)
            if len(given) != count:
                raise ValueError(f"{count} candidates, but {len(given)} numbers of sentences")
            if len(given) and not (given.min() >= 0 and given.max() < known):
                wrong = given[(given < 0) | (given >= known)][0]
                raise IndexError(f"sentence {wrong} of {known}")
            return given
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
