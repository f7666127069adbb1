"""Joins a tree to the tokens of its sentence by character offsets in the text without spaces.

A token belongs to a constituent if at least one of its characters does.  So a boundary within a
token moves outwards to the end of the token, and constituents that differ only by a clitic become
coextensive (Chiang, Marton and Resnik 2008, section 5.1, footnote 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from demotic.text.escape import unescape
from demotic.text.trees.fold import folded
from demotic.text.trees.tree import UNTAGGED, Tree

__all__ = ["Joined", "TextDifferenceError", "join"]

_SHOWN_WORDS = 3  # of each text, on either side of a difference


@dataclass(frozen=True, slots=True)
class Joined:
    """The constituents of a tree as spans of tokens, and a tag for every token."""

    begins: Iterable[int]
    ends: Iterable[int]
    labels: Iterable[str]
    tags: Sequence[str]
    widened: int = 0  # boundaries that were within a token


class TextDifferenceError(Exception):
    """The first difference: its place in the text without spaces, and both texts around it."""

    def __init__(self, position: int, tree: str, sentence: str) -> None:
        super().__init__(position, tree, sentence)
        self.position = position
        self.tree = tree
        self.sentence = sentence


def join(tree: Tree, tokens: Sequence[str]) -> Joined:
    """Raises TextDifferenceError if the leaves have another text than the tokens."""
    if tree.words == tokens:
        return Joined(tree.begins, tree.ends, tree.labels, tree.tags)
    text, leaves = folded(tree.words)
    plain = [unescape(token) for token in tokens]
    found, bounds = folded(plain)
    if text == found:
        return _project(tree, leaves, bounds)
    # The parser may have read tokens with escapes.
    escaped, escaped_bounds = folded(tokens)
    if text == escaped:
        return _project(tree, leaves, escaped_bounds)
    position = _first_difference(text, found)
    raise TextDifferenceError(
        position, _around(tree.words, leaves, position), _around(plain, bounds, position)
    )


def _project(tree: Tree, leaves: list[int], tokens: list[int]) -> Joined:
    """`leaves` and `tokens` are the boundaries of both in the same text."""
    if leaves == tokens:
        return Joined(tree.begins, tree.ends, tree.labels, tree.tags)
    token_at = [i for i, (begin, end) in enumerate(pairwise(tokens)) for _ in range(begin, end)]
    begins, ends, labels, widened = [], [], [], 0
    for first, last, label in zip(tree.begins, tree.ends, tree.labels, strict=True):
        begin, end = leaves[first], leaves[last]
        if begin == end:  # invisible characters only
            continue
        begins.append(token_at[begin])
        ends.append(token_at[end - 1] + 1)
        labels.append(label)
        widened += (tokens[begins[-1]] != begin) + (tokens[ends[-1]] != end)
    return Joined(begins, ends, labels, _token_tags(tree.tags, leaves, tokens, token_at), widened)


def _token_tags(
    tags: list[str], leaves: list[int], tokens: list[int], token_at: list[int]
) -> list[str]:
    """Of the leaf that shares the most characters with the token, the first of several."""
    chosen = [UNTAGGED] * (len(tokens) - 1)
    most = [0] * (len(tokens) - 1)
    for tag, (begin, end) in zip(tags, pairwise(leaves), strict=True):
        if begin == end:
            continue
        for token in range(token_at[begin], token_at[end - 1] + 1):
            shared = min(end, tokens[token + 1]) - max(begin, tokens[token])
            if shared > most[token]:
                chosen[token], most[token] = tag, shared
    return chosen


def _first_difference(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    different = (i for i, (left, right) in enumerate(pairs) if left != right)
    return next(different, min(len(one), len(other)))


def _around(words: Sequence[str], bounds: list[int], position: int) -> str:
    """The words around the one that holds a position."""
    at = next((i for i, end in enumerate(bounds[1:]) if end > position), len(words))
    begin, end = max(0, at - _SHOWN_WORDS), at + _SHOWN_WORDS + 1
    shown = " ".join(word[:40] for word in words[begin:end])
    return f"{'... ' if begin else ''}{shown}{' ...' if end < len(words) else ''}"
