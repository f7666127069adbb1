"""Where tags go in a translation: by the links of the words they surround.

A pair of tags goes around the target words that are linked to its source words: the run of words
with the most of them and the fewest others.  Pairs stay inside the pair around them and apart from
those beside them, so the result nests.  A single tag goes before the translation of the word that
follows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from demotic.text.tokenize.characters import UNSPACED

__all__ = ["Placed", "Tag", "placed_tags", "with_unlinked"]

_UNSPACED = re.compile(f"[{UNSPACED}]")


class Tag(NamedTuple):
    """A tag before source token `at`; `partner` is the index of the tag that ends a pair."""

    at: int
    partner: int | None = None  # for the first of a pair
    closes: bool = False


class Placed(NamedTuple):
    """Tag number `tag` before target token `at`, or with `after` right after the one before."""

    tag: int
    at: int
    after: bool


@dataclass
class _Node:
    """A pair around source tokens, or a single tag: `last` is then None."""

    first: int  # tags
    last: int | None
    begin: int
    end: int
    children: list[_Node] = field(default_factory=list)
    span: tuple[int, int] = (0, 0)  # of the target


def placed_tags(
    tags: Sequence[Tag], links: Sequence[tuple[int, int]], source: int, target: int
) -> list[Placed]:
    """The tags in the order in which they are written; positions never decrease."""
    root = _tree(tags, source)
    root.span = (0, target)
    linked: list[set[int]] = [set() for _ in range(target)]
    for s, t in links:
        linked[t].add(s)
    _fit(root, linked)
    return list(_written(root))


def _tree(tags: Sequence[Tag], source: int) -> _Node:
    root = _Node(-1, None, 0, source)
    open_ = [root]
    for i, tag in enumerate(tags):
        if tag.closes:
            open_.pop()
        elif tag.partner is None:
            open_[-1].children.append(_Node(i, None, tag.at, tag.at))
        else:
            node = _Node(i, tag.partner, tag.at, tags[tag.partner].at)
            open_[-1].children.append(node)
            open_.append(node)
    return root


def _fit(node: _Node, linked: Sequence[set[int]]) -> None:
    """Places the children of a node inside of its span."""
    low, high = node.span
    free = [True] * (high - low)
    fitted: list[_Node] = []
    for child in node.children:
        if child.begin == child.end:
            continue
        whole = (child.begin, child.end) == (node.begin, node.end) and all(free)
        span = (low, high) if whole else _best_run(child, linked, low, free)
        if span is None:
            continue
        child.span = span
        fitted.append(child)
        free[span[0] - low : span[1] - low] = [False] * (span[1] - span[0])
    for child in node.children:
        if all(child is not one for one in fitted):
            at = _outside(_anchor(child.begin, node, linked), child, fitted)
            child.span = (at, at)
        _fit(child, linked)


def _best_run(
    child: _Node, linked: Sequence[set[int]], low: int, free: Sequence[bool]
) -> tuple[int, int] | None:
    """The longest of the runs with the highest sum of +1 per own and -1 per other word."""
    source = range(child.begin, child.end)
    own = [any(s in source for s in linked[low + i]) for i in range(len(free))]
    best, span = (0, 0), None
    for begin in (i for i, is_own in enumerate(own) if is_own and free[i]):
        total = 0
        for end in range(begin, len(free)):
            if not free[end]:
                break
            total += 1 if own[end] else -1 if linked[low + end] else 0
            if own[end] and (total, end - begin + 1) > best:
                best, span = (total, end - begin + 1), (low + begin, low + end + 1)
    return span


def _anchor(at: int, node: _Node, linked: Sequence[set[int]]) -> int:
    """The target position for a tag before source token `at`."""
    low, high = node.span
    if at == node.begin:
        return low
    if at == node.end:
        return high
    following = [t for t in range(low, high) if at in linked[t]]
    if following:
        return following[0]
    for before in range(at - 1, node.begin - 1, -1):
        preceding = [t for t in range(low, high) if before in linked[t]]
        if preceding:
            return preceding[-1] + 1
    return low


def _outside(at: int, child: _Node, fitted: Sequence[_Node]) -> int:
    """The nearest edge if the position is inside of a neighbour."""
    for other in fitted:
        begin, end = other.span
        if begin < at < end:
            return begin if child.begin <= other.begin else end
    return at


def _written(node: _Node) -> Iterator[Placed]:
    """Inner tags at the end of a pair stay before its end tag."""
    low, high = node.span
    for child in sorted(node.children, key=lambda one: (one.span, one.first)):
        begin, end = child.span
        at_end = node.last is not None and low < high == begin
        yield Placed(child.first, begin, after=at_end)
        yield from (
            Placed(one.tag, one.at, after=one.after or (at_end and one.at == begin))
            for one in _written(child)
        )
        if child.last is not None:
            yield Placed(child.last, end, after=at_end or begin < end)


def with_unlinked(
    links: Sequence[tuple[int, int]], words: Sequence[str], phrases: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The links, and those of tokens without any that are a part of a word.

    In scripts without spaces a token may be less than a word.  If it has no link, it gets those of
    the nearest token of the same phrase, of the next one rather than of the one before; `phrases`
    are spans of target words, which may nest.
    """
    linked: list[list[int]] = [[] for _ in words]
    for s, t in links:
        linked[t].append(s)
    owner = [-1] * len(words)
    for i in sorted(range(len(phrases)), key=lambda i: phrases[i][0] - phrases[i][1]):
        owner[slice(*phrases[i])] = [i] * (phrases[i][1] - phrases[i][0])
    joins = [_UNSPACED.match(word) is not None for word in words]
    found = list(links)
    for t in (t for t, own in enumerate(linked) if joins[t] and not own):
        near = sorted(
            (u for u, own in enumerate(linked) if own and joins[u] and owner[u] == owner[t]),
            key=lambda u: (abs(u - t), -u),
        )
        found += [(s, t) for s in (linked[near[0]] if near else ())]
    return found
