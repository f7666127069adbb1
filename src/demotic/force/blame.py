"""Which words keep a pair from being reachable, so that a page can mark them.

All rules that match the source are tried against the reference, one pair at a time and in Python:
for examples, not for a corpus.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from demotic.model import Model
from demotic.text.bitext_search import matches

__all__ = ["Blame", "blame"]

_SPAN = 15  # source words that a rule with gaps is tried on, at most


@dataclass(frozen=True)
class Blame:
    """Places of the words at fault."""

    source: frozenset[int]
    target: frozenset[int]


def blame(
    model: Model, source: Sequence[str], reference: Sequence[str], cause: str, pair: int = -1
) -> Blame:
    """Of an `unknown_word` or an `uncovered_word`; other causes have no words of their own.

    `pair`: rules that were seen in this training pair alone are left out.
    """
    find, store = model.vocabulary.find, model.rules.store
    words, said = [find(word) for word in source], [find(word) for word in reference]
    known: set[int] = set()
    covered: tuple[set[int], set[int]] = (set(), set())
    for places, node in _matched(model, words):
        for rule in range(*store.rules(node)):
            if pair >= 0 and store.only_sentence(rule) == pair:
                continue
            known |= places
            if cause == "uncovered_word" and _cover(store.target(rule), said, covered[1]):
                covered[0].update(places)
    copied = {i for i, word in enumerate(source) if word in reference and i not in known}
    if cause == "unknown_word":
        return Blame(frozenset(range(len(source))) - known - copied, frozenset())
    if cause != "uncovered_word":
        return Blame(frozenset(), frozenset())
    echoed = {j for j, word in enumerate(reference) if word in {source[i] for i in copied}}
    return Blame(
        frozenset(range(len(source))) - covered[0] - copied,
        frozenset(range(len(reference))) - covered[1] - echoed,
    )


def _cover(target: Sequence[int], said: Sequence[int], covered: set[int]) -> bool:
    """Adds the words of a target side wherever it stands in the reference; whether it does."""
    found = False
    for places in matches(said, tuple(target)):
        found = True
        covered.update(
            begin for symbol, (begin, _) in zip(target, places, strict=True) if symbol >= 0
        )
    return found


def _matched(model: Model, words: Sequence[int]) -> Iterator[tuple[frozenset[int], int]]:
    """The nodes of source sides that stand in the sentence, with the places of their words."""
    store = model.rules.store
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
