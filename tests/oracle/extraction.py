"""Rule extraction from the definitions, by trying everything: slow, obvious, for tiny sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations
from math import prod

Links = frozenset[tuple[int, int]]
Span = tuple[int, int, int, int]  # source begin, end, target begin, end
RuleText = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass
class Sentence:
    source: list[str]
    target: list[str]
    links: Links


def consistent(sentence: Sentence, limit: int, *, tight: bool) -> list[Span]:
    spans = []
    for i, j in combinations(range(len(sentence.source) + 1), 2):
        for k, m in combinations(range(len(sentence.target) + 1), 2):
            if max(j - i, m - k) > limit:
                continue
            touching = [(s, t) for s, t in sentence.links if i <= s < j or k <= t < m]
            inside = [(s, t) for s, t in touching if i <= s < j and k <= t < m]
            if not inside or len(inside) < len(touching):
                continue
            sources, targets = {s for s, _ in inside}, {t for _, t in inside}
            if tight and not ({i, j - 1} <= sources and {k, m - 1} <= targets):
                continue
            spans.append((i, j, k, m))
    return spans


def orientations(sentence: Sentence, span: Span) -> tuple[str, str]:
    i, j, k, m = span
    corners = sentence.links | {(-1, -1), (len(sentence.source), len(sentence.target))}

    def name(monotone: bool, swap: bool) -> str:
        return "d" if monotone == swap else "m" if monotone else "s"

    previous = name((i - 1, k - 1) in corners, (j, k - 1) in corners)
    following = name((j, m) in corners, (i - 1, m) in corners)
    return previous, following


def hierarchical_orientations(sentence: Sentence, span: Span) -> tuple[str, str]:
    """Relative to blocks: consistent phrase pairs of any length (Galley & Manning 2008)."""
    i, j, k, m = span
    size = len(sentence.source), len(sentence.target)
    blocks = consistent(sentence, max(size), tight=False)
    ends = {(b, d) for _, b, _, d in blocks} | {(0, 0)}
    begins = {(a, c) for a, _, c, _ in blocks} | {size}

    def name(monotone: bool, swap: bool) -> str:
        return "d" if monotone == swap else "m" if monotone else "s"

    previous = name((i, k) in ends, any((a, d) == (j, k) for a, _, _, d in blocks))
    following = name((j, m) in begins, any((b, c) == (i, m) for _, b, c, _ in blocks))
    return previous, following


@dataclass
class Extracted:
    """A rule's text, its links by symbol position, its weight and what its gaps covered."""

    rule: RuleText
    links: Links
    weight: float = 1.0
    orientation: tuple[str, str] = ("m", "m")
    gap_sizes: tuple[int, ...] = ()
    place: tuple[Span, ...] = ()  # its span and those of its gaps

    @property
    def reordered(self) -> tuple[bool, ...]:
        return reordered(self.rule[0], self.links)


def reordered(source: tuple[str, ...], links: Iterable[tuple[int, int]]) -> tuple[bool, ...]:
    """Whether the link of each gap crosses another one (Chiang, Marton & Resnik 2008)."""
    all_ = sorted(links)
    gaps = [(s, t) for s, t in all_ if source[s].startswith("[X")]
    return tuple(any((a - s) * (b - t) < 0 for a, b in all_) for s, t in gaps)


def spell(sentence: Sentence, span: Span, gaps: tuple[Span, ...]) -> Extracted:
    """Replaces the words under each gap by a symbol and renumbers the links."""
    i, j, k, m = span
    source, source_at = _side(sentence.source, i, j, [(g[0], g[1]) for g in gaps], "[X]")
    target, target_at = _side(sentence.target, k, m, [(g[2], g[3]) for g in gaps], "[{}]")
    links = {(source_at[s], target_at[t]) for s, t in sentence.links if i <= s < j and k <= t < m}
    sizes = tuple(g[1] - g[0] for g in gaps)
    return Extracted((source, target), frozenset(links), gap_sizes=sizes, place=(span, *gaps))


def _side(
    words: list[str], begin: int, end: int, gaps: list[tuple[int, int]], form: str
) -> tuple[tuple[str, ...], dict[int, int]]:
    symbols: list[str] = []
    at: dict[int, int] = {}
    for position in range(begin, end):
        under = [n for n, (a, b) in enumerate(gaps) if a <= position < b]
        if not under or gaps[under[0]][0] == position:
            symbols.append(form.format(under[0] + 1) if under else words[position])
        at[position] = len(symbols) - 1
    return tuple(symbols), at


def phrases(
    sentence: Sentence, limit: int, *, tight: bool, hierarchical: bool = False
) -> list[Extracted]:
    found = []
    orientation_of = hierarchical_orientations if hierarchical else orientations
    for span in consistent(sentence, limit, tight=tight):
        extracted = spell(sentence, span, ())
        extracted.orientation = orientation_of(sentence, span)
        found.append(extracted)
    return found


@dataclass
class HieroLimits:
    initial: int = 10
    symbols: int = 5
    gaps: int = 2
    min_gap: int = 1
    tight: bool = True
    adjacent: bool = False
    link: bool = True
    share: bool = True


def hiero(sentence: Sentence, limits: HieroLimits) -> list[Extracted]:
    initial = consistent(sentence, limits.initial, tight=limits.tight)
    found = []
    for span in initial:
        inside = [g for g in initial if _strictly_inside(g, span)]
        inside = [g for g in inside if g[1] - g[0] >= limits.min_gap]
        rules = [
            spell(sentence, span, gaps)
            for n in range(limits.gaps + 1)
            for gaps in combinations(sorted(inside), n)
            if _allowed(sentence, span, gaps, limits)
        ]
        for rule in rules:
            rule.weight = 1 / len(rules) if limits.share else 1.0
        found += rules
    return found


def _strictly_inside(inner: Span, outer: Span) -> bool:
    i, j, k, m = inner
    a, b, c, d = outer
    return a <= i and j <= b and c <= k and m <= d and j - i < b - a and m - k < d - c


def _allowed(sentence: Sentence, span: Span, gaps: tuple[Span, ...], limits: HieroLimits) -> bool:
    for a, b in combinations(gaps, 2):  # in source order
        apart = b[0] - a[1] if limits.adjacent else b[0] - a[1] - 1
        if apart < 0 or not (a[3] <= b[2] or b[3] <= a[2]):
            return False
    covered = sum(g[1] - g[0] for g in gaps)
    if span[1] - span[0] - covered + len(gaps) > limits.symbols:
        return False
    words = {s for s in range(span[0], span[1]) if not any(g[0] <= s < g[1] for g in gaps)}
    return not limits.link or any(s in words for s, _ in sentence.links)


@dataclass
class Lexicon:
    """w(t|s) and w(s|t) over links; None is the empty word."""

    joint: Counter[tuple[str | None, str | None]] = field(default_factory=Counter)

    @classmethod
    def count(cls, sentences: list[Sentence]) -> Lexicon:
        lexicon = cls()
        for one in sentences:
            for s, t in one.links:
                lexicon.joint[one.source[s], one.target[t]] += 1
            for s, word in enumerate(one.source):
                lexicon.joint[word, None] += not any(s == a for a, _ in one.links)
            for t, word in enumerate(one.target):
                lexicon.joint[None, word] += not any(t == b for _, b in one.links)
        return lexicon

    def target_given_source(self, source: str | None, target: str | None) -> float:
        total = sum(n for (s, _), n in self.joint.items() if s == source)
        return self.joint[source, target] / total if total else 0.0

    def source_given_target(self, source: str | None, target: str | None) -> float:
        total = sum(n for (_, t), n in self.joint.items() if t == target)
        return self.joint[source, target] / total if total else 0.0

    def weigh(self, extracted: Extracted) -> tuple[float, float]:
        """lex(s|t) and lex(t|s) of a rule under its links."""
        source, target = extracted.rule
        words = [(s, t) for s, t in extracted.links if source[s][0] != "["]

        def mean(values: list[float]) -> float:
            return sum(values) / len(values)

        backward = prod(
            mean(
                [self.source_given_target(word, target[t]) for s, t in words if s == i]
                or [self.source_given_target(word, None)]
            )
            for i, word in enumerate(source)
            if word[0] != "["
        )
        forward = prod(
            mean(
                [self.target_given_source(source[s], word) for s, t in words if t == i]
                or [self.target_given_source(None, word)]
            )
            for i, word in enumerate(target)
            if word[0] != "["
        )
        return backward, forward
