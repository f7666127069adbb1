"""Compound splitting from the definition: all divisions of a word are listed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from tests.oracle.segmenter import segmentations

__all__ = ["best_mean", "mean"]

Links = Sequence[tuple[str, str]]


def stems(piece: str, links: Links, *, is_last: bool) -> Iterator[str]:
    """The words that a piece may stand for; with a linking element only if it is no word."""
    yield piece
    if not is_last:
        if piece.endswith("-"):
            yield piece[:-1]
        else:
            yield from (
                piece[: len(piece) - len(link)] + end for link, end in links if piece.endswith(link)
            )


def mean(
    pieces: Sequence[str], counts: Mapping[str, int], links: Links, letters: int
) -> float | None:
    """The geometric mean of the counts of the words; None if a piece is no word."""
    total = 0.0
    for i, piece in enumerate(pieces):
        found = list(stems(piece, links, is_last=i == len(pieces) - 1))
        known = [one for one in found if one in counts and len(one) >= letters and one.isalpha()]
        if not known or len(piece) < letters:
            return None
        count = counts[piece] if piece in known else max(counts[one] for one in known)
        total += math.log(count)
    return math.exp(total / len(pieces))


def best_mean(
    word: str, counts: Mapping[str, int], links: Links, letters: int, most: int
) -> float | None:
    """The highest mean of a division into 2 to `most` pieces."""
    pieces = [one for one in segmentations(word) if 2 <= len(one) <= most]
    means = (mean(one, counts, links, letters) for one in pieces)
    return max((one for one in means if one is not None), default=None)
