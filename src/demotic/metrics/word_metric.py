"""A metric that compares words, and can therefore also take candidates as word ids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from demotic.metrics.metric import Metric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic._core import ReferenceSet
    from demotic.metrics.metric import Rows

__all__ = ["WordMetric"]


class WordMetric(Metric):
    """What BLEU and TER share; their constructors set the fields."""

    _family: str  # prefix of the native functions
    _set: ReferenceSet
    _prepare: Callable[[list[str]], list[str]]  # applied to text before tokenisation
    _reference_length: str
    length_scale: int  # factor of the reference lengths in rows

    def _rows(self, texts: list[str], sentences: NDArray[np.int64], threads: int) -> Rows:
        from demotic import _core

        rows: Rows = getattr(_core, f"{self._family}_rows")(
            self._set, self._prepare(texts), sentences, self._reference_length, threads
        )
        return rows

    @property
    def native(self) -> tuple[ReferenceSet, str]:
        """The references and the rule for their length, for native loops."""
        return self._set, self._reference_length

    def ids_of(self, words: Sequence[str]) -> NDArray[np.int32]:
        """The ids that `statistics_of_ids` expects: ids_of(vocabulary.words())[word_ids].

        Words that occur in no reference get -1.
        """
        return self._set.ids_of(list(words))

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
        return rows.reshape(len(offsets) - 1, self.columns)
