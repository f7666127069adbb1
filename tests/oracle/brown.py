"""Windowed Brown clustering from the definition: every loss is a difference of two sums over all
pairs, recomputed from scratch.  Slow and obvious; words are strings, classes are frozen sets.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise

Sentences = Sequence[Sequence[str]]
Class = frozenset[str]
# Losses by the most frequent words of the two classes, the more frequent first.
Losses = dict[tuple[str, str], float]
Decide = Callable[[Losses], tuple[str, str]]


def ranked_words(sentences: Sentences, min_count: int = 1) -> list[str]:
    """By falling count; ties in order of first appearance."""
    counts = Counter(word for sentence in sentences for word in sentence)
    return sorted((w for w in counts if counts[w] >= min_count), key=lambda w: -counts[w])


def word_pairs(sentences: Sentences, words: Sequence[str]) -> list[tuple[str, str]]:
    known = set(words)
    return [p for s in sentences for p in pairwise(s) if known.issuperset(p)]


def information(pairs: Sequence[tuple[str, str]], classes: Sequence[Class]) -> float:
    """sum of p(a b) ln(p(a b) / (p(a .) p(. b))) over the pairs of `classes`."""
    total = 0.0
    for a in classes:
        for b in classes:
            both = sum(x in a and y in b for x, y in pairs)
            if both:
                left, right = sum(x in a for x, _ in pairs), sum(y in b for _, y in pairs)
                total += both / len(pairs) * math.log(both * len(pairs) / (left * right))
    return total


def cluster(
    sentences: Sentences, classes: int, decide: Decide
) -> tuple[list[Class], list[tuple[str, str]]]:
    """The classes when all words are in, and all merges; `decide` chooses among the losses."""
    words = ranked_words(sentences)
    pairs = word_pairs(sentences, words)
    window: list[Class] = []
    merges: list[tuple[str, str]] = []
    for word in words:
        window.append(frozenset([word]))
        if len(window) > classes:
            merges.append(_merge(window, pairs, words, decide))
    result = list(window)
    while len(window) > 1:
        merges.append(_merge(window, pairs, words, decide))
    return result, merges


def _merge(
    window: list[Class], pairs: list[tuple[str, str]], words: list[str], decide: Decide
) -> tuple[str, str]:
    names = {min(members, key=words.index): members for members in window}
    kept, gone = decide(dict(_losses(names, pairs, words)))
    window.remove(names[kept])
    window.remove(names[gone])
    window.append(names[kept] | names[gone])
    return kept, gone


def _losses(
    names: dict[str, Class], pairs: list[tuple[str, str]], words: list[str]
) -> Iterator[tuple[tuple[str, str], float]]:
    before = information(pairs, list(names.values()))
    for kept, gone in combinations(sorted(names, key=words.index), 2):
        rest = [members for name, members in names.items() if name not in (kept, gone)]
        yield (kept, gone), before - information(pairs, [*rest, names[kept] | names[gone]])
