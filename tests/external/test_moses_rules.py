"""Extraction, lexical tables and scores equal Moses' on its own regression data."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from demotic import _core
from demotic.rules import Rule, Rules
from tests.external.where import models

pytestmark = pytest.mark.external

# The only pair whose two alignments are equally frequent: we take the first in the text, Moses the
# first in an internal map, which is the other one in its inverse table.
TIED = (("!", '"'), ("!", "'", "."))


@pytest.fixture
def moses() -> Path:
    return models() / "moses"


def lines(texts: list[str]) -> _core.Lines:
    result = _core.Lines()
    for text in texts:
        result.append(text)
    return result


def read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8", errors="replace").splitlines()


class Bitext:
    def __init__(self, source: list[str], target: list[str], links: list[str]) -> None:
        words = _core.VocabularyBuilder()
        sides = []
        for texts in (source, target):
            builder = _core.CorpusBuilder(words)
            builder.add(lines(texts))
            sides.append(builder.finish())
        self.source, self.target = sides
        self.links = _core.Alignments.parse(lines(links), "links")
        self.vocabulary = words.finish()

    def id(self, word: str) -> int | None:
        if word == "NULL":
            return _core.UNKNOWN
        return self.vocabulary.find(word) or None

    def name(self, word: int) -> str:
        return "NULL" if word == _core.UNKNOWN else self.vocabulary.word(word)

    def rules(self, make: object, lexicon: _core.LexicalTable, path: Path) -> list[Rule]:
        options = _core.ExtractOptions()
        options.reordering = _core.ReorderingModel.none
        make(self.source, self.target, [self.links], lexicon, str(path), options, None)  # type: ignore[operator]
        return list(Rules.open(path, self.vocabulary))


def parallel(folder: Path) -> Bitext:
    return Bitext(read(folder / "fr"), read(folder / "en"), read(folder / "align.fr-en"))


def test_extracted_pairs(moses: Path, tmp_path: Path) -> None:
    folder = moses / "tests" / "misc.extract-parallel"
    bitext = parallel(folder)
    lexicon = _core.count_lexicon(bitext.source, bitext.target, [bitext.links])
    rules = bitext.rules(_core.extract_rules, lexicon, tmp_path / "rules")
    pairs = {(" ".join(r.source), " ".join(r.target)) for r in rules}
    truth = {tuple(line.split(" ||| ")[:2]) for line in read(folder / "truth" / "results.txt")}
    # The truth holds both Moses' table and its inverse.
    assert pairs | {(b, a) for a, b in pairs} == truth


def test_lexical_tables(moses: Path) -> None:
    folder = moses / "tests" / "misc.lexical-weights"
    bitext = parallel(folder)
    ours = set()
    lexicon = _core.count_lexicon(bitext.source, bitext.target, [bitext.links])
    for source, target, forward, backward in lexicon.entries():
        names = bitext.name(source), bitext.name(target)
        ours |= {(names[1], names[0], f"{forward:.7f}"), (*names, f"{backward:.7f}")}
    assert ours == {tuple(line.split()) for line in read(folder / "truth" / "results.txt")}


def extracted(path: Path, inverse: bool) -> Bitext:
    fields = [line.split(" ||| ") for line in read(path)]
    if inverse:
        fields = [[b, a, _swapped(links)] for a, b, links, *_ in fields]
    return Bitext(*([row[i] for row in fields] for i in range(3)))


def _swapped(links: str) -> str:
    return " ".join("-".join(reversed(link.split("-"))) for link in links.split())


@pytest.mark.parametrize("inverse", [False, True])
def test_scores(moses: Path, tmp_path: Path, inverse: bool) -> None:
    inputs, tests = moses / "models" / "score.phrase-based", moses / "tests"
    bitext = extracted(inputs / f"extract{'.inv' * inverse}.sorted", inverse)
    # The table was counted on other text; Moses uses 1 for missing pairs.
    lexicon = _core.LexicalTable(1.0)
    for line in read(inputs / ("lex.e2f" if inverse else "lex.f2e")):
        first, second, w = line.split()
        a, b = bitext.id(first), bitext.id(second)
        if a is None or b is None:
            continue
        if inverse:
            lexicon.set_source_given_target(a, b, float(w))
        else:
            lexicon.set_target_given_source(b, a, float(w))
    truth = {}
    for line in read(tests / f"score.phrase-based{'-inv' * inverse}" / "truth" / "results.txt"):
        source, target, _, weight, counts, *_ = (part.strip() for part in line.split("|||"))
        truth[tuple(source.split()), tuple(target.split())] = float(weight), counts.split()
    name = "lexical_source_given_target" if inverse else "lexical_target_given_source"
    share = "source_given_target" if inverse else "target_given_source"
    seen = set()
    for rule in bitext.rules(_core.score_pairs, lexicon, tmp_path / "rules"):
        key = rule.source, rule.target
        seen.add(key)
        weight, (total, count) = truth[key]
        assert rule.occurrences == float(count)
        assert math.exp(rule.scores[share]) == pytest.approx(float(count) / float(total), rel=1e-5)
        if not (inverse and key == TIED):
            # Six digits are printed.
            assert math.exp(rule.scores[name]) == pytest.approx(weight, rel=6e-6)
    assert seen == set(truth)
