"""Small texts for the tests of word alignment."""

from __future__ import annotations

import random
from collections.abc import Iterable

from demotic.text.pairs import Pair
from demotic.text.parallel import ParallelCorpus

TINY = [("a b", "x y"), ("b c", "y z"), ("a", "x"), ("c a b", "z x y"), ("b b", "y w y")]


def parallel(pairs: Iterable[tuple[str, str]]) -> ParallelCorpus:
    """Pairs of tokenised sentences as a corpus."""
    numbered = enumerate(pairs, 1)
    return ParallelCorpus.from_pairs(Pair(s, t, "test", line) for line, (s, t) in numbered)


def tiny() -> ParallelCorpus:
    return parallel(TINY)


def invented(pairs: int, seed: int = 1, words: int = 60, longest: int = 12) -> ParallelCorpus:
    """Sentences of an artificial language with swapped neighbours, insertions and deletions."""
    rng = random.Random(seed)
    lines = []
    for _ in range(pairs):
        source = [min(int(rng.paretovariate(0.8)), words) for _ in range(rng.randint(1, longest))]
        target = [f"t{word}" for word in source if rng.random() > 0.1]
        for k in range(len(target) - 1):
            if rng.random() < 0.2:
                target[k], target[k + 1] = target[k + 1], target[k]
        lines.append((" ".join(f"s{word}" for word in source), " ".join(target)))
    return parallel(lines)
