"""Finds the words that make a pair unreachable, so that a page can mark them.

Tries all rules that match the source against the reference, one pair at a time and in Python: for
examples, not for a corpus.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from demotic._core import RuleStore
from demotic.model import Model
from demotic.text.bitext_search import matches

__all__ = ["Blame", "blame"]

_SPAN = 15  # maximum span of rules with gaps that are tried, in source words


@dataclass(frozen=True)
class Blame:
    """Positions of the words that make the pair unreachable."""

    source: frozenset[int]
    target: frozenset[int]


def blame(
    model: Model, source: Sequence[str], reference: Sequence[str], cause: str, pair: int = -1
) -> Blame:
    """For the causes `unknown_word` and `uncovered_word`; other causes are not due to single words.

    `pair`: exclude rules that were seen only in this training pair.
    """
    if cause not in {"unknown_word", "uncovered_word"}:
        return Blame(frozenset(), frozenset())
    tried = _Tried(model, source, reference, pair)
    copied = {i for i in tried.without_own_rule if source[i] in reference}
    if cause == "unknown_word":
        return Blame(frozenset(range(len(source))) - tried.known - copied, frozenset())
    echoes = {source[i] for i in copied}
    echoed = {j for j, word in enumerate(reference) if word in echoes}
    return Blame(
        frozenset(range(len(source))) - tried.source - copied,
        frozenset(range(len(reference))) - tried.target - echoed,
    )


class _Tried:
    """All rules tried on a pair."""

    def __init__(
        self, model: Model, source: Sequence[str], reference: Sequence[str], pair: int
    ) -> None:
        vocabulary, self._store, self._pair = model.rules.vocabulary, model.rules.store, pair
        words = [vocabulary.find(word) for word in source]
        target_words = [vocabulary.find(word) for word in reference]
        self.known: set[int] = set()  # source words that occur in some rule
        self.source: set[int] = set()  # source words in rules that match both sides
        self.target: set[int] = set()
        for places, node in _matched(self._store, words):
            for rule in self._usable(node):
                self.known |= places
                if _cover(self._store.target(rule), target_words, self.target):
                    self.source |= places
        # These words may be copied.
        self.without_own_rule = {
            i for i, word in enumerate(words) if not self._usable(self._store.child(0, word))
        }

    def _usable(self, node: int) -> list[int]:
        """Rules of a trie node, 0 for none, that the pair may use."""
        return [
            rule
            for rule in (range(*self._store.rules(node)) if node else ())
            if self._pair < 0 or self._store.only_sentence(rule) != self._pair
        ]


def _cover(target: Sequence[int], target_words: Sequence[int], covered: set[int]) -> bool:
    """Marks the words of a target side wherever it occurs in the reference; whether it does."""
    found = False
    for places in matches(target_words, tuple(target)):
        found = True
        covered.update(
            begin for symbol, (begin, _) in zip(target, places, strict=True) if symbol >= 0
        )
    return found


def _matched(store: RuleStore, words: Sequence[int]) -> Iterator[tuple[frozenset[int], int]]:
    """The trie nodes of source sides in the sentence, with the positions of their words."""
    gaps = [-number for number in range(1, len(store.labels) + 1)]
    for first in range(len(words)):
        limit = min(len(words), first + _SPAN)
        todo: list[tuple[int, int, frozenset[int]]] = [(first, 0, frozenset())]
        while todo:
            at, node, places = todo.pop()
            if node:
                yield places, node
            if at < len(words) and (below := store.child(node, words[at])):
                todo.append((at + 1, below, places | {at}))
            for below in filter(None, (store.child(node, gap) for gap in gaps)):
                todo += ((end, below, places) for end in range(at + 1, limit + 1))
