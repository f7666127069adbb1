"""Splits the text of a segment into sentences, without cutting a pair of tags in two."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from demotic.documents.segment import Piece, Segment, Tag, has_words

__all__ = ["sentence_ends", "split_segment"]

# Marks that end a sentence, then quotation marks and brackets, then white space; none is needed
# in scripts that do not write it.
_END = re.compile(r"(?<![.!?…])([.!?…]+)[\"'”’»)\]]*\s+|[。！？]+[」』”’）】]*\s*")
_BREAK = re.compile(r"(?<![ \t])[ \t]*[\r\n]+[ \t]*")
_MAX_DEPTH = 8  # pairs of tags inside each other, between which sentences are found
_BEFORE = re.compile(r"([^\s(\[\"'“‘«]*)\Z")
_ABBREVIATIONS = frozenset(
    """mr mrs ms dr prof sr jr st mt vs etc e.g i.e eg ie cf al fig figs eq no nos nr vol pp ed eds
    inc ltd co corp approx dept est ext tel z.b d.h u.a bzw usw ca hr fr frl s sog evtl ggf inkl
    bspw vgl abb jan feb mar apr jun jul aug sep sept oct okt nov dec dez p.ej sra ud uds pág av
    """.split()
)


def sentence_ends(text: str) -> list[int]:
    """Where sentences end, with the white space after them; the end of the text is not listed."""
    found = []
    for match in _END.finditer(text):
        if match.end() < len(text) and (match[1] is None or _is_end(text, match)):
            found.append(match.end())
    return found


def _is_end(text: str, match: re.Match[str]) -> bool:
    following = text[match.end()]
    if following.islower() or following in ",;:)]":
        return False
    if match[1] != ".":
        return True
    before = _BEFORE.search(text, max(0, match.start() - 24), match.start())
    word = before[1] if before else ""
    is_initial = len(word) == 1 and word.isalpha()
    is_number = len(word) <= 2 and word.isdigit()
    return not (is_initial or is_number or word.lower() in _ABBREVIATIONS)


def split_segment(segment: Segment) -> list[list[Piece]]:
    """Parts in order: sentences to translate, and what is between them (parts without words)."""
    return _split(segment.pieces, segment.spaced, 0)


def _split(pieces: Sequence[Piece], spaced: bool, depth: int) -> list[list[Piece]]:
    parts: list[list[Piece]] = []
    for sentence in _sentences(pieces, spaced):
        before, inner, after = _trimmed(sentence)
        if (before or after) and depth < _MAX_DEPTH:
            parts += [before, *_split(inner, spaced, depth + 1), after]
        elif before or after:
            parts += [before, inner, after]
        else:
            parts.append(inner)
    return [part for part in parts if part]


def _sentences(pieces: Sequence[Piece], spaced: bool) -> list[list[Piece]]:
    """Cuts text outside of all pairs of tags."""
    parts: list[list[Piece]] = [[]]
    depth = 0
    text = "".join(piece if isinstance(piece, str) else "" for piece in pieces)
    ends = set(sentence_ends(text))
    if spaced:
        ends.update(match.end() for match in _BREAK.finditer(text))
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
