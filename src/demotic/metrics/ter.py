"""Translation edit rate (Snover et al. 2006) as sacrebleu defines it: edits with shifts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from demotic.lines import split_words
from demotic.metrics.references import References
from demotic.metrics.signature import signature
from demotic.metrics.word_metric import WordMetric
from demotic.options import Options, option

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic import _core
    from demotic.metrics.metric import Floats, Numbers

__all__ = ["Ter", "TerOptions"]


@dataclass(frozen=True, kw_only=True)
class TerOptions(Options):
    """Options of TER; the defaults are sacrebleu's."""

    case_sensitive: bool = option(False, "distinguish upper and lower case")
    normalized: bool = option(False, "tokenise punctuation as Tercom does")
    no_punct: bool = option(False, "ignore punctuation")
    asian_support: bool = option(False, "apply both to East Asian text as well")


class Ter(WordMetric):
    """Rows: edits against the best reference, average reference length times `length_scale`."""

    name = "TER"
    higher_is_better = False
    columns = 2
    options_class = TerOptions
    _family = "ter"
    _segments = False
    _reference_length = "average"

    def __init__(self, references: References, options: TerOptions | None = None) -> None:
        super().__init__(references)
        from demotic import _core

        self.options = options or TerOptions()
        self._prepare = _preparation(self.options)
        self._word_by_word = not (self.options.normalized or self.options.no_punct)
        self._set = _core.ReferenceSet(self._prepare(references.texts), references.first, "none")
        self.length_scale = self._set.length_scale

    def kept_words(self, texts: list[str]) -> list[NDArray[np.bool_]]:
        """For each word of text i, whether the edits to its best reference keep it.

        Shifted words are kept; deleted and substituted ones are not.
        """
        import numpy as np

        from demotic import _core

        prepared = self._prepare(texts)
        kept = _core.ter_kept(self._set, prepared, np.arange(len(texts))).astype(np.bool_)
        ends = np.cumsum([len(split_words(text)) for text in prepared])
        return np.split(kept, ends[:-1])

    @property
    def native_form(self) -> _core.MetricForm:
        from demotic import _core

        return _core.MetricForm(_core.MetricKind.ratio, float(self.length_scale))

    def rates(self, rows: Numbers) -> Floats:
        """Edits per reference word; 1 if there are edits and no words."""
        import numpy as np

        edits, words = rows[..., 0], rows[..., 1] / self.length_scale
        rates = np.where(edits > 0, 1.0, 0.0)
        np.divide(edits, words, out=rates, where=words > 0)
        return rates

    def corpus_scores(self, sums: Numbers) -> Floats:
        return 100 * self.rates(sums)

    def gain(self, statistics: Numbers) -> Floats:
        """1 - TER, at least 0."""
        import numpy as np

        return np.maximum(0.0, 1 - self.rates(statistics))

    def detail(self, summed: Numbers) -> str:
        return f"{summed[0]} edits of {summed[1] / self.length_scale:.1f} words"

    @property
    def signature(self) -> str:
        options = self.options
        items: dict[str, str | int | bool] = {
            "case": "mixed" if options.case_sensitive else "lc",
            "tok": "tercom",
            "norm": options.normalized,
            "punct": not options.no_punct,
            "asian": options.asian_support,
        }
        return signature(self.references.number, items)


def _preparation(options: TerOptions) -> Callable[[list[str]], list[str]]:
    if options.normalized or options.no_punct:
        from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

        tokenizer = TercomTokenizer(
            normalized=options.normalized,
            no_punct=options.no_punct,
            asian_support=options.asian_support,
            case_sensitive=options.case_sensitive,
        )
        return lambda texts: [tokenizer(text.rstrip()) for text in texts]
    if options.case_sensitive:
        return lambda texts: texts
    return lambda texts: [text.lower() for text in texts]
