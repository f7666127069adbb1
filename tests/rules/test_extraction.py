"""Extraction, counting and scoring equal the definitions on small random bitexts."""

from __future__ import annotations

import math
import struct
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import _core
from demotic.formats.tables import write_table
from demotic.rules import RuleOptions, Rules, extract
from tests.oracle import extraction as oracle

WORDS_S = ["a", "b", "c"]
WORDS_T = ["x", "y", "z", "a"]


@st.composite
def sentences(draw: st.DrawFn, longest: int = 6) -> oracle.Sentence:
    source = draw(st.lists(st.sampled_from(WORDS_S), max_size=longest))
    target = draw(st.lists(st.sampled_from(WORDS_T), max_size=longest))
    cells = [(i, j) for i in range(len(source)) for j in range(len(target))]
    links = draw(st.lists(st.sampled_from(cells), max_size=longest + 2)) if cells else []
    return oracle.Sentence(source, target, frozenset(links))


def lines(texts: list[str]) -> _core.Lines:
    result = _core.Lines()
    for text in texts:
        result.append(text)
    return result


def build(
    bitext: list[oracle.Sentence], path: Path, kind: str, options: RuleOptions, threads: int = 1
) -> tuple[Rules, _core.ExtractReport]:
    words = _core.VocabularyBuilder()
    sides = []
    for side in ("source", "target"):
        builder = _core.CorpusBuilder(words)
        builder.add(lines([" ".join(getattr(one, side)) for one in bitext]))
        sides.append(builder.finish())
    texts = [" ".join(f"{i}-{j}" for i, j in sorted(one.links)) for one in bitext]
    links = _core.Alignments.parse(lines(texts), "links")
    report = extract(*sides, links, path, kind=kind, options=options, threads=threads)
    return Rules.open(path, words.finish()), report


def expected(
    bitext: list[oracle.Sentence], extracted: list[list[oracle.Extracted]]
) -> dict[oracle.RuleText, dict[str, object]]:
    """Counts and scores of every rule, from the definitions."""
    places: dict[oracle.RuleText, list[tuple[int, oracle.Extracted]]] = defaultdict(list)
    for number, found in enumerate(extracted):
        for one in found:
            places[one.rule].append((number, one))
    counts = {rule: sum(one.weight for _, one in where) for rule, where in places.items()}
    lexicon = oracle.Lexicon.count(bitext)
    result: dict[oracle.RuleText, dict[str, object]] = {}
    for rule, where in places.items():
        by_links: dict[oracle.Links, float] = defaultdict(float)
        for _, one in where:
            by_links[one.links] += one.weight
        top = max(by_links.values())
        result[rule] = {
            "occurrences": len(where),
            "count": counts[rule],
            "only": where[0][0] if len(where) == 1 else -1,
            "s|t": counts[rule] / sum(n for r, n in counts.items() if r[1] == rule[1]),
            "t|s": counts[rule] / sum(n for r, n in counts.items() if r[0] == rule[0]),
            "links": {links: n for links, n in by_links.items() if n > top - 1e-6},
            "lexical": {links: lexicon.weigh(oracle.Extracted(rule, links)) for links in by_links},
            "orientation": [one.orientation for _, one in where],
        }
    return result


def plain(symbols: tuple[str, ...], side: str) -> tuple[str, ...]:
    if side == "source":
        return tuple("[X]" if s.startswith("[") else s for s in symbols)
    return tuple(f"[{s[3:-1]}]" if s.startswith("[") else s for s in symbols)


def compare(
    rules: Rules,
    truth: dict[oracle.RuleText, dict[str, object]],
    sides: int,
    family: str = "reordering",
) -> None:
    seen = set()
    for rule in rules:
        key = (plain(rule.source, "source"), plain(rule.target, "target"))
        assert key not in seen
        seen.add(key)
        wanted = truth[key]
        scores = rule.scores
        assert rule.occurrences == wanted["occurrences"]
        assert rule.count == pytest.approx(wanted["count"], rel=1e-6)
        assert rule.only_sentence == wanted["only"]
        assert math.exp(scores["source_given_target"]) == pytest.approx(wanted["s|t"], rel=1e-5)
        assert math.exp(scores["target_given_source"]) == pytest.approx(wanted["t|s"], rel=1e-5)
        links = frozenset(rule.links)
        assert links in wanted["links"]  # type: ignore[operator]
        assert rule.reordered == oracle.reordered(rule.source, rule.links)
        backward, forward = wanted["lexical"][links]  # type: ignore[index]
        assert math.exp(scores["lexical_source_given_target"]) == pytest.approx(backward, rel=1e-5)
        assert math.exp(scores["lexical_target_given_source"]) == pytest.approx(forward, rel=1e-5)
        for side, name in enumerate(("backward", "forward")[:sides]):
            total = rule.occurrences + 1.5
            for letter, word in zip("msd", ("monotone", "swap", "discontinuous"), strict=True):
                seen_so = sum(o[side] == letter for o in wanted["orientation"])  # type: ignore[attr-defined]
                score = math.exp(scores[f"{family}_{name}_{word}"])
                assert score == pytest.approx((seen_so + 0.5) / total, rel=1e-5)
    assert seen == set(truth)


@settings(max_examples=150, deadline=None)
@given(
    bitext=st.lists(sentences(), min_size=1, max_size=4),
    limit=st.integers(1, 6),
    tight=st.booleans(),
    reordering=st.sampled_from(["none", "backward", "bidirectional"]),
    orientation=st.sampled_from(["word", "hierarchical"]),
)
def test_phrases(
    tmp_path_factory: pytest.TempPathFactory,
    bitext: list[oracle.Sentence],
    limit: int,
    tight: bool,
    reordering: str,
    orientation: str,
) -> None:
    options = RuleOptions(
        max_phrase=limit, tight=tight, reordering=reordering, orientation=orientation
    )
    rules, report = build(bitext, tmp_path_factory.mktemp("r") / "rules", "phrase", options)
    blocks = orientation == "hierarchical"
    found = [oracle.phrases(one, limit, tight=tight, hierarchical=blocks) for one in bitext]
    assert report.occurrences == sum(map(len, found))
    sides = {"none": 0, "backward": 1, "bidirectional": 2}[reordering]
    family = "reordering_hierarchical" if blocks else "reordering"
    compare(rules, expected(bitext, found), sides, family)


@settings(max_examples=150, deadline=None)
@given(
    bitext=st.lists(sentences(5), min_size=1, max_size=3),
    limits=st.builds(
        oracle.HieroLimits,
        initial=st.integers(2, 6),
        symbols=st.integers(1, 5),
        gaps=st.integers(0, 2),
        min_gap=st.integers(1, 2),
        tight=st.booleans(),
        adjacent=st.booleans(),
        link=st.booleans(),
        share=st.booleans(),
    ),
)
def test_hiero(
    tmp_path_factory: pytest.TempPathFactory,
    bitext: list[oracle.Sentence],
    limits: oracle.HieroLimits,
) -> None:
    options = RuleOptions(
        max_initial=limits.initial,
        max_source_symbols=limits.symbols,
        max_gaps=limits.gaps,
        min_gap=limits.min_gap,
        tight=limits.tight,
        adjacent_gaps=limits.adjacent,
        require_link=limits.link,
        share_count=limits.share,
    )
    rules, report = build(bitext, tmp_path_factory.mktemp("r") / "rules", "hiero", options)
    found = [oracle.hiero(one, limits) for one in bitext]
    compare(rules, expected(bitext, found), 0)
    counts = report.distortion
    assert [counts.in_order, counts.reordered] == distortion(found)


def distortion(found: list[list[oracle.Extracted]]) -> list[list[int]]:
    counts = [[0] * 10 for _ in range(2)]
    for one in (one for rules in found for one in rules):
        for reordered, size in zip(one.reordered, one.gap_sizes, strict=True):
            counts[reordered][min(size, 10) - 1] += 1
    return counts


def long_bitext(number: int) -> list[oracle.Sentence]:
    """Sentences with many repeated words and a few crossing links, the same on every run."""
    bitext = []
    for n in range(number):
        source = [f"s{(n * 7 + i * i) % 11}" for i in range(3 + n % 9)]
        target = [f"t{(n * 5 + i * 3) % 13}" for i in range(3 + n % 7)]
        size = min(len(source), len(target))
        links = {(i, size - 1 - i if n % 3 == 0 else i) for i in range(size) if (n + i) % 5}
        bitext.append(oracle.Sentence(source, target, frozenset(links)))
    return bitext


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
def test_threads_and_memory_change_nothing(tmp_path: Path, kind: str) -> None:
    bitext = long_bitext(400)
    plain_file, other = tmp_path / "one", tmp_path / "other"
    build(bitext, plain_file, kind, RuleOptions())
    build(bitext, other, kind, RuleOptions(memory=40_000), threads=4)
    assert plain_file.read_bytes() == other.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["one", "other"]


def test_min_count_removes_rules_but_not_their_counts(tmp_path: Path) -> None:
    bitext = long_bitext(60)
    every, _ = build(bitext, tmp_path / "all", "phrase", RuleOptions())
    frequent, report = build(bitext, tmp_path / "some", "phrase", RuleOptions(min_count=3))
    kept = {
        (r.source, r.target): r.scores
        for r in every
        if r.occurrences >= 3 or len(r.source) == len(r.target) == 1
    }
    assert {(r.source, r.target): r.scores for r in frequent} == kept
    assert 0 < report.removed == len(every) - len(kept)
    bare = RuleOptions(min_count=3, keep_word_pairs=False)
    strict, _ = build(bitext, tmp_path / "strict", "phrase", bare)
    assert all(r.occurrences >= 3 for r in strict)


def test_shared_counts_are_exported_and_cost_phrases_nothing(tmp_path: Path) -> None:
    one = oracle.Sentence(["a", "b"], ["x", "y"], frozenset({(0, 0), (1, 1)}))
    hiero, _ = build([one, one], tmp_path / "hiero", "hiero", RuleOptions())
    write_table(hiero.store, hiero.vocabulary, tmp_path / "table", "moses_hiero")
    counts = {}
    for line in (tmp_path / "table").read_text().splitlines():
        source, target, _, _, numbers = line.split(" ||| ")
        counts[source, target] = [float(n) for n in numbers.split()]
    third = pytest.approx(2 / 3)
    # "a b" is shared by three rules, "a" and "b" have one each, all of them twice.
    assert counts == {
        ("a [X]", "x [X]"): [2, 2, 2],
        ("b [X]", "y [X]"): [2, 2, 2],
        ("a b [X]", "x y [X]"): [third, third, third],
        ("a [X][X] [X]", "x [X][X] [X]"): [third, third, third],
        ("[X][X] b [X]", "[X][X] y [X]"): [third, third, third],
    }
    phrases, _ = build([one, one], tmp_path / "phrase", "phrase", RuleOptions())
    sizes = container_sections(tmp_path / "phrase")
    assert sizes["counts"] == sizes["source_counts"] == 0
    assert sizes["rules"] == len(phrases) * 4 * (3 + 10)
    alone = container_sections(tmp_path / "hiero")
    assert alone["counts"] == 4 * len(hiero)
    assert alone["source_counts"] == 0


def container_sections(path: Path) -> dict[str, int]:
    data = path.read_bytes()
    number, table = struct.unpack_from("<IQ", data, 36)
    rows = [struct.unpack_from("<16sQQII", data, table + 40 * i) for i in range(number)]
    return {row[0].rstrip(b"\0").decode(): row[2] for row in rows}


def test_links_outside_their_sentence_are_refused(tmp_path: Path) -> None:
    bad = oracle.Sentence(["a"], ["x"], frozenset({(0, 1)}))
    with pytest.raises(Exception, match="links line 1: link 0-1; expected positions inside"):
        build([bad], tmp_path / "rules", "phrase", RuleOptions())
    assert not list(tmp_path.iterdir())


def test_find_and_match(tmp_path: Path) -> None:
    one = oracle.Sentence("a b c".split(), "x y z".split(), frozenset({(0, 0), (1, 2), (2, 1)}))
    rules, _ = build([one], tmp_path / "rules", "hiero", RuleOptions())
    assert [str(r) for r in rules.find("a [X,1] c")] == ["[X] ||| a [X,1] c ||| x y [X,1]"]
    assert rules.find("b a") == []
    import numpy as np

    ids = np.array([rules.vocabulary.find(w) for w in "a b".split()], np.int32)
    spans = [(b, e) for b, e, _, _ in _core.match_phrases(rules.store, ids)]
    assert spans == [(0, 1), (1, 2)]
