"""Linear interpolation of two language models, with a weight tuned on held-out text."""

from __future__ import annotations

from demotic._core import mix_models
from demotic.errors import InputError
from demotic.lines import read_lines
from demotic.lm.model import LanguageModel
from demotic.lm.text import TextSource

__all__ = ["mix_lms", "tune_weight"]


def mix_lms(first: LanguageModel, second: LanguageModel, weight: float) -> LanguageModel:
    """p = weight * p_first + (1 - weight) * p_second over the union of their n-grams."""
    return LanguageModel(ngrams=mix_models(first.native, second.native, weight))


def tune_weight(
    first: LanguageModel,
    second: LanguageModel,
    text: TextSource,
    *,
    iterations: int = 200,
    tolerance: float = 1e-6,
    threads: int = 1,
) -> float:
    """The weight of `first` that maximises the likelihood of held-out `text`, by EM."""
    import numpy as np

    texts = _lines(text)
    scores = [model.token_scores(texts, threads=threads) for model in (first, second)]
    known = [one.known for one in scores]
    if not len(known[0]):
        raise InputError("the held-out text is empty", expected="at least one sentence")
    # A word known to only one model has probability zero in the other, as in the mixture.
    p, q = (
        np.where(one.known | ~np.logical_or(*known), np.power(10.0, one.log10.astype("f8")), 0.0)
        for one in scores
    )
    possible = p + q > 0
    p, q = p[possible], q[possible]
    weight = 0.5
    for _ in range(iterations):
        share = weight * p
        new = float(np.mean(share / (share + (1 - weight) * q)))
        if abs(new - weight) < tolerance:
            return new
        weight = new
    return weight


def _lines(text: TextSource) -> TextSource:
    """Reads standard input into memory, because both models need the text."""
    if isinstance(text, str) and text == "-":
        return read_lines(text)
    return text
