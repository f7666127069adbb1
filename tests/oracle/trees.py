"""Joining of trees to tokens, by sets of characters; spans of dependency trees, by ancestors."""

from __future__ import annotations

from collections.abc import Sequence

Span = tuple[int, int]


def owners(words: Sequence[str]) -> list[int]:
    """For every character of the joined words, which word it is in."""
    return [i for i, word in enumerate(words) for _ in word]


def projected(span: Span, leaves: Sequence[str], tokens: Sequence[str]) -> Span:
    """The tokens that share a character with the leaves of a span."""
    pairs = zip(owners(leaves), owners(tokens), strict=True)
    shared = {token for leaf, token in pairs if span[0] <= leaf < span[1]}
    return min(shared), max(shared) + 1


def moved_boundaries(span: Span, leaves: Sequence[str], tokens: Sequence[str]) -> int:
    """How many of the two boundaries of a span of leaves are within a token."""
    ends = {len("".join(tokens[:i])) for i in range(len(tokens) + 1)}
    return sum(len("".join(leaves[:at])) not in ends for at in span)


def main_tag(token: int, tags: Sequence[str], leaves: Sequence[str], tokens: Sequence[str]) -> str:
    """The tag of the leaf with the most characters of a token, the first of several."""
    pairs = list(zip(owners(leaves), owners(tokens), strict=True))
    return tags[max(range(len(leaves)), key=lambda leaf: (pairs.count((leaf, token)), -leaf))]


def descendants(heads: Sequence[int]) -> list[set[int]]:
    """The words of each word's subtree; heads are counted from 0, -1 for a root."""

    def ancestors(word: int) -> set[int]:
        return {word} | (ancestors(heads[word]) if heads[word] >= 0 else set())

    words = range(len(heads))
    above = [ancestors(word) for word in words]
    return [{below for below in words if word in above[below]} for word in words]
