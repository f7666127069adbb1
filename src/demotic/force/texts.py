"""Writes the reachable part of a corpus as text files (Liu & Huang 2014, section 5.4).

`reachable` holds the reachable sentences, once each, with the first reachable reference; `prefixes`
holds every pair or its longest reachable prefix, if it has enough source words.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from demotic.force.run import Reachability
from demotic.lines import PathLike, split_words, write_text

__all__ = ["TEXT_NAMES", "prefixes", "reachable", "write_texts"]

Pairs = list[tuple[str, str]]

_ENDINGS = ("src", "ref")
TEXT_NAMES = tuple(f"{name}.{ending}" for name in ("reachable", "prefixes") for ending in _ENDINGS)
"""All files that may be written."""


def reachable(found: Reachability) -> Pairs:
    pairs: Pairs = []
    for first in range(0, len(found), found.copies):
        for i in range(first, first + found.copies):
            if found.reachable[i]:
                pairs.append((found.sources[i], found.references[i]))
                break
    return pairs


def prefixes(found: Reachability) -> Pairs:
    return [
        (
            " ".join(split_words(found.sources[i])[: found.source_words[i]]),
            " ".join(split_words(found.references[i])[: found.target_words[i]]),
        )
        for i in range(len(found))
        if found.source_words[i] >= found.options.min_source_words
    ]


def write_texts(found: Reachability, folder: PathLike) -> None:
    """reachable.src, reachable.ref, and the same for prefixes if they were searched for."""
    home = Path(folder)
    _write(home, "reachable", reachable(found))
    if found.options.prefixes != "none":
        _write(home, "prefixes", prefixes(found))


def _write(home: Path, name: str, pairs: Iterable[tuple[str, str]]) -> None:
    both = list(pairs)
    for side, ending in enumerate(_ENDINGS):
        with write_text(home / f"{name}.{ending}") as file:
            file.writelines(f"{pair[side]}\n" for pair in both)
