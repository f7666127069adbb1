"""Rule tables: what is read is what was written, and every malformed line is named."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic._core import RuleStore, VocabularyBuilder
from demotic.errors import Error, FormatError, ModelError
from demotic.formats.tables import (
    ReorderingFile,
    TableFile,
    TableKind,
    read_tables,
    write_reordering,
    write_table,
)
from demotic.rules import Rules

PHRASE_A = "a ||| x ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| 2 1 1"
HIERO_A = "[X][X] de [X] ||| of [X][X] [X] ||| 0.5 ||| 0-1"
SCFG_A = "[X] ||| a [X,1] ||| [X,1] b ||| F=1"
ORIENTATIONS = ("reordering_backward_monotone", "reordering_backward_swap")


def read(
    folder: Path,
    text: str,
    kind: TableKind,
    *,
    reordering: str | None = None,
    duplicates: str = "refuse",
    scores: int = 0,
) -> Rules:
    table = folder / "table"
    table.write_text(text, encoding="utf-8")
    extra = []
    if reordering is not None:
        (folder / "reordering").write_text(reordering, encoding="utf-8")
        extra.append(ReorderingFile(folder / "reordering", ORIENTATIONS))
    vocabulary = VocabularyBuilder()
    read_tables(
        [TableFile(table, kind, "score_", scores)],
        vocabulary,
        folder / "rules.bin",
        reordering=extra,
        duplicates=duplicates,  # type: ignore[arg-type]
    )
    return Rules.open(folder / "rules.bin", vocabulary.finish())


def logs(*values: float) -> list[float]:
    return [struct.unpack("f", struct.pack("f", math.log(value)))[0] for value in values]


MALFORMED = {
    "two fields": ("moses_phrases", "a ||| x", "2 fields"),
    "nine fields": ("moses_phrases", " ||| ".join("a x 1 0-0 1 f k l m".split()), "8 fields"),
    "no scores": ("moses_phrases", "a ||| x ||| ", "no scores"),
    "too few scores": ("moses_phrases", "a ||| z ||| 0.5 0.5 0.5", "3 scores; expected 4"),
    "NaN": ("moses_phrases", "a ||| z ||| 0.5 nan 0.5 0.5", "'nan'; expected a finite number"),
    "infinite": ("moses_phrases", "a ||| z ||| 0.5 inf 0.5 0.5", "'inf'; expected a finite"),
    "too large": ("moses_phrases", "a ||| z ||| 0.5 1e40 0.5 0.5", "'1e40'"),
    "far too large": ("moses_phrases", "a ||| z ||| 0.5 1e400 0.5 0.5", "'1e400'"),
    "negative": ("moses_phrases", "a ||| z ||| -0.5 1 0.5 0.5", "expected a probability"),
    "no number": ("moses_phrases", "a ||| z ||| 0.5x 1 0.5 0.5", "'0.5x'; expected a number"),
    "no source": ("moses_phrases", " ||| z ||| 1 1 1 1", "an empty source side"),
    "link without dash": ("moses_phrases", "a ||| z ||| 1 1 1 1 ||| 00", "the link '00'"),
    "link outside": ("moses_phrases", "a ||| z ||| 1 1 1 1 ||| 0-1", "the link '0-1' in a rule"),
    "negative count": ("moses_phrases", "a ||| z ||| 1 1 1 1 ||| ||| -1 2 3", "the count -1"),
    "sparse without value": ("moses_phrases", "a ||| z ||| 1 1 1 1 ||| ||| ||| f", "feature f"),
    "long side": ("moses_phrases", "a " * 256 + "||| z ||| 1 1 1 1", "a side of 256 words"),
    "empty line": ("moses_phrases", "", "1 fields"),
    "no left-hand side": ("moses_hiero", "[X][X] de ||| of [X][X] [X] ||| 1 ||| 0-1", "'de' as"),
    "unlinked gap": ("moses_hiero", "[X][X] un [X] ||| of [X][X] [X] ||| 1", "at position 0"),
    "wrong label": (
        "moses_hiero",
        "[X][A] un [X] ||| of [X][B] [X] ||| 1 ||| 0-1",
        "not linked to one of the same name",
    ),
    "word to gap": (
        "moses_hiero",
        "[X][X] un [X] ||| of [X][X] [X] ||| 1 ||| 0-1 1-1",
        "from a word to a nonterminal",
    ),
    "one-sided gap": ("moses_hiero", "[X][X] [X] ||| of [X] ||| 1 ||| 0-0", "1 nonterminals on"),
    "bad left-hand side": ("scfg", "X ||| a ||| b ||| F=1", "as left-hand side"),
    "gap without number": ("scfg", "[X] ||| a [X] ||| [X] ||| F=1", "'[X]'"),
    "gap with number 0": ("scfg", "[X] ||| a [X,0] ||| [X,0] ||| F=1", "'[X,0]'"),
    "unknown gap": ("scfg", "[X] ||| a [X,1] ||| [2] ||| F=1", "'[2]' on the target side"),
    "gap used twice": ("scfg", "[X] ||| a [X,1] ||| [1] [1] ||| F=1", "'[1]' on the target"),
    "gap missing": ("scfg", "[X] ||| a [X,1] ||| b ||| F=1", "missing on the target side"),
    "renamed gap": ("scfg", "[X] ||| a [X,1] ||| [Y,1] ||| F=1", "'[Y,1]' on the target"),
    "same number twice": ("scfg", "[X] ||| [X,1] [X,1] ||| [1] [1] ||| F=1", "the number 1"),
    "three gaps": ("scfg", "[X] ||| [X,1] [X,2] [X,3] ||| [1] [2] [3] |||", "3 nonterminals"),
    "feature twice": ("scfg", "[X] ||| a ||| b ||| F=1 F=2", "the feature F twice"),
    "NaN feature": ("scfg", "[X] ||| a ||| b ||| F=nan", "'nan'"),
    "six fields": ("scfg", "[X] ||| a ||| b ||| F=1 ||| 0-0 ||| 7", "6 fields"),
}
GOOD = {"moses_phrases": PHRASE_A, "moses_hiero": HIERO_A, "scfg": SCFG_A}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_line_is_named(name: str, tmp_path: Path) -> None:
    kind, line, found = MALFORMED[name]
    with pytest.raises(FormatError) as caught:
        read(tmp_path, f"{GOOD[kind]}\n{line}\n", kind)  # type: ignore[arg-type]
    assert caught.value.line == 2
    assert caught.value.path == str(tmp_path / "table")
    assert found in str(caught.value)
    assert not (tmp_path / "rules.bin").exists()


def test_number_of_scores_can_be_asked_for(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="line 1: 4 scores; expected 5"):
        read(tmp_path, PHRASE_A, "moses_phrases", scores=5)


def test_phrases_are_read_field_by_field(tmp_path: Path) -> None:
    text = (
        "b ||| y ||| 0 1e-400 1 2.718\n"
        "a b ||| x y ||| .25 0.5 1 1 ||| 1-0 0-1 ||| 4 3 2.5 ||| s 2\n"
    )
    first, second = read(tmp_path, text, "moses_phrases")
    assert (first.source, first.target) == (("b",), ("y",))
    assert list(first.scores.values()) == [-100, -100, 0, *logs(2.718), 0]
    assert (second.source, second.target, second.links) == (
        ("a", "b"),
        ("x", "y"),
        ((0, 1), (1, 0)),
    )
    assert list(second.scores.values()) == [*logs(0.25, 0.5), 0, 0, 2]
    assert list(second.scores)[2:] == ["target_given_source", "lexical_target_given_source", "s"]


def test_counts_are_kept(tmp_path: Path) -> None:
    text = "a ||| x ||| 1 ||| ||| 4 3 2.5\na ||| y ||| 1 ||| ||| 5 3\nb ||| z ||| 1\n"
    rules = read(tmp_path, text, "moses_phrases")
    store = rules.store
    assert [store.count(rule) for rule in range(3)] == [2.5, 0, 1]
    assert [store.target_count(rule) for rule in range(3)] == [4, 5, 0]
    assert [store.source_count(node) for node in (1, 2)] == [3, 0]
    write_table(store, rules.vocabulary, tmp_path / "again", "moses_phrases")
    assert (tmp_path / "again").read_text().splitlines() == [
        "a ||| x ||| 1 ||| ||| 4 3 2.5",
        "a ||| y ||| 1 ||| ||| 5 3",
        "b ||| z ||| 1",
    ]


def test_gaps_of_scfg_follow_their_numbers(tmp_path: Path) -> None:
    text = "# comment\n\n[S] ||| [NP,2] v [PP,1] ||| [1] w [NP,2] ||| -0.5 Name=2 1e-3 ||| 1-1\n"
    (rule,) = read(tmp_path, text, "scfg")
    assert rule.lhs == "S"
    assert rule.source == ("[NP,1]", "v", "[PP,2]")
    assert rule.target == ("[PP,2]", "w", "[NP,1]")
    assert rule.links == ((0, 2), (1, 1), (2, 0))
    assert rule.scores == pytest.approx({"score_0": -0.5, "Name": 2, "score_1": 1e-3})


def test_moses_pairs_gaps_by_links(tmp_path: Path) -> None:
    text = "[X][A] v [X][B] [X] ||| [X][B] w [X][A] [S] ||| 1 ||| 0-2 1-1 2-0 ||| 1 1 1\n"
    rules = read(tmp_path, text, "moses_hiero")
    (rule,) = rules
    assert rule.lhs == "X][S"
    assert rule.source == ("[X][A,1]", "v", "[X][B,2]")
    assert rule.target == ("[X][B,2]", "w", "[X][A,1]")
    write_table(rules.store, rules.vocabulary, tmp_path / "again", "moses_hiero")
    assert (tmp_path / "again").read_text() == text


def test_duplicates_are_refused_or_replaced(tmp_path: Path) -> None:
    text = "a ||| x ||| 0.5\nb ||| y ||| 1\na ||| x ||| 0.25\n"
    with pytest.raises(FormatError, match="line 3: a rule that is also on line 1"):
        read(tmp_path, text, "moses_phrases")
    first, _ = read(tmp_path, text, "moses_phrases", duplicates="last")
    assert list(first.scores.values()) == logs(0.25)


def test_same_sides_with_another_left_hand_side_are_two_rules(tmp_path: Path) -> None:
    assert len(read(tmp_path, "[A] ||| a ||| b |||\n[B] ||| a ||| b |||\n", "scfg")) == 2


def test_reordering_joins_by_words(tmp_path: Path) -> None:
    table = "b ||| y ||| 1\na ||| x ||| 1\n"
    rules = read(
        tmp_path, table, "moses_phrases", reordering="a ||| x ||| 0.5 0.25\nc ||| z ||| 1 1\n"
    )
    scores = {rule.source: list(rule.scores.values())[1:] for rule in rules}
    assert scores == {("a",): logs(0.5, 0.25), ("b",): [0, 0]}
    write_reordering(rules.store, rules.vocabulary, tmp_path / "again")
    assert "a ||| x ||| 0.5 0.25" in (tmp_path / "again").read_text().splitlines()


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("a ||| x ||| 0.5", "1 probabilities; expected 2"),
        ("a ||| 0.5 0.5", "2 fields"),
        ("a ||| x ||| 0.5 nan", "'nan'"),
        ("b ||| y ||| 0.5 0.5", "an earlier line"),
    ],
)
def test_malformed_reordering_line_is_named(line: str, found: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="line 2") as caught:
        read(
            tmp_path,
            "b ||| y ||| 1\na ||| x ||| 1\n",
            "moses_phrases",
            reordering=f"b ||| y ||| 1 1\n{line}\n",
        )
    assert found in str(caught.value)


def test_too_many_feature_names_are_refused(tmp_path: Path) -> None:
    text = "".join(f"[X] ||| a{i} ||| b ||| F{i}=1\n" for i in range(1001))
    with pytest.raises(
        ModelError, match="more than 1000 different features, the last one being F1000"
    ):
        read(tmp_path, text, "scfg")


def test_words_that_look_like_structure_are_escaped(tmp_path: Path) -> None:
    rules = read(tmp_path, "[NN] [1,2] ||| [a]|b ||| 1\n", "moses_phrases")
    write_table(rules.store, rules.vocabulary, tmp_path / "grammar", "scfg")
    assert (tmp_path / "grammar").read_text() == "[X] ||| &#x5B;NN] &#x5B;1,2] ||| [a]|b\n"
    write_table(rules.store, rules.vocabulary, tmp_path / "phrases", "moses_phrases")
    assert (tmp_path / "phrases").read_text() == "[NN] [1,2] ||| [a]&#x7C;b ||| 1\n"


def test_foreign_vocabulary_is_refused(tmp_path: Path) -> None:
    rules = read(tmp_path, PHRASE_A, "moses_phrases")
    with pytest.raises(ModelError, match="a vocabulary of 3"):
        write_table(rules.store, VocabularyBuilder().finish(), tmp_path / "t", "moses_phrases")


def test_damaged_stores_are_refused(tmp_path: Path) -> None:
    read(tmp_path, PHRASE_A + "\n" + "b c ||| y ||| 1 1 1 1\n", "moses_phrases")
    good = (tmp_path / "rules.bin").read_bytes()
    broken = tmp_path / "broken.bin"
    for position in range(0, len(good), 7):
        broken.write_bytes(good[:position] + bytes([good[position] ^ 0x40]) + good[position + 1 :])
        with pytest.raises(Error):
            RuleStore.open(str(broken), True)
    for size in range(0, len(good), 61):
        broken.write_bytes(good[:size])
        with pytest.raises(Error):
            RuleStore.open(str(broken), True)


def test_other_kinds_of_container_are_refused(tmp_path: Path) -> None:
    VocabularyBuilder().finish().save(str(tmp_path / "vocabulary.bin"))
    with pytest.raises(ModelError):
        RuleStore.open(str(tmp_path / "vocabulary.bin"), True)


# Round trips

words = st.text(
    st.characters(codec="utf-8", exclude_categories=("Z", "C"), exclude_characters="|[]\u200b"),
    min_size=1,
    max_size=3,
)
# Nearer to 0 a double cannot hold the probability whose logarithm this is.
floats = st.floats(-80, 80, width=32).map(lambda x: 0.0 if abs(x) < 1e-8 else x)


@st.composite
def drawn_rules(draw: st.DrawFn, most_gaps: int, labels: list[str]) -> tuple[object, ...]:
    gaps = draw(st.lists(st.sampled_from(labels), max_size=most_gaps))
    source: list[object] = list(draw(st.lists(words, min_size=1, max_size=4)))
    for gap, label in enumerate(gaps):
        source.append((gap, label))
    target: list[object] = list(draw(st.lists(words, max_size=4)))
    for gap in draw(st.permutations(range(len(gaps)))):
        target.insert(draw(st.integers(0, len(target))), (gap, gaps[gap]))
    plain = [
        (i, j)
        for i, s in enumerate(source)
        for j, t in enumerate(target)
        if isinstance(s, str) and isinstance(t, str)
    ]
    links = set(draw(st.lists(st.sampled_from(plain), max_size=3)) if plain else [])
    for gap in range(len(gaps)):
        here = next(i for i, s in enumerate(source) if isinstance(s, tuple) and s[0] == gap)
        there = next(j for j, t in enumerate(target) if isinstance(t, tuple) and t[0] == gap)
        links.add((here, there))
    scores = tuple(draw(st.lists(floats, min_size=3, max_size=3)))
    return draw(st.sampled_from(labels)), tuple(source), tuple(target), tuple(sorted(links)), scores


def scfg_line(rule: tuple) -> str:  # type: ignore[type-arg]
    lhs, source, target, links, scores = rule
    spell = lambda s: s if isinstance(s, str) else f"[{s[1]},{s[0] + 1}]"  # noqa: E731
    features = " ".join(f"F{i}={score!r}" for i, score in enumerate(scores))
    shown = " ".join(f"{i}-{j}" for i, j in links if isinstance(source[i], str))
    return (
        f"[{lhs}] ||| {' '.join(map(spell, source))} ||| {' '.join(map(spell, target))} "
        f"||| {features} ||| {shown}"
    )


def unique(rules: list[tuple]) -> list[tuple]:  # type: ignore[type-arg]
    return list({rule[:3]: rule for rule in rules}.values())


def comparable(rules: Rules, *, named: bool) -> set[tuple[object, ...]]:
    """Grammars keep names and leave zeros out; Moses keeps values in their order."""
    return {
        (
            rule.lhs,
            rule.source,
            rule.target,
            rule.links,
            frozenset((name, value) for name, value in rule.scores.items() if value)
            if named
            else tuple(rule.scores.values()),
        )
        for rule in rules
    }


@pytest.mark.parametrize(
    ("kind", "gaps", "labels"),
    [
        ("scfg", 2, ["X", "S", "NP"]),
        ("moses_hiero", 2, ["X", "S", "NP"]),
        ("moses_phrases", 0, ["X"]),
    ],
)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_written_and_read_again_is_the_same(
    kind: TableKind,
    gaps: int,
    labels: list[str],
    data: st.DataObject,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    drawn = unique(data.draw(st.lists(drawn_rules(gaps, labels), min_size=1, max_size=8)))
    folder = tmp_path_factory.mktemp("rules")
    rules = read(folder, "\n".join(map(scfg_line, drawn)), "scfg")
    assert {(rule.lhs, rule.links, tuple(rule.scores.values())) for rule in rules} == {
        (lhs, links, scores) for lhs, _, _, links, scores in drawn
    }
    named = kind == "scfg"
    before = comparable(rules, named=named)
    write_table(rules.store, rules.vocabulary, folder / "written.gz", kind)
    vocabulary = VocabularyBuilder()
    read_tables([TableFile(folder / "written.gz", kind)], vocabulary, folder / "again.bin")
    again = Rules.open(folder / "again.bin", vocabulary.finish())
    assert comparable(again, named=named) == before
