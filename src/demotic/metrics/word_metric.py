"""A metric that compares words, and can therefore also take candidates as word ids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from demotic.metrics.metric import Metric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic._core import ReferenceSet
    from demotic.metrics.metric import Count, Floats, Rows

__all__ = ["WordMetric"]


class WordMetric(Metric):
    """What BLEU and TER share; their constructors set the fields."""

    _family: str  # prefix of the native functions
    _set: ReferenceSet
    _prepare: Callable[[list[str]], list[str]]  # applied to text before tokenisation
    _word_by_word: bool  # whether preparing a text is preparing its words
    _segments: bool  # whether the core cuts text further than at spaces
    _reference_length: str
    length_scale: int  # factor of the reference lengths in rows
    _length_parts: int = 1  # of length_scale, the factor that the core does not know of

    def rows(self, texts: list[str], sentences: NDArray[np.int64], threads: int) -> Rows:
        from demotic import _core

        rows: Rows = getattr(_core, f"{self._family}_rows")(
            self._set, self._prepare(texts), sentences, self._reference_length, threads
        )
        return self._with_parts(rows)

    @property
    def counts_words(self) -> bool:
        """Whether what is compared are the tokens themselves, so that their ids suffice."""
        return self._word_by_word and not self._segments

    @property
    def native(self) -> tuple[ReferenceSet, str]:
        """The references and the rule for their length, for native loops."""
        return self._set, self._reference_length

    @property
    def background(self) -> Floats:
        """Counts of 1, so that no precision is 0; the reference length is 1 too."""
        import numpy as np

        start = np.ones(self.columns)
        start[-1] = self.length_scale
        return start

    def counter(self, words: Sequence[str]) -> Count:
        from demotic import _core

        if not self._word_by_word:
            return super().counter(words)
        if self.counts_words:
            return self._counter_of_ids(self.ids_of(words))
        prepared = self._prepare(list(words))
        native = getattr(_core, f"{self._family}_rows_of_words")

        def count(
            offsets: NDArray[np.int64],
            ids: NDArray[np.int32],
            sentences: NDArray[np.int64],
            threads: int = 1,
        ) -> Rows:
            rule = self._reference_length
            rows: Rows = native(self._set, prepared, offsets, ids, sentences, rule, threads)
            return self._with_parts(rows.reshape(len(offsets) - 1, self.columns))

        return count

    def _counter_of_ids(self, known: NDArray[np.int32]) -> Count:
        def count(
            offsets: NDArray[np.int64],
            ids: NDArray[np.int32],
            sentences: NDArray[np.int64],
            threads: int = 1,
        ) -> Rows:
            return self.statistics_of_ids(offsets, known[ids], sentences, threads=threads)

        return count

    def ids_of(self, words: Sequence[str]) -> NDArray[np.int32]:
        """The ids that `statistics_of_ids` expects: ids_of(vocabulary.words())[word_ids].

        Words that occur in no reference get -1.
        """
        return self._set.ids_of(self._prepare(list(words)))

    def statistics_of_ids(
        self,
        offsets: NDArray[np.int64],
        words: NDArray[np.int32],
        sentence_ids: NDArray[np.int64],
        *,
        threads: int = 1,
    ) -> Rows:
        """The rows of candidates words[offsets[i]:offsets[i + 1]], in ids of `ids_of`."""
        from demotic import _core

        rows: Rows = getattr(_core, f"{self._family}_rows_of_ids")(
            self._set, offsets, words, sentence_ids, self._reference_length, threads
        )
        return self._with_parts(rows.reshape(len(offsets) - 1, self.columns))

    def _with_parts(self, rows: Rows) -> Rows:
        if self._length_parts != 1:
            rows = rows.reshape(-1, self.columns)
            rows[:, -1] *= self._length_parts
        return rows
