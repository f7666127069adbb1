"""Splits the text of a segment into sentences, without cutting a pair of tags in two."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from demotic.documents.budget import Budget
from demotic.documents.segment import Piece, Segment, Tag, has_words
from demotic.text.sentence_split import split_sentences

__all__ = ["split_segment"]

_BREAK = re.compile(r"(?<![ \t])[ \t]*[\r\n]+[ \t]*")
_MAX_DEPTH = 8  # pairs of tags inside each other, between which sentences are found


def split_segment(
    segment: Segment, language: str, budget: Budget | None = None
) -> list[list[Piece]]:
    """Parts in order: sentences to translate, and what is between them (parts without words)."""
    return _split(segment.pieces, language, segment.spaced, budget or Budget())


def _split(
    pieces: Sequence[Piece], language: str, spaced: bool, budget: Budget, depth: int = 0
) -> list[list[Piece]]:
    parts: list[list[Piece]] = []
    for sentence in _sentences(pieces, language, spaced, budget):
        before, inner, after = _trimmed(sentence)
        if (before or after) and depth < _MAX_DEPTH:
            parts += [before, *_split(inner, language, spaced, budget, depth + 1), after]
        elif before or after:
            parts += [before, inner, after]
        else:
            parts.append(inner)
    return [part for part in parts if part]


def _sentences(
    pieces: Sequence[Piece], language: str, spaced: bool, budget: Budget
) -> list[list[Piece]]:
    """Cuts text outside of all pairs of tags."""
    parts: list[list[Piece]] = [[]]
    depth = 0
    text = "".join(piece if isinstance(piece, str) else "" for piece in pieces)
    # The white space between two sentences belongs to the first.
    ends = {begin for begin, _ in split_sentences(text, language)[1:]}
    if spaced:
        ends.update(match.end() for match in _BREAK.finditer(text))
    budget.room(len(ends))
    ordered = sorted(ends)
    begin = 0
    for piece in pieces:
        if isinstance(piece, Tag):
            depth += {"open": 1, "close": -1, "empty": 0}[piece.kind]
            if begin in ends and depth == 0 and piece.kind != "open" and parts[-1]:
                ends.discard(begin)
                parts[-1].append(piece)
                parts.append([])
            else:
                parts[-1].append(piece)
            continue
        first, last = (bisect_right(ordered, one) for one in (begin, begin + len(piece)))
        cuts = [end - begin for end in ordered[first:last]]
        at = 0
        for cut in cuts if depth == 0 else []:
            parts[-1].append(piece[at:cut])
            parts.append([])
            at = cut
        if at < len(piece):
            parts[-1].append(piece[at:])
        begin += len(piece)
    return [part for part in parts if part]


def _trimmed(sentence: Sequence[Piece]) -> tuple[list[Piece], list[Piece], list[Piece]]:
    """White space and tags before the first word, the sentence, and the same after it.

    A pair is only taken off if both of its tags are, and white space next to text goes with them.
    """
    if not has_words(sentence):
        return [], list(sentence), []
    words = [i for i, piece in enumerate(sentence) if _has_word(piece)]
    first, last = words[0], words[-1] + 1
    partners = _partners(sentence)
    # From the words outwards: what has its partner inside is inside too.
    for i in range(words[0] - 1, -1, -1):
        if first <= partners.get(i, -1) < last:
            first = i
    for i in range(words[-1] + 1, len(sentence)):
        if first <= partners.get(i, -1) < last:
            last = i + 1
    before, inner, after = list(sentence[:first]), list(sentence[first:last]), sentence[last:]
    return _spaces(before, inner, list(after))


def _spaces(
    before: list[Piece], inner: list[Piece], after: list[Piece]
) -> tuple[list[Piece], list[Piece], list[Piece]]:
    head, tail = inner[0], inner[-1]
    if isinstance(head, str) and head != head.lstrip():
        before.append(head[: len(head) - len(head.lstrip())])
        inner[0] = head.lstrip()
        tail = inner[-1]
    if isinstance(tail, str) and tail != tail.rstrip():
        after.insert(0, tail[len(tail.rstrip()) :])
        inner[-1] = tail.rstrip()
    return before, inner, after


def _has_word(piece: Piece) -> bool:
    return isinstance(piece, str) and bool(piece.strip())


def _partners(pieces: Sequence[Piece]) -> dict[int, int]:
    found: dict[int, int] = {}
    open_: list[int] = []
    for i, piece in enumerate(pieces):
        if isinstance(piece, Tag) and piece.kind == "open":
            open_.append(i)
        elif isinstance(piece, Tag) and piece.kind == "close" and open_:
            found[i] = open_.pop()
            found[found[i]] = i
    return found
