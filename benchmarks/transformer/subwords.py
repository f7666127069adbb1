"""Byte-pair encoding (Sennrich et al. 2016): words as sequences of frequent pieces."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

__all__ = ["Subwords"]

END = "</w>"
"""Ends the last piece of a word."""
Pair = tuple[str, str]


class Subwords:
    """Merges that were learnt from words, applied to sentences."""

    def __init__(self, merges: Sequence[Pair]) -> None:
        self.merges = list(merges)
        self._ranks = {pair: rank for rank, pair in enumerate(merges)}
        self._known: dict[str, list[str]] = {}

    @classmethod
    def learnt(cls, sentences: Iterable[Sequence[str]], merges: int) -> Subwords:
        """The most frequent pair of adjacent pieces is merged, `merges` times."""
        counts = Counter(word for sentence in sentences for word in sentence)
        words = [(_characters(word), count) for word, count in sorted(counts.items())]
        pairs: Counter[Pair] = Counter()
        places: defaultdict[Pair, set[int]] = defaultdict(set)
        for index, (pieces, count) in enumerate(words):
            for pair in pairwise(pieces):
                pairs[pair] += count
                places[pair].add(index)
        learnt = []
        for _ in range(merges):
            best = max(pairs, key=lambda pair: (pairs[pair], pair), default=None)
            if best is None or pairs[best] < 2:
                break
            learnt.append(best)
            for index in places.pop(best):
                pieces, count = words[index]
                for pair in pairwise(pieces):
                    pairs[pair] -= count
                pieces = _merged(pieces, best)
                words[index] = pieces, count
                for pair in pairwise(pieces):
                    pairs[pair] += count
                    places[pair].add(index)
            del pairs[best]
        return cls(learnt)

    def split(self, sentence: Iterable[str]) -> list[str]:
        return [piece for word in sentence for piece in self._pieces(word)]

    @staticmethod
    def joined(pieces: Iterable[str]) -> str:
        return "".join(pieces).replace(END, " ").strip()

    def _pieces(self, word: str) -> list[str]:
        if word not in self._known:
            pieces = _characters(word)
            while len(pieces) > 1:
                best = min(
                    pairwise(pieces), key=lambda pair: self._ranks.get(pair, len(self._ranks))
                )
                if best not in self._ranks:
                    break
                pieces = _merged(pieces, best)
            self._known[word] = pieces
        return self._known[word]


def _characters(word: str) -> list[str]:
    return [*word[:-1], word[-1] + END]


def _merged(pieces: list[str], pair: Pair) -> list[str]:
    result: list[str] = []
    for piece in pieces:
        if result and (result[-1], piece) == pair:
            result[-1] += piece
        else:
            result.append(piece)
    return result
