"""BLEU-4 (Papineni et al. 2002): statistics of nine integers per candidate, scores and gains.

A row is matches of n = 1..4 (clipped by the references), n-grams of n = 1..4, and the reference
length times `length_scale`.  That is 1 except for average lengths, which it makes integers: then it
is the number of references (the least common multiple, if sentences differ).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Self

from demotic.metrics.references import References
from demotic.metrics.signature import signature
from demotic.metrics.tokens import TokenizeName, text_rules
from demotic.metrics.word_metric import WordMetric
from demotic.options import Options, option

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic import _core
    from demotic.metrics.bleu_score import Smoothing
    from demotic.metrics.metric import Floats, Numbers, Rows

__all__ = ["Bleu", "BleuOptions", "ReferenceLengthName"]

ReferenceLengthName = Literal["closest", "shortest", "average"]
SentenceSmoothing = Literal["plus-one", "plus-one-all", "exp", "floor", "none"]

_LENGTH_PARTS = 1000  # per word, of the lengths of partial references


@dataclass(frozen=True, kw_only=True)
class BleuOptions(Options):
    """Options of BLEU; with the defaults a corpus score is sacrebleu's."""

    tokenize: TokenizeName = option("13a", "tokenisation; none if the text is already tokenised")
    lowercase: bool = option(False, "ignore case")
    reference_length: ReferenceLengthName = option(
        "closest", "reference length for the brevity penalty"
    )
    smoothing: Literal["exp", "floor", "add-k", "none"] = option(
        "exp", "smoothing of zero counts in corpus scores"
    )
    sentence_smoothing: SentenceSmoothing = option(
        "plus-one", "smoothing in gains; plus-one adds 1 for n >= 2"
    )
    smooth_brevity: bool = option(False, "add 1 to the reference length in gains")


class Bleu(WordMetric):
    """BLEU of candidates against `references`."""

    name = "BLEU"
    columns = 9
    options_class = BleuOptions
    has_partial_statistics = True
    _family = "bleu"

    def __init__(self, references: References, options: BleuOptions | None = None) -> None:
        super().__init__(references)
        from demotic import _core

        self.options = options or BleuOptions()
        self._rules = text_rules(self.options.tokenize, lowercase=self.options.lowercase)
        self._prepare = self._rules.prepare
        self._word_by_word = self._rules.word_by_word
        self._segments = self._rules.native != "none"
        self._reference_length = self.options.reference_length
        texts = self._prepare(references.texts)
        self._set = _core.ReferenceSet(texts, references.first, self._rules.native)
        self.length_scale = self._set.length_scale if self._reference_length == "average" else 1

    @property
    def native_form(self) -> _core.MetricForm | None:
        """Without smoothing, which matters only where a corpus has no match of some order."""
        from demotic import _core

        if self.options.smoothing not in ("exp", "none"):
            return None
        return _core.MetricForm(_core.MetricKind.bleu, float(self.length_scale))

    def counts(self, statistics: Numbers) -> Floats:
        """Rows or sums with the reference length in words."""
        import numpy as np

        rows = np.array(statistics, np.float64)
        rows[..., -1] /= self.length_scale
        return rows

    def corpus_scores(self, sums: Numbers) -> Floats:
        from demotic.metrics.bleu_score import bleu_scores

        return 100 * bleu_scores(self.counts(sums), self._corpus_smoothing)

    def gain(self, statistics: Numbers) -> Floats:
        from demotic.metrics.bleu_score import bleu_scores

        return bleu_scores(self.counts(statistics), self._sentence_smoothing)

    def partial_lengths(
        self, statistics: Numbers, sentences: NDArray[np.integer], covered: Numbers
    ) -> Floats:
        """The reference length, in words, of the `covered` share for rows of partial translations.

        With several references the closest is the one whose *share* is closest to the yield, the
        shorter of two: whole references are too long, and the shortest would always be chosen.
        """
        import numpy as np

        rows, shares = self.counts(statistics), np.asarray(covered, np.float64)
        if self._reference_length != "closest":
            return np.asarray(rows[:, -1] * shares)
        words = rows[:, self.columns // 2]
        lengths, first = self._set.lengths(), self.references.first
        best = np.full(len(rows), np.inf)
        for k in range(int(np.diff(first).max(initial=0))):
            there = first[sentences] + k < first[np.asarray(sentences) + 1]
            one = np.where(
                there, lengths[np.where(there, first[sentences] + k, 0)] * shares, np.inf
            )
            nearer = np.abs(one - words) < np.abs(best - words)
            as_near = np.abs(one - words) == np.abs(best - words)
            best = np.where(nearer | (as_near & (one < best)), one, best)
        return best

    def partial_statistics(
        self, statistics: Rows, sentences: NDArray[np.integer], covered: Numbers
    ) -> Rows:
        """Of partial translations: rows with the reference length of the `covered` share.

        Liu & Huang 2014, equation 1 without its extra minus.  Statistics are whole numbers, so
        that lengths are rounded to the unit of this metric: words, or the thousandths of
        `with_fractional_lengths`.
        """
        import numpy as np

        lengths = self.partial_lengths(statistics, sentences, covered)
        rows = statistics.copy()
        rows[:, -1] = np.maximum(1, np.rint(lengths * self.length_scale))
        return rows

    def with_fractional_lengths(self) -> Self:
        """The same metric, whose statistics have reference lengths in thousandths of words.

        A share of a reference is hardly ever a whole number of words.
        """
        from copy import copy

        fractional = copy(self)
        fractional._length_parts = _LENGTH_PARTS
        fractional.length_scale = self.length_scale * _LENGTH_PARTS
        return fractional

    def detail(self, summed: Numbers) -> str:
        from demotic.metrics.bleu_score import ORDER, brevity_penalties, precisions

        row = self.counts(summed)
        parts = "/".join(f"{100 * p:.1f}" for p in precisions(row, self._corpus_smoothing))
        penalty = float(brevity_penalties(row, self._corpus_smoothing))
        return f"{parts} BP {penalty:.3f} words {row[ORDER]:.0f} of {row[-1]:.0f}"

    @cached_property
    def _corpus_smoothing(self) -> Smoothing:
        from demotic.metrics.bleu_score import Smoothing

        method = self.options.smoothing
        return Smoothing(method, {"floor": 0.1, "add-k": 1.0}.get(method, 0.0))

    @cached_property
    def _sentence_smoothing(self) -> Smoothing:
        from demotic.metrics.bleu_score import Smoothing

        brevity = float(self.options.smooth_brevity)
        match self.options.sentence_smoothing:
            case "plus-one":
                return Smoothing("add-k", 1.0, brevity)
            case "plus-one-all":
                return Smoothing("add-all", 1.0, brevity)
            case "floor":
                return Smoothing("floor", 0.1, brevity, effective_order=True)
            case method:
                return Smoothing(method, 0.0, brevity, effective_order=True)

    @property
    def signature(self) -> str:
        smoothing = self._corpus_smoothing
        ours = self.options.reference_length != "closest"
        items: dict[str, str | int | bool] = {
            "case": "lc" if self.options.lowercase else "mixed",
            "eff": "no",
            "tok": self._rules.name,
            "smooth": smoothing.method + (f"[{smoothing.value:.2f}]" if smoothing.value else ""),
        }
        if ours:
            items["reflen"] = self.options.reference_length
        return signature(self.references.number, items, ours=ours)
