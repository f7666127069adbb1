"""(TER - BLEU) / 2, the combined score of Eidelman et al. 2013 (footnote 7); lower is better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.metrics.bleu import Bleu, BleuOptions
from demotic.metrics.metric import Metric
from demotic.metrics.references import References
from demotic.metrics.ter import Ter, TerOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic.metrics.metric import Floats, Numbers, Rows

__all__ = ["TerBleu"]


class TerBleu(Metric):
    """Rows: those of TER, then those of BLEU."""

    name = "(TER-BLEU)/2"
    higher_is_better = False
    columns = Ter.columns + Bleu.columns

    def __init__(
        self,
        references: References,
        bleu: BleuOptions | None = None,
        ter: TerOptions | None = None,
    ) -> None:
        super().__init__(references)
        self.ter = Ter(references, ter)
        self.bleu = Bleu(references, bleu)

    def _rows(self, texts: list[str], sentences: NDArray[np.int64], threads: int) -> Rows:
        import numpy as np

        parts = [
            part.statistics(texts, sentences, threads=threads) for part in (self.ter, self.bleu)
        ]
        return np.concatenate(parts, axis=1)

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
