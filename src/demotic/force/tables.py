"""How much of a corpus is reachable: by length, by cause, by number of derivations.

Sentences and words are counted as in Yu et al. (2013), tables 2 and 3: words are source words; for
prefixes, the words of the prefixes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from demotic.force.run import Reachability

__all__ = [
    "CAUSES",
    "LENGTH_HEADER",
    "Row",
    "as_dict",
    "by_cause",
    "by_derivations",
    "by_length",
    "by_length_and_limit",
    "limit_name",
    "shares",
    "totals",
]

Row = dict[str, Any]

# The causes of `core/include/demotic/force/force_options.h`.
CAUSES: Mapping[str, str] = {
    "unknown_word": "a source word that is in no rule",
    "uncovered_word": "a word that is in no rule matching both sides",
    "limit": "reachable only without the distortion or span limit",
    "other": "every word is covered by some rule, but no derivation covers all of them",
    "undecided": "one of the last two; the search to find out hit its limit",
}

# The columns of `by_length`.
LENGTH_HEADER = [
    "words",
    "pairs",
    "% reachable",
    "% with prefixes",
    "undecided",
    "log10 derivations",
]

_BUCKET = 5  # words


def totals(found: Reachability) -> Row:
    words = int(found.lengths.sum())
    with_prefixes = found.reachable | found.prefix
    return {
        "pairs": len(found),
        "source_words": words,
        "reachable": int(found.reachable.sum()),
        "reachable_share": _share(found.reachable.sum(), len(found)),
        "reachable_words_share": _share(found.lengths[found.reachable].sum(), words),
        "with_prefixes": int(with_prefixes.sum()),
        "with_prefixes_share": _share(with_prefixes.sum(), len(found)),
        "with_prefixes_words_share": _share(found.source_words.sum(), words),
        "undecided": int(found.undecided.sum()),
        "nodes": int(found.native.nodes.sum()),
        "edges": int(found.native.edges.sum()),
    }


def shares(sums: Row, name: str) -> tuple[int, float, float]:
    """Pairs, percent of pairs and percent of source words: `reachable` or `with_prefixes`."""
    return sums[name], sums[f"{name}_share"], sums[f"{name}_words_share"]


def by_length(found: Reachability) -> list[Row]:
    """Buckets of five source words; derivations are the geometric mean over reachable pairs."""
    rows = []
    bucket = np.maximum(found.lengths - 1, 0) // _BUCKET
    with_prefixes = found.reachable | found.prefix
    for number in np.unique(bucket):
        here = bucket == number
        reachable = here & found.reachable
        rows.append(
            {
                "words": f"{number * _BUCKET + 1}-{(number + 1) * _BUCKET}",
                "pairs": int(here.sum()),
                "reachable_share": _share(reachable.sum(), here.sum()),
                "with_prefixes_share": _share((here & with_prefixes).sum(), here.sum()),
                "undecided": int((here & found.undecided).sum()),
                "log10_derivations": _mean_log(found, reachable),
            }
        )
    return rows


def by_length_and_limit(sweep: Sequence[Row], name: str) -> tuple[list[str], list[list[str]]]:
    """One value for several limits (Yu et al. 2013, figures 6 and 7): header and rows."""
    header = ["words", *(limit_name(row["distortion_limit"]) for row in sweep)]
    lengths = [[row["words"] for row in one["by_length"]] for one in sweep]
    values = [[row[name] for row in one["by_length"]] for one in sweep]
    return header, [
        [words, *("-" if column[i] is None else str(column[i]) for column in values)]
        for i, words in enumerate(lengths[0])
    ]


def limit_name(limit: int) -> str:
    return "unlimited" if limit < 0 else str(limit)


def by_cause(found: Reachability) -> list[Row]:
    """Causes of unreachable pairs; undecided pairs have no cause."""
    return [
        {"cause": name, "meaning": text, "pairs": int(found.cause(name).sum())}
        for name, text in CAUSES.items()
    ]


def by_derivations(found: Reachability) -> list[Row]:
    """Reachable pairs by the power of ten of their derivations."""
    counts = found.derivations[found.reachable]
    if not len(counts):
        return []
    power = np.floor(np.log10(np.minimum(counts, 1e300))).astype(np.int64)
    return [
        {"derivations": f"1e{p}" if p else "1-9", "pairs": int((power == p).sum())}
        for p in range(int(power.max()) + 1)
    ]


def as_dict(found: Reachability) -> Row:
    """All results as a dictionary."""
    from dataclasses import asdict

    return {
        "options": asdict(found.options),
        "references": found.copies,
        **totals(found),
        "by_length": by_length(found),
        "by_cause": by_cause(found),
        "by_derivations": by_derivations(found),
    }


def _mean_log(found: Reachability, which: Any) -> float | None:
    counts = found.derivations[which]
    if not len(counts):
        return None
    mean = float(np.log10(np.minimum(counts, 1e300)).mean())
    return round(mean, 3) if math.isfinite(mean) else None


def _share(part: Any, whole: Any) -> float:
    return round(100 * float(part) / float(whole), 2) if whole else 0.0
