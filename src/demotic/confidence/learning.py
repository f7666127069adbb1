"""Learns a calibration from a dev set: which words of its translations are correct.

A word is correct if the edits of TER between the translation and its best reference keep it: it is
neither deleted nor substituted, but may be shifted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from demotic.confidence.calibration import Calibration, weights_digest
from demotic.confidence.isotonic import area_under_roc, isotonic_points
from demotic.confidence.posteriors import WordPosteriors, word_posteriors
from demotic.errors import Error
from demotic.metrics.references import References
from demotic.metrics.ter import Ter, TerOptions

if TYPE_CHECKING:
    from demotic.model import Model
    from demotic.search import Decoder

__all__ = [
    "SCALES",
    "LabelledWords",
    "calibrate",
    "calibration_of",
    "labelled_words",
    "with_confidence",
]

SCALES = (0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.5)
_BATCH = 32  # sentences whose forests are in memory at once, per thread
_SENTENCES = 500  # of a dev set, if a calibration is not what was asked for
_FEWEST = 100  # words from which a curve can be learnt

Progress = Callable[[int, int], None]


class LabelledWords(NamedTuple):
    """Words of translations: posteriors in a row per scale, and whether each is correct."""

    posteriors: NDArray[np.float64]
    copied: NDArray[np.bool_]
    correct: NDArray[np.bool_]


def labelled_words(
    decoder: Decoder,
    source: Sequence[str],
    references: References,
    *,
    scales: Sequence[float] = SCALES,
    threads: int = 1,
    progress: Progress | None = None,
) -> LabelledWords:
    """Translates tokenised sentences and compares every word with the references."""
    found: list[WordPosteriors] = []
    texts: list[str] = []
    for begin in range(0, len(source), _BATCH * threads):
        batch = source[begin : begin + _BATCH * threads]
        for result in decoder.search(batch, threads=threads):
            found.append(word_posteriors(result, scales))
            texts.append(" ".join(found[-1].words))
        if progress is not None:
            progress(len(texts), len(source))
    kept = Ter(references, TerOptions(case_sensitive=True)).kept_words(texts)
    return LabelledWords(
        np.concatenate([one.posteriors for one in found], axis=1),
        np.concatenate([one.copied for one in found]),
        np.concatenate(kept),
    )


def calibrate(
    model: Model,
    source: Sequence[str],
    references: References,
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> Calibration:
    """Learns from all sentences. Raises Error if they have too few words."""
    found = labelled_words(model.decoder(), source, references, threads=threads, progress=progress)
    made = calibration_of(model, found)
    if made is None:
        raise Error(
            f"{len(found.correct):,} words to calibrate on, {found.correct.sum():,} of them "
            "correct",
            expected=f"at least {_FEWEST} known words, some correct and some not",
            advice="give a dev set of a few hundred sentences",
        )
    return made


def with_confidence(
    model: Model,
    source: Sequence[str],
    references: References,
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> Model:
    """A model with a calibration, which is learnt if there is none and the text has enough words.

    500 sentences suffice, and take a few per cent of the time that tuning takes.
    """
    if model.info.parts.confidence is not None:
        return model
    chosen = np.unique(np.linspace(0, len(source) - 1, min(_SENTENCES, len(source)), dtype=np.intp))
    first, texts = references.first, references.texts
    part = References.from_sentences([texts[first[i] : first[i + 1]] for i in chosen])
    sentences = [source[i] for i in chosen]
    found = labelled_words(model.decoder(), sentences, part, threads=threads, progress=progress)
    made = calibration_of(model, found)
    return model if made is None else made.attach(model)


def calibration_of(model: Model, found: LabelledWords) -> Calibration | None:
    """The scale that ranks words best, and the curve for it; None if there are too few words."""
    known, correct = ~found.copied, found.correct
    right = int(correct[known].sum())
    if known.sum() < _FEWEST or right in (0, known.sum()):
        return None
    areas = [area_under_roc(row[known], correct[known]) for row in found.posteriors]
    best = int(np.argmax(areas))
    points = isotonic_points(found.posteriors[best, known], correct[known])
    made = Calibration(
        scale=SCALES[best],
        posteriors=tuple(points[0].tolist()),
        probabilities=tuple(points[1].tolist()),
        # One correct and one wrong word more, for dev sets with few copied words.
        copied=float((correct[~known].sum() + 1) / ((~known).sum() + 2)),
        words=len(correct),
        correct=float(correct.mean()),
        area_under_roc=0.0,
        weights=weights_digest(model),
    )
    area = area_under_roc(made.apply(found.posteriors[best], found.copied), correct)
    return replace(made, area_under_roc=area)
