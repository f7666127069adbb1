"""Interpolated modified Kneser-Ney slowly and from its definition (Chen & Goodman 1998).

Dictionaries of word tuples and recursion; the choices are those of lmplz (Heafield et al. 2013):
n-grams that begin with <s> keep their raw counts, the uniform distribution is over all words with
</s> and <unk> but without <s>, and pruned n-grams give their mass to the backoff.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property

__all__ = ["FALLBACK", "KneserNey"]

Ngram = tuple[str, ...]
FALLBACK = (0.5, 1.0, 1.5)


class KneserNey:
    def __init__(
        self, sentences: Sequence[Sequence[str]], order: int, prune: Sequence[int] = (0,)
    ) -> None:
        self.order = order
        self.prune = [prune[min(n, len(prune)) - 1] for n in range(1, order + 1)]
        padded = [("<s>", *sentence, "</s>") for sentence in sentences]
        self.raw = [
            Counter(s[i : i + n] for s in padded for i in range(len(s) - n + 1))
            for n in range(1, order + 1)
        ]
        self.words = sorted({w for s in padded for w in s} - {"<s>"} | {"<unk>"})

    @cached_property
    def adjusted(self) -> list[dict[Ngram, int]]:
        result: list[dict[Ngram, int]] = []
        for n in range(1, self.order + 1):
            counts = dict(self.raw[n - 1])
            if n < self.order:
                left = defaultdict(set)
                for longer in self.raw[n]:
                    left[longer[1:]].add(longer[0])
                counts = {
                    g: count if g[0] == "<s>" else len(left[g]) for g, count in counts.items()
                }
            counts.pop(("<s>",), None)
            result.append(counts)
        return result

    @cached_property
    def discounts(self) -> list[tuple[float, float, float]]:
        return [self._discounts(counts) for counts in self.adjusted]

    @staticmethod
    def _discounts(counts: dict[Ngram, int]) -> tuple[float, float, float]:
        n = Counter(counts.values())
        if not (n[1] and n[2] and n[3]):
            return FALLBACK
        y = n[1] / (n[1] + 2 * n[2])
        d1, d2, d3 = (j - (j + 1) * y * n[j + 1] / n[j] for j in (1, 2, 3))
        good = 0 <= d1 <= 1 and 0 <= d2 <= 2 and 0 <= d3 <= 3
        return (d1, d2, d3) if good else FALLBACK

    def kept(self, ngram: Ngram) -> bool:
        n = len(ngram)
        return ngram in self.raw[n - 1] and (n == 1 or self.raw[n - 1][ngram] > self.prune[n - 1])

    def ngrams(self, n: int) -> set[Ngram]:
        """What the model lists."""
        listed = {g for g in self.raw[n - 1] if self.kept(g)}
        return listed | {("<unk>",)} if n == 1 else listed

    @cached_property
    def _followers(self) -> dict[Ngram, list[Ngram]]:
        result = defaultdict(list)
        for counts in self.adjusted:
            for g in counts:
                result[g[:-1]].append(g)
        return result

    def _discount(self, ngram: Ngram) -> float:
        count = self.adjusted[len(ngram) - 1][ngram]
        return self.discounts[len(ngram) - 1][min(count, 3) - 1]

    def backoff(self, context: Ngram) -> float:
        """The share of probability that goes to the shorter context."""
        followers = self._followers.get(context, [])
        if not followers or len(context) >= self.order:
            return 1.0
        counts = self.adjusted[len(context)]
        mass = sum(self._discount(g) if self.kept(g) else counts[g] for g in followers)
        return mass / sum(counts[g] for g in followers)

    def probability(self, word: str, context: Ngram) -> float:
        """p(word | context), backing off where nothing is listed."""
        context = context[max(0, len(context) - self.order + 1) :]
        ngram = (*context, word)
        shorter = self.probability(word, context[1:]) if context else 1 / len(self.words)
        own = 0.0
        if ngram != ("<unk>",) and self.kept(ngram):
            counts = self.adjusted[len(context)]
            total = sum(counts[g] for g in self._followers[context])
            own = (counts[ngram] - self._discount(ngram)) / total
        return own + self.backoff(context) * shorter
