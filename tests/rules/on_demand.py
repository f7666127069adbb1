"""A table of rules and an indexed bitext of the same text, with several sets of links."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from demotic import _core
from demotic.rules import Rule, RuleKind, RuleOptions, Rules, extract, index_bitext
from tests.oracle.extraction import Sentence
from tests.rules.test_extraction import lines

__all__ = ["both", "encoded", "equal_rules", "indexed", "phrases_of"]

Bitext = Sequence[Sequence[Sentence]]
"""For each set of links the sentences with them."""


def encoded(bitext: Bitext, words: _core.VocabularyBuilder) -> tuple[list[_core.Corpus], list]:
    sides = []
    for side in ("source", "target"):
        builder = _core.CorpusBuilder(words)
        builder.add(lines([" ".join(getattr(one, side)) for one in bitext[0]]))
        sides.append(builder.finish())
    links = [
        _core.Alignments.from_lists([sorted(one.links) for one in one_set]) for one_set in bitext
    ]
    return sides, links


def both(
    bitext: Bitext,
    folder: Path,
    options: RuleOptions,
    *,
    threads: int = 1,
    kind: RuleKind = "phrase",
) -> tuple[Rules, Rules]:
    """The table, and the rules on demand."""
    words = _core.VocabularyBuilder()
    sides, links = encoded(bitext, words)
    vocabulary = words.finish()
    for make, name in ((extract, "table"), (index_bitext, "index")):
        make(*sides, links, folder / name, options=options, threads=threads, kind=kind)
    return Rules.open(folder / "table", vocabulary), Rules.open(folder / "index", vocabulary)


def indexed(
    parts: Sequence[Bitext], folder: Path, options: RuleOptions, kind: RuleKind = "phrase"
) -> Rules:
    """One index per part of a text, opened together."""
    words = _core.VocabularyBuilder()
    made = [encoded(bitext, words) for bitext in parts]
    vocabulary = words.finish()
    paths = [folder / f"part-{number}" for number in range(len(parts))]
    for (sides, links), path in zip(made, paths, strict=True):
        index_bitext(*sides, links, path, options=options, kind=kind)
    return Rules.open(paths[0], vocabulary, added=paths[1:])


def phrases_of(bitext: Bitext, longest: int = 7) -> list[str]:
    """Every source phrase of the text."""
    found = {}
    for one in bitext[0]:
        for begin in range(len(one.source)):
            for end in range(begin + 1, min(len(one.source), begin + longest) + 1):
                found[" ".join(one.source[begin:end])] = None
    return list(found)


def equal_rules(table: Rules, on_demand: Rules, source: str) -> list[Rule]:
    """Asserts that both have the same rules of a source side in the same order."""
    wanted, found = table.find(source), on_demand.find(source)
    assert found == wanted
    assert all(a.count >= b.count for a, b in pairwise(found))
    return found
