"""Pictures of what `demotic make` has made."""

from __future__ import annotations

from demotic.confidence import ConfidenceEstimator
from demotic.pipeline.result import MakeResult
from demotic.report.curve import curve
from demotic.report.markup import Html
from demotic.report.svg import svg, svg_text, word_width

__all__ = ["confidence", "learning_curve"]

_SENTENCE = "在东京学习的时候，她经常在体育馆打网球。"


def learning_curve(made: MakeResult) -> Html:
    """BLEU of the dev set by round of the first tuning."""
    tuned = next(one for one in made.stages if len(one.curve) > 1)
    return curve(tuned.curve, kept=tuned.kept, unit="BLEU on the dev set")


def confidence(made: MakeResult) -> Html:
    """Words of the translation with the probability that each is correct."""
    model = made.model
    (found,) = model.search([model.raw_text.prepared(_SENTENCE)])
    shares = ConfidenceEstimator.of(model).words(found)
    parts, x = [], 4.0
    for word, share in zip(found.best.words, shares, strict=True):
        width = max(word_width(word), word_width("0.00")) + 12
        parts += [
            f'<rect class="dot" x="{x:.1f}" y="{84 - 60 * share:.1f}" width="{width - 6:.1f}" '
            f'height="{60 * share:.1f}" fill-opacity="{0.15 + 0.85 * share:.2f}"/>',
            svg_text(x + width / 2 - 3, 104, word, ' text-anchor="middle"'),
            svg_text(x + width / 2 - 3, 16, f"{share:.2f}", ' class="tick" text-anchor="middle"'),
        ]
        x += width
    return svg(x, 112, parts, "confidence of each word")
