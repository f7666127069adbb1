"""Windowed Brown clustering from the definition: every loss is a difference of two sums over all
pairs, recomputed from scratch.  Slow and obvious; words are strings, classes are frozen sets.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, pairwise

import numpy as np

Sentences = Sequence[Sequence[str]]
Class = frozenset[str]
# Losses by the most frequent words of the two classes, the more frequent first.
Losses = dict[tuple[str, str], float]
Decide = Callable[[Losses], tuple[str, str]]
Measure = Callable[[Sequence[tuple[str, str]], Sequence[Class]], float]


def ranked_words(sentences: Sentences, min_count: int = 1) -> list[str]:
    """By falling count; ties in order of first appearance."""
    counts = Counter(word for sentence in sentences for word in sentence)
    return sorted((w for w in counts if counts[w] >= min_count), key=lambda w: -counts[w])


def word_pairs(sentences: Sentences, words: Sequence[str]) -> list[tuple[str, str]]:
    known = set(words)
    return [p for s in sentences for p in pairwise(s) if known.issuperset(p)]


def information(pairs: Sequence[tuple[str, str]], classes: Sequence[Class]) -> float:
    """sum of p(a b) ln(p(a b) / (p(a .) p(. b))) over the pairs of `classes`."""
    both, left, right = _counts(pairs, classes)
    return sum(
        n / len(pairs) * math.log(n * len(pairs) / (left[a] * right[b]))
        for (a, b), n in both.items()
    )


def fixed_information(pairs: Sequence[tuple[str, str]], classes: Sequence[Class]) -> int:
    """The same times the number of pairs, up to a constant, in whole units of 2^-40 nats.

    Equal sums of these are equal to the last bit, so they say which ties are ties.
    """
    both, left, right = _counts(pairs, classes)
    total = sum(_times_log(n, n) for n in both.values())
    for c in classes:
        total -= _times_log(sum(n for (a, _), n in both.items() if a == c), left[c])
        total -= _times_log(sum(n for (_, b), n in both.items() if b == c), right[c])
    return total


@cache
def _times_log(x: int, y: int) -> int:
    log = float(np.log(np.longdouble(y)) * 2.0**40) if y else 0.0
    return int(x * log + 0.5)


def _counts(
    pairs: Sequence[tuple[str, str]], classes: Sequence[Class]
) -> tuple[Counter[tuple[Class, Class]], Counter[Class], Counter[Class]]:
    """Pairs inside `classes`, and all pairs by the class of the first and of the second word."""
    home = {word: members for members in classes for word in members}
    both = Counter((home[x], home[y]) for x, y in pairs if x in home and y in home)
    left = Counter(home[x] for x, _ in pairs if x in home)
    right = Counter(home[y] for _, y in pairs if y in home)
    return both, left, right


def first_of_the_best(losses: Losses) -> tuple[str, str]:
    """Losses come in the order of words, and `min` takes the first of equals."""
    return min(losses, key=lambda names: losses[names])


def cluster(
    sentences: Sentences, classes: int, decide: Decide, measure: Measure = information
) -> tuple[list[Class], list[tuple[str, str]]]:
    """The classes when all words are in, and all merges; `decide` chooses among the losses."""
    words = ranked_words(sentences)
    pairs = word_pairs(sentences, words)
    window: list[Class] = []
    merges: list[tuple[str, str]] = []
    for word in words:
        window.append(frozenset([word]))
        if len(window) > classes:
            merges.append(_merge(window, words, lambda c: measure(pairs, c), decide))
    result = list(window)
    while len(window) > 1:
        merges.append(_merge(window, words, lambda c: measure(pairs, c), decide))
    return result, merges


def _merge(
    window: list[Class],
    words: list[str],
    measure: Callable[[Sequence[Class]], float],
    decide: Decide,
) -> tuple[str, str]:
    names = {min(members, key=words.index): members for members in window}
    before = measure(window)
    losses = {}
    for kept, gone in combinations(sorted(names, key=words.index), 2):
        rest = [members for name, members in names.items() if name not in (kept, gone)]
        losses[kept, gone] = before - measure([*rest, names[kept] | names[gone]])
    kept, gone = decide(losses)
    window.remove(names[kept])
    window.remove(names[gone])
    window.append(names[kept] | names[gone])
    return kept, gone
