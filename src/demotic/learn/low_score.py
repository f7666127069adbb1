"""Refuses to learn from a score close to zero, with the likely reason.

Weights cannot fix a text that the model does not understand: raw lines where tokens are expected
give BLEU 0 in every round, and a model that is no better than before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.errors import ModelError

if TYPE_CHECKING:
    from demotic.learn.dev_set import DevSet
    from demotic.model import Model

__all__ = ["refuse_low_score"]

_FEW_SENTENCES, _FEW_WORDS = 20, 100  # BLEU on less may be 0 even for a good model


def refuse_low_score(
    bleu: float, minimum: float, model: Model, dev: DevSet, name: str = "dev set"
) -> None:
    """Raises ModelError if the initial BLEU on a set of some size is below the minimum."""
    sentences = [line for line in dev.source if line.strip()]
    words = sum(len(line.split()) for line in sentences)
    if bleu >= minimum or len(sentences) < _FEW_SENTENCES or words < _FEW_WORDS:
        return
    raise ModelError(
        f"BLEU {bleu:.2f} on the {name} before anything is learnt: {_reason(model, dev)}",
        path=model.path,
        expected=f"at least {minimum:g}",
        advice="check the output of demotic translate for it; --min-bleu 0 continues anyway",
    )


def _reason(model: Model, dev: DevSet) -> str:
    from demotic.search.unknowns import unknown_words

    source = unknown_words(model, dev.source, "source")
    if source.should_warn:
        return f"of the source, {source.text}"
    target = unknown_words(model, dev.references.texts, "target")
    if target.should_warn:
        return f"of the references, {target.text}"
    return (
        "the model knows the words, so references may belong to other lines, or its weights "
        "are unsuitable"
    )
