"""Forced decoding by enumeration: every derivation of a small pair that yields its reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Derivation", "Forced", "Piece", "Space", "Words"]

Words = tuple[str, ...]
Piece = tuple[int, int, Words, int]  # begin, end, target words, rule (-1: copied)
Derivation = tuple[Piece, ...]


@dataclass(frozen=True)
class Space:
    """What jumps are allowed."""

    distortion_limit: int
    gap_test: bool

    def allows(self, covered: frozenset[int], last_end: int, begin: int, end: int) -> bool:
        if self.distortion_limit < 0:
            return True
        if abs(begin - last_end) > self.distortion_limit:
            return False
        first = next(i for i in range(end + 1) if i not in covered)
        return not self.gap_test or begin == first or end - first <= self.distortion_limit


class Forced:
    """`rules`: for each source side, target sides with their numbers."""

    def __init__(self, rules: Mapping[Words, Sequence[tuple[Words, int]]], space: Space) -> None:
        self.rules, self.space = rules, space

    def pieces(self, source: Words) -> list[Piece]:
        found: list[Piece] = []
        for begin in range(len(source)):
            for end in range(begin + 1, len(source) + 1):
                side = source[begin:end]
                found += [(begin, end, target, rule) for target, rule in self.rules.get(side, ())]
            if not self.rules.get(source[begin : begin + 1]):
                found.append((begin, begin + 1, source[begin : begin + 1], -1))
        return found

    def derivations(self, source: Words, reference: Words) -> set[Derivation]:
        return set(self._complete(source, reference, self.pieces(source), ()))

    def _complete(
        self, source: Words, rest: Words, pieces: list[Piece], done: Derivation
    ) -> Iterator[Derivation]:
        covered = frozenset(i for begin, end, *_ in done for i in range(begin, end))
        if len(covered) == len(source):
            if not rest:
                yield done
            return
        last_end = done[-1][1] if done else 0
        for piece in pieces:
            begin, end, target, _ = piece
            if (
                covered.isdisjoint(range(begin, end))
                and rest[: len(target)] == target
                and self.space.allows(covered, last_end, begin, end)
            ):
                yield from self._complete(source, rest[len(target) :], pieces, (*done, piece))

    def prefixes(self, source: Words, reference: Words, shortest: int) -> list[tuple[int, int]]:
        """Reachable (source words, target words) that no other contains, longest source first.

        A word is copied or not by the whole sentence's rules, so a prefix is a sentence of its own.
        """
        found = [
            (i, j)
            for i in range(max(shortest, 1), len(source) + 1)
            for j in range(1, len(reference) + 1)
            if self.derivations(source[:i], reference[:j])
        ]
        return sorted(
            (
                (i, j)
                for i, j in found
                if not any((a, b) != (i, j) and a >= i and b >= j for a, b in found)
            ),
            reverse=True,
        )

    def cause(self, source: Words, reference: Words) -> str:
        """Why an unreachable pair is so."""
        pieces = self.pieces(source)
        in_rules = {i for begin, end, _, rule in pieces if rule >= 0 for i in range(begin, end)}
        if any(i not in in_rules and word not in reference for i, word in enumerate(source)):
            return "unknown_word"
        covered_source, covered_target = set(), set()
        for begin, end, target, _ in pieces:
            for at in range(len(reference) - len(target) + 1):
                if reference[at : at + len(target)] == target:
                    covered_source |= set(range(begin, end))
                    covered_target |= set(range(at, at + len(target)))
        if len(covered_source) < len(source) or len(covered_target) < len(reference):
            return "uncovered_word"
        unlimited = Forced(self.rules, Space(-1, True))
        return "limit" if unlimited.derivations(source, reference) else "other"
