"""Linear interpolation of language models, with weights tuned on held-out text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from itertools import accumulate

from demotic._core import mix_models
from demotic.errors import InputError
from demotic.lines import read_lines
from demotic.lm.model import LanguageModel
from demotic.lm.text import TextSource

__all__ = ["mix_lms", "tune_weights"]

_ROUNDING = 1e-6  # of weights that should add up to 1


def mix_lms(models: Sequence[LanguageModel], weights: Sequence[float]) -> LanguageModel:
    """p(w | h) = sum of weights[i] * p_i(w | h) for every n-gram that one of the models lists.

    Other n-grams back off as in any model, and every context is normalised.  `weights` add up to 1.
    """
    _check(models, weights)
    result, *others = models
    if len(others) > 1:
        # A pair gives exact sums for the n-grams of the two only. So that no n-gram of a later
        # model is missed, the first one gets those of all others before anything is added to it.
        rest = reduce(lambda one, other: _pair(one, other, 0.5), others)
        result = _pair(result, rest, 1.0)
    before = weights[0]
    for other, total in zip(others, [*accumulate(weights)][1:], strict=True):
        result = _pair(result, other, min(1.0, before / total) if total else 1.0)
        before = total
    return result


def _pair(first: LanguageModel, second: LanguageModel, weight: float) -> LanguageModel:
    return LanguageModel(ngrams=mix_models(first.native, second.native, weight))


def tune_weights(
    models: Sequence[LanguageModel],
    text: TextSource,
    *,
    iterations: int = 200,
    tolerance: float = 1e-6,
    threads: int = 1,
) -> list[float]:
    """The weights of the models that maximise the likelihood of held-out `text`, by EM."""
    import numpy as np

    texts = _lines(text)
    scores = [model.token_scores(texts, threads=threads) for model in models]
    known = np.array([one.known for one in scores])
    if not known.size:
        raise InputError("the held-out text is empty", expected="at least one sentence")
    # A word known to some of the models has probability zero in the others, as in the mixture.
    log10 = np.array([one.log10 for one in scores], "f8")
    probs = np.where(known | ~known.any(axis=0), np.power(10.0, log10), 0.0)
    probs = probs[:, probs.any(axis=0)]
    weights = np.full(len(models), 1 / len(models))
    for _ in range(iterations):
        shares = weights[:, None] * probs
        new = (shares / shares.sum(axis=0)).mean(axis=1)
        change = np.abs(new - weights).max()
        weights = new
        if change < tolerance:
            break
    return [float(one) for one in weights / weights.sum()]


def _check(models: Sequence[LanguageModel], weights: Sequence[float]) -> None:
    if not models or len(models) != len(weights):
        raise InputError(
            f"{len(weights)} weights for {len(models)} language models",
            expected="one per model, and at least one model",
        )
    good = all(0 <= one <= 1 for one in weights)
    if not good or not math.isclose(math.fsum(weights), 1, abs_tol=_ROUNDING):
        raise InputError(
            f"the weights {', '.join(f'{one:g}' for one in weights)}",
            expected="numbers from 0 to 1 that add up to 1",
        )


def _lines(text: TextSource) -> TextSource:
    """Reads standard input into memory, because all models need the text."""
    if isinstance(text, str) and text == "-":
        return read_lines(text)
    return text
