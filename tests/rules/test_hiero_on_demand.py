"""Hiero rules on demand: without sampling they equal the table, and so do translations."""

from __future__ import annotations

import math
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import _core
from demotic.errors import InputError, ModelError
from demotic.rules import Rule, RuleOptions, Rules
from tests.oracle.extraction import Sentence
from tests.rules.on_demand import both, encoded, equal_rules, indexed
from tests.rules.test_on_demand import complete, long_text
from tests.rules.test_several_links import pairs

OPTIONS = [
    {},
    {"tight": True},
    {"max_initial": 4},
    {"max_source_symbols": 3},
    {"max_source_symbols": 7, "max_initial": 6},
    {"max_gaps": 1},
    {"max_gaps": 0},
    {"min_gap": 2},
    {"require_link": False},
    {"share_count": False},
    {"min_count": 2},
    {"min_count": 2, "keep_word_pairs": False},
    {"min_gapped_count": 0.2},
    {"low_counts": True, "features": "c08"},
]


def by_source(rules: Rules) -> dict[str, list[Rule]]:
    """The rules of a table by source side."""
    return {" ".join(key): [*group] for key, group in groupby(rules, key=lambda r: r.source)}


def compare(table: Rules, ours: Rules) -> int:
    """Asserts that every source side of the table has the same rules on demand."""
    sources = by_source(table)
    for source in sources:
        equal_rules(table, ours, source)
    return sum(map(len, sources.values()))


@pytest.mark.parametrize("chosen", OPTIONS, ids=str)
@settings(max_examples=20, deadline=None)
@given(data=st.data(), sets=st.integers(1, 2))
def test_equal_to_the_table(
    tmp_path_factory: pytest.TempPathFactory,
    chosen: dict[str, object],
    data: st.DataObject,
    sets: int,
) -> None:
    drawn = data.draw(st.lists(pairs(sets), min_size=1, max_size=4))
    bitext = [[pair[k] for pair in drawn] for k in range(sets)]
    table, ours = both(bitext, tmp_path_factory.mktemp("r"), complete(**chosen), kind="hiero")
    assert ours.store.score_names == table.store.score_names
    compare(table, ours)
    for source in ("zzz", "[X,1]", "[X,1] zzz", "a [X,1] zzz", "zzz [X,1] a"):
        assert ours.find(source) == []


@pytest.mark.parametrize("chosen", OPTIONS, ids=str)
def test_equal_to_the_table_on_longer_text(tmp_path: Path, chosen: dict[str, object]) -> None:
    table, ours = both(long_text(60), tmp_path, complete(**chosen), threads=2, kind="hiero")
    assert compare(table, ours) == len(table) > 100


class TestCountedPairs:
    """Target sides with gaps that are counted in some of the pairs only."""

    @pytest.mark.parametrize("share", [True, False])
    @pytest.mark.parametrize("sets", [1, 2])
    def test_estimate(self, tmp_path: Path, sets: int, share: bool) -> None:
        """The count of a target side in the counted pairs times all pairs / counted pairs."""
        bitext, counted = long_text(60, sets=sets), 23
        options = complete(share_count=share, counted_pairs=counted)
        table, ours = both(bitext, tmp_path, options, kind="hiero")
        chosen = [i for i in range(60) if i * counted // 60 != (i + 1) * counted // 60]
        assert len(chosen) == counted
        (tmp_path / "part").mkdir()
        part = [[one[i] for i in chosen] for one in bitext]
        known = by_target(both(part, tmp_path / "part", options, kind="hiero")[0])
        estimated = 0
        for source, wanted in by_source(table).items():
            for exact, mine in zip(wanted, ours.find(source), strict=True):
                if not any(symbol.startswith("[X") for symbol in exact.target):
                    assert mine == exact
                    continue
                own = known.get(exact.target, {})
                total = sum(own.values()) * 60 / counted if len(own) > 1 else 0.0
                score = math.log(exact.count / max(total, exact.count))
                scores = {**exact.scores, "source_given_target": score}
                assert mine.scores == pytest.approx(scores, rel=1e-6, abs=1e-6)
                estimated += mine.scores != exact.scores
        assert estimated > 100

    @pytest.mark.parametrize("counted", [0, 60, 61])
    def test_all_pairs(self, tmp_path: Path, counted: int) -> None:
        options = complete(counted_pairs=counted)
        table, ours = both(long_text(60), tmp_path, options, kind="hiero")
        assert compare(table, ours) == len(table)

    def test_added_text(self, tmp_path: Path) -> None:
        """Each file has its own estimate; those of target sides without gaps are exact."""
        bitext = long_text(60)
        options = complete(share_count=False, counted_pairs=10)
        table, _ = both(bitext, tmp_path, options, kind="hiero")
        parts = [[one[:40] for one in bitext], [one[40:] for one in bitext]]
        ours = indexed(parts, tmp_path, options, "hiero")
        known = []
        for number, part in enumerate(parts):
            (tmp_path / str(number)).mkdir()
            known.append(by_target(both(part, tmp_path / str(number), options, kind="hiero")[0]))
        compared = 0
        for source, wanted in by_source(table).items():
            found = {rule.target: rule for rule in ours.find(source)}
            for rule in wanted:
                mine = found[rule.target]
                assert mine.count == rule.count
                assert mine.scores["source_given_target"] <= 0
                if not any(symbol.startswith("[X") for symbol in rule.target):
                    total = sum(total_of(rule, part) for part in known)
                    score = math.log(rule.count / total)
                    assert mine.scores["source_given_target"] == pytest.approx(score, abs=1e-6)
                    compared += 1
        assert compared > 100

    def test_does_not_depend_on_threads(self, tmp_path: Path) -> None:
        written = []
        for threads in (1, 3):
            (tmp_path / str(threads)).mkdir()
            options = complete(counted_pairs=7)
            both(long_text(100), tmp_path / str(threads), options, threads=threads, kind="hiero")
            written.append((tmp_path / str(threads) / "index").read_bytes())
        assert written[0] == written[1]


def texts(*pairs_: tuple[str, str, str]) -> list[list[Sentence]]:
    """One set of links: (source, target, links) as text."""
    return [
        [
            Sentence(
                source.split(),
                target.split(),
                frozenset(tuple(map(int, link.split("-"))) for link in links.split()),  # type: ignore[misc]
            )
            for source, target, links in pairs_
        ]
    ]


ODD = {
    "repeated words": texts(
        ("a a a b a a", "x x y x x x", "0-0 1-1 2-3 3-2 4-4 5-5"),
        ("b a b a b a b a b a b a", "y x y x y x", "0-0 1-1 2-2 3-3 4-4 5-5"),
    ),
    "empty lines": texts(("", "", ""), ("a b c", "x y", "0-0 2-1"), ("", "x", ""), ("a", "", "")),
    "<unk>": texts(
        ("a <unk> b <s> c", "<unk> x </s>", "0-1 1-0 2-2 4-2"), ("<unk>", "<unk>", "0-0")
    ),
    "one word": texts(("a", "x", "0-0"), ("a", "y", "0-0"), ("b", "x", "")),
    "unaligned": texts(("a b c d e", "x y z x y", "1-1 3-3"), ("a b c d e", "x y z", "")),
    "next to other sentences": texts(("a", "x", "0-0"), ("b", "x", "0-0"), ("a c b", "x z y", "")),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("chosen", [{}, {"min_gap": 2}, {"require_link": False}], ids=str)
def test_odd_text(tmp_path: Path, name: str, chosen: dict[str, object]) -> None:
    table, ours = both(ODD[name], tmp_path, complete(**chosen), kind="hiero")
    compare(table, ours)
    assert ours.find("a [X,1] b") == table.find("a [X,1] b")


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_added_text_equals_one_text(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Whole counts add up exactly; shared counts are rounded once per text.

    Of a target side with a single rule in a text, only that rule knows the total of the text.
    """
    drawn = data.draw(st.lists(pairs(2), min_size=2, max_size=5))
    share = data.draw(st.booleans())
    cut = data.draw(st.integers(1, len(drawn) - 1))
    bitext = [[pair[k] for pair in drawn] for k in range(2)]
    folder = tmp_path_factory.mktemp("r")
    options = complete(share_count=share)
    table, _ = both(bitext, folder, options, kind="hiero")
    parts = [[one_set[:cut] for one_set in bitext], [one_set[cut:] for one_set in bitext]]
    ours = indexed(parts, folder, options, "hiero")
    known = []
    for number, part in enumerate(parts):
        (folder / str(number)).mkdir()
        known.append(by_target(both(part, folder / str(number), options, kind="hiero")[0]))
    whole = by_target(table)
    for source, wanted in by_source(table).items():
        found = {rule.target: rule for rule in ours.find(source)}
        assert len(found) == len(wanted)
        for rule in wanted:
            mine = found[rule.target]
            assert (mine.links, mine.occurrences) == (rule.links, rule.occurrences)
            assert mine.only_sentence == rule.only_sentence
            total = sum(total_of(rule, part) for part in known)
            everything = sum(whole[rule.target].values())
            if not share and total == everything:
                assert mine == rule
            score = math.log(rule.count / total)
            scores = {**rule.scores, "source_given_target": score}
            assert mine.scores == pytest.approx(scores, rel=1e-6, abs=1e-6)
            assert total == pytest.approx(everything) or total < everything


def by_target(rules: Rules) -> dict[tuple[str, ...], dict[tuple[str, ...], float]]:
    """Counts by target side, then by source side."""
    found: dict[tuple[str, ...], dict[tuple[str, ...], float]] = {}
    for rule in rules:
        found.setdefault(rule.target, {})[rule.source] = rule.count
    return found


def total_of(rule: Rule, counts: dict[tuple[str, ...], dict[tuple[str, ...], float]]) -> float:
    """The count of the target side in a text, as far as the rule can know it."""
    own = counts.get(rule.target, {})
    return sum(own.values()) if len(own) > 1 else own.get(rule.source, 0.0)


def corpus_of(bitext: list[list[Sentence]]) -> _core.Corpus:
    return encoded(bitext, _core.VocabularyBuilder())[0][0]


def test_numbers_of_rules_do_not_depend_on_threads(tmp_path: Path) -> None:
    bitext = long_text(60)
    both(bitext, tmp_path, RuleOptions(storage="on-demand", sample=5), kind="hiero")
    stores = []
    for threads in (1, *[3] * 30):  # what one thread adds while others read is rarely seen
        rules = Rules.open(tmp_path / "index", _core.VocabularyBuilder().finish())
        rules.store.prepare(corpus_of(bitext), 0, threads)
        stores = [*stores[:1], rules.store]
    assert len(stores[0]) == len(stores[1]) > 1000
    for rule in range(len(stores[0])):
        assert stores[0].target(rule) == stores[1].target(rule)
        assert stores[0].scores(rule) == stores[1].scores(rule)


def test_index_does_not_depend_on_threads(tmp_path: Path) -> None:
    for threads in (1, 3):
        (tmp_path / str(threads)).mkdir()
        both(long_text(100), tmp_path / str(threads), complete(), threads=threads, kind="hiero")
    one, three = ((tmp_path / str(n) / "index").read_bytes() for n in (1, 3))
    assert one == three


def test_span_limit(tmp_path: Path) -> None:
    """Longer spans than a search may use are not looked for, until another search asks for them."""
    bitext = texts(("a c b", "x z y", "0-0 1-1 2-2"))
    table, ours = both(bitext, tmp_path, complete(), kind="hiero")
    words = np.array([ours.vocabulary.find(word) for word in "a c c c b".split()], np.int32)
    sentence = _core.Corpus(np.array([0, len(words)], np.int64), words)

    def gapped() -> int:
        node = ours.store.child(ours.store.child(0, words[0]), -1)
        return ours.store.child(node, words[-1])

    ours.store.prepare(sentence, 4, 1)
    assert gapped() == 0
    ours.store.prepare(sentence, 5, 1)
    begin, end = ours.store.rules(gapped())
    assert end - begin == len(table.find("a [X,1] b")) == 1


class TestSampling:
    SAMPLE = 30

    def rules(self, folder: Path, seed: int = 1) -> tuple[Rules, Rules]:
        options = RuleOptions(storage="on-demand", sample=self.SAMPLE, sample_seed=seed)
        return both(long_text(300, sets=1), folder, options, kind="hiero")

    @pytest.mark.parametrize("source", ["s0", "s0 [X,1]", "[X,1] s0", "s0 [X,1] s1"])
    def test_frequent_patterns_are_estimates(self, tmp_path: Path, source: str) -> None:
        table, ours = self.rules(tmp_path)
        wanted = {rule.target: rule for rule in table.find(source)}
        found = ours.find(source)
        assert 0 < len(found) < len(wanted)
        assert {rule.target for rule in found} <= set(wanted)
        assert all(rule.scores["source_given_target"] <= 0 for rule in found)
        probabilities = [math.exp(rule.scores["target_given_source"]) for rule in found]
        assert sum(probabilities) == pytest.approx(1)

    def test_rare_patterns_are_exact(self, tmp_path: Path) -> None:
        table, ours = self.rules(tmp_path)
        rare = {
            source: rules
            for source, rules in by_source(table).items()
            if source.startswith("s") and source.count("[X") == 2
        }
        exact = [source for source in rare if ours.find(source) == rare[source]]
        assert len(exact) > len(rare) / 2 > 100

    def test_same_seed_same_rules(self, tmp_path: Path) -> None:
        for name in ("a", "b", "c"):
            (tmp_path / name).mkdir()
        a, b = (self.rules(tmp_path / name)[1] for name in ("a", "b"))
        other = self.rules(tmp_path / "c", seed=2)[1]
        source = "s0 [X,1] s1"
        b.find("s1 s0")  # the sample of a pattern does not depend on what was asked before
        assert a.find(source) == b.find(source) != other.find(source)


def test_what_is_not_looked_for_is_refused() -> None:
    with pytest.raises(InputError, match="--adjacent-gaps with --rules on-demand"):
        complete(adjacent_gaps=True).native("hiero", 1)


def test_phrases_and_hiero_do_not_mix(tmp_path: Path) -> None:
    paths = []
    for kind in ("phrase", "hiero"):
        (tmp_path / kind).mkdir()
        both(long_text(5), tmp_path / kind, complete(), kind=kind)  # type: ignore[arg-type]
        paths.append(tmp_path / kind / "index")
    with pytest.raises(ModelError, match="other settings"):
        Rules.open(paths[0], _core.VocabularyBuilder().finish(), added=paths[1:])


def test_damaged_index_is_refused(tmp_path: Path) -> None:
    _, ours = both(long_text(20), tmp_path, complete(), kind="hiero")
    data = bytearray((tmp_path / "index").read_bytes())
    for place in range(200, len(data), max(1, len(data) // 40)):
        changed = bytearray(data)
        changed[place] ^= 1
        (tmp_path / "changed").write_bytes(changed)
        with pytest.raises(Exception, match="changed"):
            Rules.open(tmp_path / "changed", ours.vocabulary)


def source_count(rules: Rules, source: str) -> float:
    """The count of a source side that was asked for."""
    node = 0
    for symbol in source.split():
        node = rules.store.child(node, -1 if symbol == "[X,1]" else rules.vocabulary.find(symbol))
    return rules.store.source_count(node)


def test_few_of_many_occurrences_are_looked_at(tmp_path: Path) -> None:
    """With a tiny sample not all occurrences of a frequent word are searched for another one."""
    bitext, options = long_text(400, sets=1), RuleOptions(storage="on-demand", sample=3)
    table, ours = both(bitext, tmp_path, options, kind="hiero")
    counts = []
    for words in ((i, j) for i in range(4) for j in range(4)):
        source = f"s{words[0]} [X,1] s{words[1]}"
        assert sum(one.source.count(f"s{words[0]}") for one in bitext[0]) > 64 * options.sample
        found, wanted = ours.find(source), table.find(source)
        assert {rule.target for rule in found} <= {rule.target for rule in wanted}
        assert all(rule.scores["source_given_target"] <= 0 for rule in found)
        counts.append((source_count(ours, source), source_count(table, source)))
    estimate, exact = map(sum, zip(*counts, strict=True))
    assert exact / 3 < estimate < 3 * exact
