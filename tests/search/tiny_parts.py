"""Parts of tiny models of both kinds: words, sentences, language models, weights."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product

import numpy as np

from demotic import _core
from demotic.features.weights import Weights
from tests.oracle.arpa import Arpa, ClassArpa, Entry, Words

__all__ = [
    "HUGE",
    "SOURCE",
    "TARGET",
    "lines",
    "long_text",
    "native_classes",
    "native_language_model",
    "positive_weights",
    "random_arpa",
    "random_weights",
    "sentences",
]

SOURCE = ("a", "b", "c", "d")
TARGET = ("v", "w", "x", "a")
HUGE = 2**31 - 1  # as a beam size or a pop limit: no pruning


def lines(sentences: Iterable[Iterable[str]]) -> list[str]:
    return [" ".join(words) for words in sentences]


def sentences(rng: random.Random, longest: int, count: int) -> list[Words]:
    """Words repeat; z and <s> are unknown, v is known as a target word only."""
    words = (*SOURCE, *SOURCE, *SOURCE, "z", "v", "<s>")
    return [tuple(rng.choices(words, k=rng.randint(0, longest))) for _ in range(count)]


def long_text(seed: int, length: int) -> Words:
    """Mostly known words; z is unknown."""
    return tuple(random.Random(seed).choices("abcdz", weights=(9, 9, 9, 9, 1), k=length))


def random_arpa(rng: random.Random) -> Arpa:
    """An n-gram model of order 1 to 3.

    It holds an n-gram only if it holds the first and the last n - 1 words of it.
    """
    order = rng.randint(1, 3)
    words = [word for word in (*TARGET, "b") if rng.random() < 0.9]
    grams = [{("<s>",), ("</s>",), ("<unk>",), *((word,) for word in words)}]
    for _ in range(1, order):
        longer = {
            (*left, right[-1])
            for left, right in product(sorted(grams[-1]), repeat=2)
            if left[1:] == right[:-1] and right[-1] != "<s>" and left[-1] != "</s>"
        }
        grams.append({gram for gram in sorted(longer) if rng.random() < 0.4})
    entries: dict[Words, Entry] = {}
    for gram in (gram for level in grams for gram in sorted(level)):
        backs_off = len(gram) < order and gram[-1] != "</s>" and rng.random() < 0.8
        backoff = rng.uniform(-1, 0.3) if backs_off else 0.0
        entries[gram] = float(np.float32(rng.uniform(-3, 0))), float(np.float32(backoff))
    return Arpa(entries)


def native_language_model(arpa: Arpa) -> _core.LanguageModel:
    levels: list[list[Words]] = [[] for _ in range(arpa.order)]
    for gram in arpa.entries:
        levels[len(gram) - 1].append(gram)
    text = ["", "\\data\\", *(f"ngram {i + 1}={len(grams)}" for i, grams in enumerate(levels))]
    for i, grams in enumerate(levels):
        text += ["", f"\\{i + 1}-grams:"]
        for gram in grams:
            log, backoff = arpa.entries[gram]
            end = f"\t{backoff!r}" if backoff and i + 1 < arpa.order else ""
            text.append(f"{log!r}\t{' '.join(gram)}{end}")
    reader = _core.ArpaReader("tiny", False)
    reader.feed("\n".join([*text, "", "\\end\\", ""]).encode())
    native = _core.LanguageModel.build(reader.finish(), False)
    return native_classes(native, arpa.classes) if isinstance(arpa, ClassArpa) else native


def native_classes(native: _core.LanguageModel, classes: Mapping[str, str]) -> _core.LanguageModel:
    """The same n-grams, of the classes of words."""
    words = _core.VocabularyBuilder()
    for word in classes:
        words.add(word)
    numbers = map(native.vocabulary.find, classes.values())
    by_word = np.array([*range(_core.RESERVED_WORDS), *numbers], np.int32)
    return native.with_classes(words.finish(), by_word)


def random_weights(rng: random.Random, names: Sequence[str]) -> Weights:
    """Mostly positive; sometimes some or all of them are zero, negative or equal."""
    draws: dict[str, Callable[[], float]] = {
        "usual": lambda: rng.uniform(0.05, 1),
        "some": lambda: rng.choice((0.0, rng.uniform(0, 1))),
        "any": lambda: rng.uniform(-1, 1),
        "equal": lambda: 0.5,
        "zero": lambda: 0.0,
    }
    draw = draws[rng.choices(list(draws), weights=(5, 2, 2, 1, 1))[0]]
    return Weights.of({name: draw() for name in names})


def positive_weights(weights: Weights) -> Weights:
    """Random weights of the same features; reordering and long rules pay off."""
    rng = random.Random(7)
    return Weights.of({name: rng.uniform(0.1, 1) for name in weights})
