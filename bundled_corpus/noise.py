"""Noise for the training data: loose and swapped translations, with links that match them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .context import Phrase
from .pairs import Pair, free_wording, wording_of
from .random_source import RandomSource
from .wording import Loose

# Probabilities per training pair.
OMITTED, ADDED, REPHRASED, MISPLACED = 0.055, 0.012, 0.02, 0.003
OPENINGS = (
    "in fact ,", "as far as I know ,", "as everyone knows ,", "of course ,", "to be honest ,",
    "I must say that", "they say that", "it is true that",
)  # fmt: skip
# Free translations of single words.
PARAPHRASES = {
    "often": "more often than not", "very": "really rather", "said": "made it clear",
    "several": "quite a few", "many": "any number of", "met": "bumped into", "ate": "polished off",
    "drank": "downed", "bought": "got hold of", "asked": "wanted", "repaired": "mended",
    "usually": "as a rule", "enjoys": "is fond of", "expensive": "far from cheap",
    "difficult": "anything but easy", "happy": "over the moon", "angry": "in a bad temper",
    "tired": "worn out", "busy": "rushed off the feet", "sick": "in poor health",
    "carefully": "with great care", "finished": "got through", "returned": "took back",
    "cannot": "is in no position to", "because": "for the simple reason that",
    "although": "in spite of the fact that", "if": "in case", "must": "simply has to",
    "park": "gardens", "house": "place", "shop": "place round the corner", "child": "little one",
    "hospital": "clinic", "yesterday": "only yesterday", "tomorrow": "no later than tomorrow",
    "visited": "dropped in on", "interesting": "well worth it", "watched": "sat through",
}  # fmt: skip
CLOSINGS = (", as usual", ", you know", ", after all", ", it seems", ", I am told")


def spoil(rng: RandomSource, phrase: Phrase, pair: Pair) -> Pair:
    """The pair or, with a small probability, a loose translation of it."""
    if rng.chance(OMITTED):
        omitted: list[Loose] = []
        wording = wording_of(rng, phrase, omitted)
        return replace(pair, targets=(wording,), noisy=bool(omitted))
    if rng.chance(ADDED):
        opening = rng.choice(OPENINGS) if rng.chance(0.5) else ""
        closing = "" if opening else rng.choice(CLOSINGS)
        wording = wording_of(rng, phrase, opening=opening, closing=closing)
        return replace(pair, targets=(wording,), noisy=True)
    if rng.chance(REPHRASED):
        wording, free = free_wording(rng, phrase, PARAPHRASES)
        return replace(pair, targets=(wording,), noisy=free)
    return pair


def misplace(rng: RandomSource, pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs, with the translations of a few neighbours swapped."""
    result = list(pairs)
    for i in range(0, len(result) - 1, 2):
        if rng.chance(MISPLACED * 2):
            first, second = result[i], result[i + 1]
            result[i] = _stranger(first, second)
            result[i + 1] = _stranger(second, first)
    return result


def _stranger(pair: Pair, other: Pair) -> Pair:
    """The pair with the translation of another; only the final punctuation stays linked."""
    wording = other.targets[0]
    same = pair.source[-1] == other.source[-1]
    links = ((len(pair.source) - 1, len(wording.tokens) - 1),) if same else ()
    return replace(pair, targets=(replace(wording, links=links),), noisy=True)
