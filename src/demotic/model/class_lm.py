"""Class-based language models: n-grams of word classes instead of words (Brown et al. 1992).

Classes are Brown clusters of the text.  The n-grams of a few hundred classes can be longer than
those of words, and words that the text has seldom share what is known about their class.  The file
of such a model also holds the class of each word, so it is queried with words like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from demotic import _core
from demotic.errors import InputError
from demotic.lm.estimate import LmOptions, estimate_lm
from demotic.lm.model import LanguageModel
from demotic.lm.text import EncodedText, TextSource, encode_text, encode_with
from demotic.text.brown import NO_CLASS, BrownOptions, brown_clusters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ClassLmOptions", "estimate_by_class", "estimate_class_lm", "estimate_like"]

_EXPECTED = f"CLASSES:ORDER, at least 2 classes and an order from 1 to {_core.MAX_LM_ORDER}"

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class ClassLmOptions:
    """How many classes, and the order of their n-grams."""

    classes: int
    order: int

    def __post_init__(self) -> None:
        if self.classes < 2 or not 1 <= self.order <= _core.MAX_LM_ORDER:
            raise InputError(f"the class language model {self}", expected=_EXPECTED)

    @classmethod
    def parsed(cls, text: str) -> ClassLmOptions:
        """Reads CLASSES:ORDER."""
        parts = text.split(":")
        if len(parts) != 2 or not all(part.isascii() and part.isdigit() for part in parts):
            raise InputError(f"the class language model {text!r}", expected=_EXPECTED)
        return cls(int(parts[0]), int(parts[1]))

    @classmethod
    def several(cls, texts: Sequence[str]) -> tuple[ClassLmOptions, ...]:
        """Reads CLASSES:ORDER several times, or `none`."""
        return () if list(texts) == ["none"] else tuple(map(cls.parsed, texts))

    def __str__(self) -> str:
        return f"{self.classes}:{self.order}"


def estimate_class_lm(
    text: TextSource, options: ClassLmOptions, *, progress: Progress | None = None
) -> LanguageModel:
    """Clusters the words of a text, and estimates a model of their classes from it."""
    encoded = encode_text(text)
    clusters = brown_clusters(
        encoded.corpus, encoded.vocabulary, BrownOptions(classes=options.classes), progress
    )
    found = clusters.word_class[_core.RESERVED_WORDS :].tolist()
    names = [None if one == NO_CLASS else clusters.bits[one] for one in found]
    return estimate_by_class(encoded, names, options.order)


def estimate_by_class(
    text: EncodedText, class_of: Sequence[str | None], order: int
) -> LanguageModel:
    """A model of classes, given the class of each word of the vocabulary but the reserved ones."""
    import numpy as np

    names = _core.VocabularyBuilder()
    numbers = [_core.UNKNOWN if one is None else names.add(one) for one in class_of]
    by_word = np.array([*range(_core.RESERVED_WORDS), *numbers], np.int32)
    return _estimate(text, by_word, names.finish(), order)


def estimate_like(model: _core.LanguageModel, text: TextSource) -> LanguageModel:
    """A model with the classes and the order of another one, estimated from other text."""
    encoded = encode_with(model.words, text)
    return _estimate(encoded, model.map(encoded.vocabulary), model.vocabulary, model.order)


def _estimate(
    text: EncodedText, by_word: NDArray[np.int32], names: _core.Vocabulary, order: int
) -> LanguageModel:
    import numpy as np

    classes = _core.Corpus(text.corpus.offsets, by_word[text.corpus.words])
    ngrams = estimate_lm(EncodedText(classes, names), LmOptions(order=order)).native
    known = np.asarray(ngrams.map(names), np.int32)  # a short text lacks some of the classes
    return LanguageModel(native=ngrams.with_classes(text.vocabulary, known[by_word]))
