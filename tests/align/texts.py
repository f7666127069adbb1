"""Small texts for the tests of word alignment."""

from __future__ import annotations

import random

from demotic.align import Bitext

TINY = [("a b", "x y"), ("b c", "y z"), ("a", "x"), ("c a b", "z x y"), ("b b", "y w y")]


def tiny() -> Bitext:
    return Bitext.from_pairs(TINY)


def invented(pairs: int, seed: int = 1, words: int = 60, longest: int = 12) -> Bitext:
    """Sentences of a made-up language with swapped neighbours and words that come and go."""
    rng = random.Random(seed)
    lines = []
    for _ in range(pairs):
        source = [min(int(rng.paretovariate(0.8)), words) for _ in range(rng.randint(1, longest))]
        target = [f"t{word}" for word in source if rng.random() > 0.1]
        for k in range(len(target) - 1):
            if rng.random() < 0.2:
                target[k], target[k + 1] = target[k + 1], target[k]
        lines.append((" ".join(f"s{word}" for word in source), " ".join(target)))
    return Bitext.from_pairs(lines)
