"""A metric that compares words, and so can also take candidates that are numbers already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from demotic.metrics.metric import Metric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic._core import BleuReferences, ReferenceSet, TerReferences
    from demotic.metrics.metric import Rows

__all__ = ["WordMetric"]


class WordMetric(Metric):
    """What BLEU and TER share; its children set `_set` and `_native`."""

    _set: ReferenceSet
    _native: BleuReferences | TerReferences

    def ids_of(self, words: Sequence[str]) -> NDArray[np.int32]:
        """The ids that `statistics_of_ids` wants: ids_of(vocabulary.words())[word_ids].

        Words that no reference has get -1.
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
        rows = self._native.rows_of_ids(offsets, words, sentence_ids, threads)
        return rows.reshape(len(offsets) - 1, self.columns)
