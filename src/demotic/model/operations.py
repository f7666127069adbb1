"""Operation sequence models: n-grams of the operations that generate a sentence pair.

Durrani, Schmid & Fraser 2011; Durrani, Fraser, Schmid, Hoang & Koehn 2013.  What the operations
are: core/include/demotic/rules/operations.h and docs/models.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from demotic import _core
from demotic.errors import InputError
from demotic.features.dense import Kind
from demotic.lm.estimate import LmOptions, estimate_lm
from demotic.lm.model import LanguageModel
from demotic.lm.text import EncodedText

if TYPE_CHECKING:
    from demotic.text.parallel import ParallelCorpus

__all__ = ["check_operations", "estimate_operations"]


def check_operations(kind: Kind, order: int) -> None:
    """Refuses the model where it does not exist."""
    if kind != "phrase" and order:
        raise InputError(
            f"an operation sequence model for a {kind} model",
            expected="a phrase model",
            advice="omit --operations, or give --kind phrase",
        )


def estimate_operations(
    corpus: ParallelCorpus,
    links: _core.Alignments,
    order: int,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> LanguageModel:
    """Estimates the model from an aligned bitext; pairs without links do not count."""
    import numpy as np

    operations, names = _core.operation_text(
        corpus.source.sentences, corpus.target.sentences, links, corpus.vocabulary
    )
    sizes = np.diff(operations.offsets)
    offsets = np.concatenate([[0], np.cumsum(sizes[sizes > 0])]).astype(np.int64)
    text = EncodedText(_core.Corpus(offsets, operations.words), names)
    return estimate_lm(text, LmOptions(order=order), progress=progress)
