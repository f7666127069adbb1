"""Operation sequence models: n-grams of the operations that generate a sentence pair.

Durrani, Schmid & Fraser 2011; Durrani, Fraser, Schmid, Hoang & Koehn 2013.  What the operations
are: core/include/demotic/rules/operations.h and docs/models.md.  Over classes (Durrani, Koehn,
Schmid & Fraser 2014), every word of an operation is replaced by its Brown cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from demotic import _core
from demotic.errors import InputError
from demotic.features.dense import Kind
from demotic.lm.estimate import LmOptions, estimate_lm
from demotic.lm.model import LanguageModel
from demotic.lm.text import EncodedText
from demotic.model.class_lm import estimate_by_class, estimate_like
from demotic.text.brown import NO_CLASS, BrownOptions, brown_clusters

if TYPE_CHECKING:
    from demotic.text.brown import BrownClusters
    from demotic.text.parallel import ParallelCorpus

__all__ = ["OperationOptions", "estimate_operations", "estimate_operations_like"]

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class OperationOptions:
    """The order of the n-grams, 0 for no model; and the number of word classes, 0 for words."""

    order: int = 0
    classes: int = 0

    def check(self, kind: Kind) -> None:
        """Refuses the model where it does not exist."""
        if self.order and kind != "phrase":
            raise InputError(
                f"an operation sequence model for a {kind} model",
                expected="a phrase model",
                advice="omit --operations, or give --kind phrase",
            )
        if self.classes and (not self.order or self.classes < 2):
            raise InputError(
                f"operations of {self.classes} word classes",
                expected="at least 2 classes, and the order of an operation sequence model",
                advice="give --operations, such as --operations 5",
            )


def estimate_operations(
    corpus: ParallelCorpus,
    links: _core.Alignments,
    options: OperationOptions,
    *,
    progress: Progress | None = None,
) -> LanguageModel:
    """Estimates the model from an aligned bitext; pairs without links do not count."""
    text = _operations(corpus, links)
    if not options.classes:
        return estimate_lm(text, LmOptions(order=options.order), progress=progress)
    chosen, words = BrownOptions(classes=options.classes), corpus.vocabulary
    source, target = (
        _class_names(brown_clusters(side.sentences, words, chosen, progress), words)
        for side in (corpus.source, corpus.target)
    )
    names = [_by_class(name, source, target) for name in text.vocabulary.words()]
    return estimate_by_class(text, names[_core.RESERVED_WORDS :], options.order)


def estimate_operations_like(
    model: _core.LanguageModel, corpus: ParallelCorpus, links: _core.Alignments
) -> LanguageModel:
    """A model with the order and the classes of another one, of another bitext."""
    text = _operations(corpus, links)
    if model.has_classes:
        return estimate_like(model, text)
    return estimate_lm(text, LmOptions(order=model.order))


def _operations(corpus: ParallelCorpus, links: _core.Alignments) -> EncodedText:
    import numpy as np

    operations, names = _core.operation_text(
        corpus.source.sentences, corpus.target.sentences, links, corpus.vocabulary
    )
    sizes = np.diff(operations.offsets)
    offsets = np.concatenate([[0], np.cumsum(sizes[sizes > 0])]).astype(np.int64)
    return EncodedText(_core.Corpus(offsets, operations.words), names)


def _class_names(clusters: BrownClusters, vocabulary: _core.Vocabulary) -> dict[str, str]:
    """The bit strings of words that have a cluster."""
    found = clusters.word_class.tolist()
    return {
        word: clusters.bits[one]
        for word, one in zip(vocabulary.words(), found, strict=True)
        if one != NO_CLASS
    }


def _by_class(name: str, source: dict[str, str], target: dict[str, str]) -> str:
    """The name of an operation with classes instead of words."""
    mark, words = name[0], name[1:]
    if mark == "=":
        sides = zip(words.split("\t"), (source, target), strict=True)
        return mark + "\t".join(
            "".join(classes[word] + " " for word in side.split(" ")[:-1]) for side, classes in sides
        )
    if mark in "-+":
        return mark + (source if mark == "-" else target)[words]
    return name
