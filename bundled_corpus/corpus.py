"""Drawing the corpus: train, dev and test, with unknown words, references and some noise."""

from __future__ import annotations

from dataclasses import dataclass

from demotic.demo import REFERENCES

from .context import Context
from .lexicon import load
from .noise import misplace, spoil
from .pairs import Pair, pair_of, references_of, wording_of
from .random_source import RandomSource
from .sentences import draw_sentence

# Weight of held-out lexicon entries in dev and test; other entries have weight 1.
HELD_WEIGHT = 0.46
# Longest Chinese sentence in words.
LONGEST = 34


@dataclass(frozen=True)
class Corpus:
    """The three parts of the corpus and the seed that they were drawn from."""

    seed: int
    train: tuple[Pair, ...]
    dev: tuple[Pair, ...]
    test: tuple[Pair, ...]


def generate(seed: int = 1, train: int = 8000, dev: int = 300, test: int = 300) -> Corpus:
    """Draw the corpus of a seed, which is the same on every machine."""
    rng = RandomSource(seed)
    held = draw_distinct(Context(rng, load(), HELD_WEIGHT), dev + test)
    taken = frozenset(pair.source for pair in held)
    pairs = draw_training(Context(rng, load(), 0.0), train, taken)
    return Corpus(seed, tuple(pairs), tuple(held[:dev]), tuple(held[dev:]))


def draw_distinct(ctx: Context, count: int) -> list[Pair]:
    """Distinct sentences with all their references."""
    pairs: dict[tuple[str, ...], Pair] = {}
    while len(pairs) < count:
        phrase = draw_sentence(ctx)
        pair = pair_of(phrase, references_of(ctx.rng, phrase, REFERENCES))
        if len(pair.source) <= LONGEST:
            pairs.setdefault(pair.source, pair)
    return list(pairs.values())


def draw_training(ctx: Context, count: int, taken: frozenset[tuple[str, ...]]) -> list[Pair]:
    """Training pairs, one drawn wording each; a few of them loose or misplaced."""
    pairs: list[Pair] = []
    copies: dict[tuple[str, ...], int] = {}
    while len(pairs) < count:
        phrase = draw_sentence(ctx)
        pair = pair_of(phrase, (wording_of(ctx.rng, phrase),))
        copies[pair.source] = copies.get(pair.source, 0) + 1
        # Short sentences repeat in real corpora too, but more than two copies teach nothing.
        if len(pair.source) <= LONGEST and pair.source not in taken and copies[pair.source] <= 2:
            pairs.append(spoil(ctx.rng, phrase, pair))
    return misplace(ctx.rng, pairs)
