"""Figures about a corpus: sizes, unknown words, noise, variety of references, and reordering."""

from __future__ import annotations

from collections.abc import Sequence

from .corpus import Corpus
from .pairs import Pair
from .wording import Link


def statistics(corpus: Corpus) -> dict[str, float]:
    """Counts and shares by name; shares are between 0 and 1."""
    train = corpus.train
    known = {word for pair in train for word in pair.source}
    lengths = [len(pair.source) for pair in train]
    figures: dict[str, float] = {
        "train_pairs": len(train),
        "train_source_tokens": sum(lengths),
        "train_target_tokens": sum(len(pair.targets[0].tokens) for pair in train),
        "train_source_types": len(known),
        "train_target_types": len({word for pair in train for word in pair.targets[0].tokens}),
        "train_distinct_sources": _share(len({pair.source for pair in train}), len(train)),
        "train_noisy_pairs": _share(sum(pair.noisy for pair in train), len(train)),
        "source_length_mean": _share(sum(lengths), len(lengths)),
        "source_length_min": min(lengths, default=0),
        "source_length_max": max(lengths, default=0),
        "crossing_links_mean": _share(
            sum(crossings(pair.targets[0].links) for pair in train), len(train)
        ),
    }
    for name, pairs in (("dev", corpus.dev), ("test", corpus.test)):
        figures |= {f"{name}_{key}": value for key, value in _held_out(pairs, known).items()}
    return figures


def _held_out(pairs: Sequence[Pair], known: set[str]) -> dict[str, float]:
    words = [word for pair in pairs for word in pair.source]
    kinds = [len({wording.tokens for wording in pair.targets}) for pair in pairs]
    return {
        "pairs": len(pairs),
        "source_tokens": len(words),
        "unknown_words": _share(sum(word not in known for word in words), len(words)),
        "references_all_distinct": _share(sum(kind == 4 for kind in kinds), len(kinds)),
        "references_all_identical": _share(sum(kind == 1 for kind in kinds), len(kinds)),
    }


def crossings(links: Sequence[Link]) -> int:
    """The number of pairs of links that cross."""
    return sum((i - k) * (j - m) < 0 for a, (i, j) in enumerate(links) for k, m in links[a + 1 :])


def _share(part: float, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
