"""The operation sequence of a derivation by its definition, on sets of positions; and an
interpreter that executes operations on a string with gap marks (Durrani et al. 2011, section 3).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from demotic import _core
from demotic.lm import LanguageModel

__all__ = ["GAP", "Operations", "Piece", "cepts_of", "executed", "generated"]

Words = Sequence[str]
GAP = "_"


@dataclass(frozen=True)
class Piece:
    """A phrase pair at a source position; `unknown`: a copied or dropped word, or words with a
    translation that the user gave, all of which are one cept."""

    begin: int
    source: Words
    target: Words
    links: frozenset[tuple[int, int]]
    unknown: bool = False


@dataclass
class Generated:
    """The operations, None for an unknown one, and what the features count."""

    operations: list[str | None] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    position: int = 0  # after the last source word


def cepts_of(links: Iterable[tuple[int, int]]) -> list[tuple[set[int], set[int]]]:
    """The words that links connect, as sets of source and target positions."""
    cepts: list[tuple[set[int], set[int]]] = []
    for s, t in links:
        touched = [one for one in cepts if s in one[0] or t in one[1]]
        merged = ({s}.union(*(one[0] for one in touched)), {t}.union(*(one[1] for one in touched)))
        cepts = [one for one in cepts if one not in touched] + [merged]
    return cepts


def steps_of(piece: Piece) -> Iterator[tuple[int | None, str]]:
    """Source position within the piece, if any, and the operation."""
    if piece.unknown:
        yield 0, "=" if piece.target else "-"
        yield from ((s, ">") for s in range(1, len(piece.source)))
        return
    cepts = cepts_of(piece.links)
    first = min((s for s, _ in piece.links), default=-1)
    if not piece.links:
        yield from _deletions(piece, 0)
    for t, word in enumerate(piece.target):
        mine = [cept for cept in cepts if t in cept[1]]
        if not mine:
            yield None, "+" + word
            continue
        sources, targets = sorted(mine[0][0]), sorted(mine[0][1])
        if t != targets[0]:
            continue
        left = "".join(piece.source[s] + " " for s in sources)
        right = "".join(piece.target[i] + " " for i in targets)
        for s in sources:
            if s == first:
                yield from _deletions(piece, 0)
            yield s, f"={left}\t{right}" if s == sources[0] else ">"
            yield from _deletions(piece, s + 1)


def _deletions(piece: Piece, begin: int) -> Iterator[tuple[int, str]]:
    """The words without links from `begin` on."""
    for s in range(begin, len(piece.source)):
        if any(s == linked for linked, _ in piece.links):
            return
        yield s, "-" + piece.source[s]


def moves(done: set[int], position: int, to: int) -> list[str]:
    right = max(done, default=-1) + 1
    gaps = [i for i in range(right) if i not in done and (i == 0 or i - 1 in done)]
    found: list[str] = []
    if position == to:
        return found
    if position < to:
        if not done & set(range(position, to)):
            return [GAP]
        if position not in done:
            found.append(GAP)
        found.append(">>")
        position = right
        if position <= to:
            return found + [GAP] * (position < to)
    elif position < right and position not in done:
        found.append(GAP)
    start = max(gap for gap in gaps if gap <= to)
    found.append(f"<{min(9, sum(start <= gap < position for gap in gaps))}")
    return found + [GAP] * (start < to)


def generated(pieces: Iterable[Piece]) -> Generated:
    """The operations of a whole derivation, and the counts of its features."""
    result, done, position = Generated(), set[int](), 0
    for piece in pieces:
        for source, operation in steps_of(piece):
            if source is not None:
                at = piece.begin + source
                found = moves(done, position, at)
                result.operations += found
                result.counts["gaps"] += found.count(GAP)
                done.add(at)
                result.position = position = at + 1
            result.operations.append(None if operation in ("=", "-") else operation)
            result.counts["deletions"] += operation.startswith("-")
            if source is not None and operation.startswith("="):
                right = max(done) + 1
                still = [i for i in range(right) if i not in done]
                result.counts["open_gaps"] += sum(i == 0 or i - 1 in done for i in still)
                result.counts["gap_width"] += max(0, at - min(still, default=math.inf))  # type: ignore[call-overload]
    return result


@dataclass(frozen=True)
class Operations:
    """An operation sequence model: its n-grams, and the links of rules."""

    lm: LanguageModel
    links: Mapping[tuple[tuple[str, ...], tuple[str, ...]], frozenset[tuple[int, int]]]

    def state(self, pieces: Iterable[Piece], *, complete: bool) -> tuple[object, ...]:
        """What the future of a hypothesis depends on, or more."""
        found, order = generated(pieces), self.lm.order
        context = ("<s>", *found.operations)[-order + 1 :] if order > 1 else ()
        return context if complete else (found.position, context)

    def values(self, pieces: Iterable[Piece], *, begin: bool, end: bool) -> dict[str, float]:
        """The features of a derivation, or of a part of one without context."""
        found, native = generated(pieces), self.lm.native
        state, total = native.begin_state if begin else native.empty_state, 0.0
        unknown = _core.UNKNOWN
        names = [unknown if one is None else native.words.find(one) for one in found.operations]
        if native.has_classes:
            names = [int(native.classes[name]) for name in names]
        for number in [*names, *[_core.SENTENCE_END] * end]:
            score, state = native.score(state, number)
            total += score
        counts = ("gaps", "open_gaps", "gap_width", "deletions")
        return {
            "operation_sequence": total,
            **{f"operation_{name}": -float(found.counts[name]) for name in counts},
        }


def executed(operations: Iterable[str | None]) -> tuple[list[str], list[str]]:
    """The source words and the target words that operations generate.

    The target words of a cept are joined where it is generated.
    """
    string: list[str | None] = []  # None: the mark of a gap
    target: list[str] = []
    cursor, pending, last = 0, list[str](), ""
    for operation in operations:
        assert operation is not None
        if operation == GAP:
            string.insert(cursor, None)
            cursor += 1
        elif operation == ">>":
            cursor = len(string)
        elif operation.startswith("<"):
            if last == GAP:  # the rest of the gap that is left does not count
                cursor -= 1
            marks = [i for i in range(cursor) if string[i] is None]
            cursor = marks[-int(operation[1:])]
            del string[cursor]
        elif operation.startswith("+"):
            target.append(operation[1:])
        else:
            if operation.startswith("="):
                left, right = operation[1:].split("\t")
                pending = left.split(" ")[:-1]
                target += right.split(" ")[:-1]
            word = operation[1:] if operation.startswith("-") else pending.pop(0)
            string.insert(cursor, word)
            cursor += 1
        last = operation
    assert None not in string
    assert not pending
    return [word for word in string if word is not None], target
