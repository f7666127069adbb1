"""Rules on demand: without sampling they equal the table; samples are reproducible estimates."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import _core
from demotic.errors import InputError, ModelError
from demotic.features.sparse_part import compile_templates
from demotic.rules import RuleOptions, Rules
from tests.oracle.extraction import Sentence
from tests.rules.on_demand import both, encoded, equal_rules, indexed, phrases_of
from tests.rules.test_several_links import pairs

OPTIONS = [
    {},
    {"tight": True},
    {"max_phrase": 2},
    {"reordering": "none"},
    {"reordering": "backward", "reordering_smoothing": 0.1},
    {"orientation": "hierarchical"},
    {"min_count": 2},
    {"min_count": 2, "keep_word_pairs": False},
    {"low_counts": True},
]


def complete(**chosen: object) -> RuleOptions:
    """Options without sampling."""
    return RuleOptions(storage="on-demand", sample=0, **chosen)  # type: ignore[arg-type]


def long_text(count: int, sets: int = 2, seed: int = 3) -> list[list[Sentence]]:
    """Sentences of few words with random links near the diagonal."""
    rng = random.Random(seed)
    texts = []
    for _ in range(count):
        source = [f"s{min(rng.randrange(12), rng.randrange(12))}" for _ in range(rng.randrange(13))]
        target = [f"t{min(rng.randrange(12), rng.randrange(12))}" for _ in range(rng.randrange(13))]
        texts.append((source, target))

    def links(source: list[str], target: list[str]) -> frozenset[tuple[int, int]]:
        near = [(i, i + rng.choice((-1, 0, 0, 0, 1))) for i in range(len(source))]
        return frozenset((i, j) for i, j in near if 0 <= j < len(target) and rng.random() < 0.8)

    return [[Sentence(s, t, links(s, t)) for s, t in texts] for _ in range(sets)]


@pytest.mark.parametrize("chosen", OPTIONS, ids=str)
@settings(max_examples=25, deadline=None)
@given(data=st.data(), sets=st.integers(1, 3))
def test_equal_to_the_table(
    tmp_path_factory: pytest.TempPathFactory,
    chosen: dict[str, object],
    data: st.DataObject,
    sets: int,
) -> None:
    drawn = data.draw(st.lists(pairs(sets), min_size=1, max_size=4))
    bitext = [[pair[k] for pair in drawn] for k in range(sets)]
    table, ours = both(bitext, tmp_path_factory.mktemp("r"), complete(**chosen))
    assert ours.store.score_names == table.store.score_names
    for source in [*phrases_of(bitext), "a zzz", "zzz"]:
        equal_rules(table, ours, source)
    assert len(ours) == len(table)


@pytest.mark.parametrize("chosen", OPTIONS, ids=str)
def test_equal_to_the_table_on_longer_text(tmp_path: Path, chosen: dict[str, object]) -> None:
    bitext = long_text(400)
    table, ours = both(bitext, tmp_path, complete(**chosen), threads=2)
    found = [rule for source in phrases_of(bitext) for rule in equal_rules(table, ours, source)]
    assert len(found) == len(table) == len(ours) > 500


def test_source_counts(tmp_path: Path) -> None:
    bitext = long_text(100)
    table, ours = both(bitext, tmp_path, complete(min_count=2))
    for source in phrases_of(bitext, 3):
        equal_rules(table, ours, source)
        counts = [source_count(rules, source) for rules in (table, ours)]
        assert counts[0] in (None, counts[1])  # the table omits source sides without rules


def source_count(rules: Rules, source: str) -> float | None:
    node = 0
    for word in source.split():
        node = rules.store.child(node, rules.vocabulary.find(word))
        if node == 0:
            return None
    return rules.store.source_count(node)


def test_added_text_equals_one_text(tmp_path: Path) -> None:
    """Several indices count as one, whatever the number of sets of links."""
    bitext = long_text(300)
    table, _ = both(bitext, tmp_path, complete())
    parts = [[one_set[a:b] for one_set in bitext] for a, b in ((0, 180), (180, 181), (181, 300))]
    ours = indexed(parts, tmp_path, complete())
    assert ours.store.pairs == 300
    for source in phrases_of(bitext):
        theirs, mine = table.find(source), ours.find(source)
        key = lambda rule: rule.target  # noqa: E731
        assert sorted(theirs, key=key) == sorted(mine, key=key)


def test_other_settings_are_refused(tmp_path: Path) -> None:
    bitext = long_text(10)
    vocabularies = [both(bitext, tmp_path / name, options)[1] for name, options in _two(tmp_path)]
    with pytest.raises(ModelError, match="other settings"):
        Rules.open(
            tmp_path / "a" / "index", vocabularies[0].vocabulary, added=[tmp_path / "b" / "index"]
        )


def _two(folder: Path) -> list[tuple[str, RuleOptions]]:
    for name in "ab":
        (folder / name).mkdir()
    return [("a", complete()), ("b", complete(max_phrase=3))]


def test_numbers_of_rules_do_not_depend_on_threads(tmp_path: Path) -> None:
    bitext = long_text(300)
    both(bitext, tmp_path, RuleOptions(storage="on-demand", sample=20))
    stores = []
    for threads in (1, 3):
        rules = Rules.open(tmp_path / "index", _core.VocabularyBuilder().finish())
        words = _core.VocabularyBuilder()
        sides, _ = encoded(bitext, words)
        rules.store.prepare(sides[0], 0, threads)
        stores.append(rules.store)
    assert len(stores[0]) == len(stores[1]) > 1000
    for rule in range(len(stores[0])):
        assert stores[0].target(rule) == stores[1].target(rule)
        assert stores[0].scores(rule) == stores[1].scores(rule)
        assert stores[0].links(rule) == stores[1].links(rule)


def test_index_does_not_depend_on_threads(tmp_path: Path) -> None:
    for threads in (1, 3):
        (tmp_path / str(threads)).mkdir()
        both(long_text(300), tmp_path / str(threads), complete(), threads=threads)
    one, three = ((tmp_path / str(n) / "index").read_bytes() for n in (1, 3))
    assert one == three


def test_a_rule_keeps_its_number(tmp_path: Path) -> None:
    bitext = long_text(100)
    _, ours = both(bitext, tmp_path, complete())
    ours.find("s0 s1")
    first = ours.store.child(0, ours.vocabulary.find("s0"))
    known = ours.store.rules(first)
    for source in phrases_of(bitext):
        ours.find(source)
    before = len(ours)
    for source in phrases_of(bitext):
        ours.find(source)
    assert ours.store.child(0, ours.vocabulary.find("s0")) == first
    assert ours.store.rules(first) == known
    assert len(ours) == before


class TestSampling:
    SAMPLE = 40

    def rules(self, folder: Path, seed: int = 1) -> tuple[Rules, Rules]:
        options = RuleOptions(storage="on-demand", sample=self.SAMPLE, sample_seed=seed)
        return both(long_text(1500, sets=1), folder, options)

    def test_rare_phrases_are_exact(self, tmp_path: Path) -> None:
        table, ours = self.rules(tmp_path)
        bitext = long_text(1500, sets=1)
        texts = [f" {' '.join(one.source)} " for one in bitext[0]]
        rare = [source for source in phrases_of(bitext, 4) if len(source.split()) == 4]
        rare = [s for s in rare if sum(f" {s} " in text for text in texts) < self.SAMPLE // 7]
        assert len(rare) > 100
        for source in rare:
            equal_rules(table, ours, source)

    def test_frequent_phrases_are_estimates(self, tmp_path: Path) -> None:
        distances = []
        for sample in (40, 400):
            options = RuleOptions(storage="on-demand", sample=sample)
            table, ours = both(long_text(1500, sets=1), tmp_path, options)
            wanted = {rule.target: rule for rule in table.find("s0")}
            found = {rule.target: rule for rule in ours.find("s0")}
            assert 0 < len(found) < len(wanted)
            for target, rule in found.items():
                exact = wanted[target]
                assert rule.count >= 1
                assert rule.scores["source_given_target"] <= 0
                name = "lexical_target_given_source"
                if exact.links == rule.links:
                    assert rule.scores[name] == exact.scores[name]
            probabilities = [
                [
                    math.exp(rules[t].scores["target_given_source"]) if t in rules else 0.0
                    for t in wanted
                ]
                for rules in (found, wanted)
            ]
            assert [sum(one) for one in probabilities] == pytest.approx([1, 1])
            distances.append(float(np.abs(np.subtract(*probabilities)).sum() / 2))
        assert distances[1] < 0.6 * distances[0] < 0.5

    def test_same_seed_same_rules(self, tmp_path: Path) -> None:
        for name in ("a", "b", "c"):
            (tmp_path / name).mkdir()
        a, b = (self.rules(tmp_path / name)[1] for name in ("a", "b"))
        other = self.rules(tmp_path / "c", seed=2)[1]
        assert a.find("s0 s1") == b.find("s0 s1")
        b.find("s1")  # the sample of a phrase does not depend on what was asked before
        assert a.find("s0") == b.find("s0") != other.find("s0")


def test_search_matches(tmp_path: Path) -> None:
    bitext = long_text(50)
    table, ours = both(bitext, tmp_path, complete())
    words = _core.VocabularyBuilder()
    sides, _ = encoded(bitext, words)
    ours.store.prepare(sides[0], 0, 2)
    for i in range(len(sides[0].offsets) - 1):
        ids = sides[0].words[sides[0].offsets[i] : sides[0].offsets[i + 1]]
        ids = np.ascontiguousarray(ids)
        spans = [
            [(b, e, last - first) for b, e, first, last in _core.match_phrases(rules.store, ids)]
            for rules in (table, ours)
        ]
        assert spans[0] == spans[1]
    assert ours.store.first_words() == sorted(set(sides[0].words.tolist()))


@pytest.mark.parametrize(
    ("kind", "chosen", "flag"),
    [
        ("hiero", {"adjacent_gaps": True}, "--adjacent-gaps"),
        ("phrase", {"smoothing": "kneser-ney"}, "--smoothing kneser-ney"),
        ("phrase", {"significance": 0.01}, "--significance 0.01"),
    ],
)
def test_unsupported_options_are_refused(kind: str, chosen: dict[str, object], flag: str) -> None:
    with pytest.raises(InputError, match=f"{flag} with --rules on-demand"):
        complete(**chosen).native(kind, 1)  # type: ignore[arg-type]


def test_what_needs_all_rules_is_refused(tmp_path: Path) -> None:
    _, ours = both(long_text(5), tmp_path, complete())
    with pytest.raises(ModelError, match="--rules table"):
        list(ours)
    with pytest.raises(ModelError, match="sparse features"):
        compile_templates(None, [], ours, "phrase")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no lists of children"):
        ours.store.children(0)


def test_damaged_index_is_refused(tmp_path: Path) -> None:
    _, ours = both(long_text(20), tmp_path, complete())
    data = bytearray((tmp_path / "index").read_bytes())
    for place in range(200, len(data), max(1, len(data) // 40)):
        changed = bytearray(data)
        changed[place] ^= 1
        (tmp_path / "changed").write_bytes(changed)
        with pytest.raises(Exception, match="changed"):
            Rules.open(tmp_path / "changed", ours.vocabulary)


def test_empty_text(tmp_path: Path) -> None:
    table, ours = both([[Sentence([], [], frozenset())]], tmp_path, complete())
    assert ours.find("a") == table.find("a") == []
