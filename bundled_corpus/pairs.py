"""Sentence pairs: source words, tags and tree of a drawn phrase, with English wordings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .context import Phrase
from .random_source import RandomSource
from .wording import Loose, Word, Wording, draw, finish


@dataclass(frozen=True)
class Pair:
    """A source sentence with tags and tree, and one or more English wordings of it."""

    source: tuple[str, ...]
    tags: tuple[str, ...]
    tree: str
    targets: tuple[Wording, ...]
    noisy: bool = False

    @property
    def raw_source(self) -> str:
        return "".join(self.source)


def pair_of(phrase: Phrase, targets: Sequence[Wording]) -> Pair:
    leaves = tuple(phrase.tree.leaves())
    return Pair(
        tuple(leaf.word for leaf in leaves),
        tuple(leaf.tag for leaf in leaves),
        phrase.tree.bracketed(),
        tuple(targets),
    )


def wording_of(
    rng: RandomSource,
    phrase: Phrase,
    omitted: list[Loose] | None = None,
    *,
    opening: str = "",
    closing: str = "",
) -> Wording:
    """Draw one translation; `omitted` collects the loose parts that were left out."""
    positions = {leaf: i for i, leaf in enumerate(phrase.tree.leaves())}
    *body, stop = draw(phrase.target, rng, omitted)
    before = [Word(word) for word in opening.split()]
    after = [Word(word) for word in closing.split()]
    return finish([*before, *body, *after, stop], positions)


def free_wording(
    rng: RandomSource, phrase: Phrase, free: Mapping[str, str]
) -> tuple[Wording, bool]:
    """Draw a translation with the words of `free` replaced, and whether there were any."""
    positions = {leaf: i for i, leaf in enumerate(phrase.tree.leaves())}
    words = list(draw(phrase.target, rng))
    said = [
        Word(text, word.leaves) for word in words for text in free.get(word.text, word.text).split()
    ]
    return finish(said, positions), any(word.text in free for word in words)


def references_of(rng: RandomSource, phrase: Phrase, count: int, tries: int = 24) -> list[Wording]:
    """Draw several wordings, all different if that many are found in so many tries."""
    found: list[Wording] = []
    for _ in range(tries):
        wording = wording_of(rng, phrase)
        if all(wording.tokens != other.tokens for other in found):
            found.append(wording)
        if len(found) == count:
            return found
    return [found[i % len(found)] for i in range(count)]
