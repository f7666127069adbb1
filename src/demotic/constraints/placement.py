"""Where tags go in a translation: by the links of the words they surround.

A pair of tags goes around the target words that are linked to its source words: the run of words
with the most of them and the fewest others.  Pairs stay inside the pair around them and apart from
those beside them, so the result nests.  A single tag goes before the translation of the word that
follows it, a lone end tag after that of the word before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
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
    ends: bool = False  # an end tag without a partner


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
    ends: bool = False


def placed_tags(
    tags: Sequence[Tag], links: Sequence[tuple[int, int]], source: int, target: int
) -> list[Placed]:
    """The tags in the order in which they are written; positions never decrease."""
    root = _tree(tags, source)
    root.span = (0, target)
    _fit(root, _Links.of(links, source, target))
    return list(_written(root))


class _Links(NamedTuple):
    """The linked words of each target and of each source token."""

    sources: list[set[int]]
    targets: list[set[int]]

    @classmethod
    def of(cls, links: Sequence[tuple[int, int]], source: int, target: int) -> _Links:
        made = cls([set() for _ in range(target)], [set() for _ in range(source)])
        for s, t in links:
            made.sources[t].add(s)
            made.targets[s].add(t)
        return made

    def targets_of(self, sources: Iterable[int], low: int, high: int) -> list[int]:
        """Target tokens from low to high that are linked to any of these source tokens."""
        return sorted({t for s in sources for t in self.targets[s] if low <= t < high})


def _tree(tags: Sequence[Tag], source: int) -> _Node:
    root = _Node(-1, None, 0, source)
    open_ = [root]
    for i, tag in enumerate(tags):
        if tag.closes:
            open_.pop()
        elif tag.partner is None:
            open_[-1].children.append(_Node(i, None, tag.at, tag.at, ends=tag.ends))
        else:
            node = _Node(i, tag.partner, tag.at, tags[tag.partner].at)
            open_[-1].children.append(node)
            open_.append(node)
    return root


def _fit(node: _Node, links: _Links) -> None:
    """Places the children of a node inside of its span."""
    low, high = node.span
    free = [True] * (high - low)
    fitted: list[_Node] = []
    for child in node.children:
        if child.begin == child.end:
            continue
        whole = (child.begin, child.end) == (node.begin, node.end) and all(free)
        span = (low, high) if whole else _best_run(child, links, low, free)
        if span is None:
            continue
        child.span = span
        fitted.append(child)
        free[span[0] - low : span[1] - low] = [False] * (span[1] - span[0])
    placed = set(map(id, fitted))
    for child in node.children:
        if id(child) not in placed:
            at = _outside(_anchor(child, node, links), child, fitted)
            child.span = (at, at)
        _fit(child, links)


def _best_run(
    child: _Node, links: _Links, low: int, free: Sequence[bool]
) -> tuple[int, int] | None:
    """The longest of the runs with the highest sum of +1 per own and -1 per other word."""
    own = links.targets_of(range(child.begin, child.end), low, low + len(free))
    is_own = set(own)
    best, span = (0, 0), None
    for begin in (t for t in own if free[t - low]):
        total = 0
        for end in range(begin, own[-1] + 1):
            if not free[end - low]:
                break
            total += 1 if end in is_own else -1 if links.sources[end] else 0
            if end in is_own and (total, end - begin + 1) > best:
                best, span = (total, end - begin + 1), (begin, end + 1)
    return span


def _anchor(child: _Node, node: _Node, links: _Links) -> int:
    """The target position for a tag between two source tokens."""
    low, high = node.span
    at = child.begin
    if at == node.begin:
        return low
    if at == node.end:
        return high
    if child.ends and (before := links.targets_of([at - 1], low, high)):
        return before[-1] + 1
    if following := links.targets_of([at], low, high):
        return following[0]
    for earlier in range(at - 1, node.begin - 1, -1):
        if preceding := links.targets_of([earlier], low, high):
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
    for child in sorted(node.children, key=lambda one: (one.span, not one.ends, one.first)):
        begin, end = child.span
        at_end = node.last is not None and low < high == begin
        yield Placed(child.first, begin, after=at_end or (child.ends and begin > low))
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
