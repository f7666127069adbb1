"""Estimates interpolated modified Kneser-Ney models, as KenLM's lmplz defines them.

Chen & Goodman 1998; Heafield, Pouzyrevsky, Clark & Koehn 2013.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from demotic._core import MAX_LM_ORDER, estimate_kneser_ney
from demotic.errors import InputError
from demotic.lm.model import LanguageModel
from demotic.lm.text import TextSource, encode_text
from demotic.options import Options, option

__all__ = ["LmOptions", "estimate_lm"]


@dataclass(frozen=True, kw_only=True)
class LmOptions(Options):
    """How a language model is estimated."""

    order: int = option(4, "n-gram order of the language model", minimum=1, maximum=MAX_LM_ORDER)
    prune: str = option(
        "0",
        "drop n-grams seen at most this often: one threshold per order, as '0 0 1'; the last "
        "applies to all higher orders; unigrams are kept",
        unit="counts",
    )
    discount_fallback: bool = option(
        True, "use discounts 0.5, 1 and 1.5 where the corpus is too small to estimate them"
    )
    quantize: Literal["none", "8"] = option(
        "none",
        "bits of the language model's probabilities and backoffs; 8 takes two thirds of the memory "
        "and is inexact",
        unit="bits",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.thresholds()

    def thresholds(self) -> list[int]:
        """`prune` as a checked list of numbers."""
        parts = self.prune.replace(",", " ").split()
        expected = "non-decreasing whole numbers, the first 0, at most one per order"
        try:
            numbers = [int(part) for part in parts]
        except ValueError:
            raise InputError(f"prune is {self.prune!r}", expected=expected) from None
        good = 1 <= len(numbers) <= self.order and numbers[0] == 0 and numbers == sorted(numbers)
        if not good:
            raise InputError(f"prune is {self.prune!r}", expected=expected)
        return numbers


def estimate_lm(
    text: TextSource,
    options: LmOptions | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> LanguageModel:
    """Estimates a language model of `text`: a file, several files, lines, or an encoded corpus.

    Orders whose discounts could not be estimated are in the result's `fallback_orders`.
    """
    options = options or LmOptions()
    encoded = encode_text(text)
    ngrams, report = estimate_kneser_ney(
        encoded.corpus,
        encoded.vocabulary,
        options.order,
        options.thresholds(),
        options.discount_fallback,
        progress,
    )
    model = LanguageModel(
        ngrams=ngrams,
        discounts=tuple(tuple(order) for order in report.discounts),
        fallback_orders=tuple(report.fallback_orders),
    )
    return model if options.quantize == "none" else model.quantized()
