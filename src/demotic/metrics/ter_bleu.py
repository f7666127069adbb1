"""(TER - BLEU) / 2, the combined score of Eidelman et al. 2013 (footnote 7); lower is better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from demotic.metrics.bleu import Bleu, BleuOptions
from demotic.metrics.metric import Metric
from demotic.metrics.references import References
from demotic.metrics.ter import Ter, TerOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic import _core
    from demotic.metrics.metric import Count, Floats, Numbers, Rows

__all__ = ["TerBleu"]


class TerBleu(Metric):
    """Rows: those of TER, then those of BLEU."""

    name = "(TER-BLEU)/2"
    higher_is_better = False
    columns = Ter.columns + Bleu.columns
    options_class = BleuOptions

    def __init__(
        self,
        references: References,
        bleu: BleuOptions | None = None,
        ter: TerOptions | None = None,
    ) -> None:
        super().__init__(references)
        self.ter = Ter(references, ter)
        self.bleu = Bleu(references, bleu)

    def rows(self, texts: list[str], sentences: NDArray[np.int64], threads: int) -> Rows:
        import numpy as np

        parts = [
            part.statistics(texts, sentences, threads=threads) for part in (self.ter, self.bleu)
        ]
        return np.concatenate(parts, axis=1)

    def counter(self, words: Sequence[str]) -> Count:
        import numpy as np

        counters = [part.counter(words) for part in (self.ter, self.bleu)]

        def count(
            offsets: NDArray[np.int64],
            ids: NDArray[np.int32],
            sentences: NDArray[np.int64],
            threads: int = 1,
        ) -> Rows:
            parts = [counter(offsets, ids, sentences, threads) for counter in counters]
            return np.concatenate(parts, axis=1)

        return count

    @property
    def native_form(self) -> _core.MetricForm | None:
        from demotic import _core

        if self.bleu.native_form is None:
            return None
        return _core.MetricForm(
            _core.MetricKind.ter_bleu,
            float(self.bleu.length_scale),
            ter_length_scale=float(self.ter.length_scale),
        )

    @property
    def background(self) -> Floats:
        import numpy as np

        return np.concatenate([self.ter.background, self.bleu.background])

    def corpus_scores(self, sums: Numbers) -> Floats:
        ter, bleu = self._parts(sums)
        return (self.ter.corpus_scores(ter) - self.bleu.corpus_scores(bleu)) / 2

    def gain(self, statistics: Numbers) -> Floats:
        """The mean of both gains."""
        ter, bleu = self._parts(statistics)
        return (self.ter.gain(ter) + self.bleu.gain(bleu)) / 2

    def _parts(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        return rows[..., : Ter.columns], rows[..., Ter.columns :]

    @property
    def signature(self) -> str:
        return f"TER {self.ter.signature} BLEU {self.bleu.signature}"
