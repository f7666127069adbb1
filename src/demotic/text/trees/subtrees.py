"""The yields of all words of a dependency tree: first and last word, and how many lie between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["CycleError", "Subtrees", "find_subtrees"]


class CycleError(Exception):
    """A word, counted from 0, that depends on itself through others."""

    def __init__(self, word: int) -> None:
        super().__init__(word)
        self.word = word


@dataclass(frozen=True, slots=True)
class Subtrees:
    """The subtree of each word, by its outermost words and its size."""

    first: list[int]
    last: list[int]
    size: list[int]

    def is_span(self, word: int) -> bool:
        """Whether the subtree has no hole."""
        return self.last[word] - self.first[word] + 1 == self.size[word]


def find_subtrees(heads: Sequence[int]) -> Subtrees:
    """From the head of each word, counted from 0; -1 for a root.  Raises CycleError."""
    count = len(heads)
    first, last, size = list(range(count)), list(range(count)), [1] * count
    missing = [0] * count  # children that have not been added to their head yet
    for head in heads:
        if head >= 0:
            missing[head] += 1
    ready = [word for word in range(count) if not missing[word]]
    for word in ready:  # grows while it is read
        head = heads[word]
        if head < 0:
            continue
        first[head] = min(first[head], first[word])
        last[head] = max(last[head], last[word])
        size[head] += size[word]
        missing[head] -= 1
        if not missing[head]:
            ready.append(head)
    if len(ready) < count:  # only words on a cycle still wait for a child
        raise CycleError(next(word for word in range(count) if missing[word]))
    return Subtrees(first, last, size)
