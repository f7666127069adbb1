"""Compound splitting against enumeration, the two forms of split text, and joining."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.errors import FormatError, InputError
from demotic.text.case import capitalized
from demotic.text.compound_links import links_of
from demotic.text.compound_words import JOIN, CompoundWords, is_marked
from demotic.text.compounds import (
    MAX_PARTS,
    MIN_COUNT,
    MIN_LETTERS,
    CompoundCounts,
    CompoundSplitter,
)
from demotic.text.pairs import Pair
from demotic.text.preparation import Preparation, PrepareOptions
from demotic.text.prepare import prepare
from demotic.text.sentence_starts import doubtful_starts
from tests.oracle import compounds as oracle

COUNTS = {
    "Aktion": 40, "Plan": 90, "Fußball": 50, "Spieler": 60, "Mannschaft": 9, "dunkel": 20,
    "blau": 30, "Schule": 12, "Hund": 30, "Buch": 20, "Leine": 8, "Freitag": 500, "frei": 80,
    "Weltmeister": 7, "Welt": 9, "Meister": 8, "über": 90, "Tag": 90, "des": 900, "Handball": 10,
}  # fmt: skip
GERMAN = CompoundSplitter("de", COUNTS)
WORDS = st.sampled_from([*COUNTS, "und", "WM", "Fußballspieler", ".", "3", "-", "İstanbul", "ﬁx"])


def words(text: str, language: str = "de") -> list[str]:
    splitter = GERMAN if language == "de" else CompoundSplitter(language, COUNTS)
    return CompoundWords(splitter, "words").split(text.split())


def marked(text: str) -> str:
    return " ".join(CompoundWords(GERMAN, "marked").split(text.split()))


def joined(text: str) -> str:
    return " ".join(CompoundWords(GERMAN, "marked").join(text.split()))


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("Fußballspieler", "Fußball Spieler"),
        ("Aktionsplan", "Aktion Plan"),  # a linking element
        ("Schulbuch", "Schule Buch"),  # a lost ending
        ("Hundeleine", "Hund Leine"),
        ("dunkelblau", "dunkel blau"),
        ("Fußballspielerbuch", "Fußball Spieler Buch"),
        ("Fußball-Spieler", "Fußball Spieler"),
        ("Weltmeister", "Welt Meister"),  # its parts are more frequent
        ("Freitag", ""),  # more frequent than its parts
        ("Planbuch-3", ""),
        ("FUSSBALLSPIELER", ""),
        ("Fußballs", ""),
        ("fußballdes", ""),  # an ending that looks like a word
        ("", ""),
        ("Plan-", ""),
        ("-Plan-Buch", ""),
    ],
)
def test_parts_of_a_word(word: str, parts: str) -> None:
    found = GERMAN.split(word)
    assert " ".join(part.word for part in found) == parts
    assert "".join(word[part.begin : part.end] for part in found) == (word if parts else "")


def test_a_word_more_frequent_than_its_parts_is_left_whole() -> None:
    counts = {"Fußball": 10, "Spieler": 10, "Fußballspieler": 10}
    assert CompoundSplitter("de", counts).split("Fußballspieler") == ()
    assert len(CompoundSplitter("de", counts | {"Spieler": 11}).split("Fußballspieler")) == 2


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**9))
def test_the_best_division_is_found(seed: int) -> None:
    rng = random.Random(seed)
    some = {"".join(rng.choices("abes", k=rng.randint(3, 7))) for _ in range(12)}
    counts = {word: rng.randint(1, 50) for word in sorted(some)}
    word = "".join(rng.choices(sorted(some), k=rng.randint(1, 3)))
    if rng.random() < 0.5:
        word = rng.choice(["s", "es", "-", ""]).join([word, rng.choice(sorted(some))])
    splitter, word = CompoundSplitter("de", counts), word[:14]
    usable = {one: count for one, count in counts.items() if count >= MIN_COUNT}
    best = oracle.best_mean(word, usable, links_of("de"), MIN_LETTERS, MAX_PARTS)
    found = splitter.split(word)
    whole = counts.get(word, 1)
    if best is None or best < whole * (1 - 1e-9):
        assert found == ()
    elif best > whole * (1 + 1e-9):
        pieces = [word[part.begin : part.end] for part in found]
        mean = oracle.mean(pieces, usable, links_of("de"), MIN_LETTERS)
        assert mean == pytest.approx(best)


def test_capitals_are_names_in_most_languages() -> None:
    assert words("das Fußballspieler") == ["das", "Fußball Spieler"]
    assert words("het Fußballspieler", "nl") == ["het", "Fußballspieler"]
    assert words("het fußballspieler", "nl") == ["het", "Fußball Spieler"]
    assert words("Fußballspieler", "nl") == ["Fußball Spieler"]  # a sentence start


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("der Fußballspieler .", "der fußball￭ Spieler ."),
        ("ein Aktionsplan", "ein aktions￭ Plan"),
        ("ein dunkelblaues dunkelblau", "ein dunkelblaues dunkel￭ blau"),
        ("der Fußball-Spieler", "der Fußball-￭ Spieler"),
        ("der Fußball-Aktionsplan", "der Fußball-￭ aktions￭ Plan"),
        ("Dunkelblau ist", "dunkel￭ blau ist"),  # as true-casing does
    ],
)
def test_marked_parts(text: str, expected: str) -> None:
    assert marked(text) == expected
    assert joined(expected).lower() == text.lower()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ein fußball￭ .", "ein Fußball ."),  # nothing to join it to
        ("fußball￭", "Fußball"),
        ("aktions￭ 3", "aktions 3"),
        ("fußball￭ und Handball￭ Spieler", "Fußball- und Handballspieler"),
        ("Fußball-￭ und Handball", "Fußball- und Handball"),
        ("fußball￭ WM", "Fußball-WM"),
        ("fußball￭ spieler￭ .", "Fußballspieler ."),
        ("fußball￭ blau", "fußballblau"),
        ("￭ und ￭￭", "￭ und ￭￭"),  # signs of the text
        ("a￭￭ b", "ab"),
        ("", ""),
    ],
)
def test_parts_at_odd_places(text: str, expected: str) -> None:
    assert joined(text) == expected


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(WORDS, st.booleans()), max_size=9))
def test_no_mark_is_left(tokens: list[tuple[str, bool]]) -> None:
    compounds = CompoundWords(GERMAN, "marked")
    text = [word + JOIN if marks else word for word, marks in tokens]
    found = compounds.join(text)
    assert not any(map(is_marked, found))
    assert all(found)
    spans = compounds.spans(text)
    assert [place for span in spans for place in range(*span)] == list(range(len(text)))
    assert len(spans) == len(found)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(WORDS, min_size=1, max_size=3), min_size=1, max_size=6))
def test_split_text_is_joined_again(tokens: list[list[str]]) -> None:
    text = ["x", *(one[0] + "".join(one[1:]).lower() for one in tokens)]
    starts = set(doubtful_starts(text, "de"))
    for truecases in (True, False):
        compounds = CompoundWords(GERMAN, "marked", truecases=truecases)
        found = compounds.join(" ".join(compounds.split(text)).split(" "))
        for i, (word, expected) in enumerate(zip(found, text, strict=True)):
            assert word == expected or (truecases and i in starts)
            assert capitalized(word, "de") == capitalized(expected, "de")


def test_learning(tmp_path: Path) -> None:
    counts = CompoundCounts("de")
    for _ in range(MIN_COUNT):
        counts.observe("Fußball ist Fußball , der Spieler und DER Plan".split())
    counts.observe("ein Fußballspieler mit einer Seltenheit 12345".split())
    counts.model().save(tmp_path / "table")
    assert (
        tmp_path / "table"
    ).read_text() == "Fußball\t6\nder\t6\nPlan\t3\nSpieler\t3\nist\t3\nund\t3\n"
    again = CompoundSplitter.load(tmp_path / "table", "de")
    assert [part.word for part in again.split("Fußballspieler")] == ["Fußball", "Spieler"]
    (tmp_path / "table").write_text("Fußball\tviele\n")
    with pytest.raises(FormatError, match="a new word, a tab and a count"):
        CompoundSplitter.load(tmp_path / "table", "de")


def forms(source: str, target: str, **options: str) -> tuple[str | None, ...]:
    chosen = PrepareOptions(**options)  # type: ignore[arg-type]
    return tuple(side.compound_form for side in Preparation.begin(chosen, source, target).sides)


def test_which_sides_are_split() -> None:
    assert forms("de", "en") == ("words", None)
    assert forms("en", "de") == (None, None)
    assert forms("en", "de", compounds="on") == (None, "marked")
    assert forms("de", "nl", compounds="on", target_compounds="off") == ("words", None)
    assert forms("de-AT", "sv", target_compounds="on") == ("words", "marked")
    assert forms("de", "en", compounds="off") == (None, None)
    assert forms("de", "en", tokenizer="none") == (None, None)
    assert forms("de", "") == (None,)
    assert forms("de", "", compounds="on") == ("words",)
    with pytest.raises(InputError, match="compounds of zh and en"):
        forms("zh", "en", compounds="on")


@pytest.mark.parametrize("case", ["true", "lower", "none"])
def test_prepared_text_is_restored(tmp_path: Path, case: str) -> None:
    lines = [
        "Der Fußball ist alt, der Fußball und sein Spieler.",
        "Ein Spieler & ein Plan!",
        "Die Mannschaft hat einen Plan.",
        "Das Spielerplan￭ ist ein Fußballspieler-Plan, der Fußballspieler.",
    ]
    options = PrepareOptions(tokenizer="builtin", case=case, compounds="on")  # type: ignore[arg-type]
    pairs = [Pair(line, line, "here", i) for i, line in enumerate(lines * 3, 1)]
    prepare(pairs, options, "en", "de", tmp_path)
    text = (tmp_path / "corpus.de").read_text().splitlines()[:4]
    assert text[3].lower().count(JOIN) == 4  # not that of the text
    preparation = Preparation.load(tmp_path)
    for raw, line in zip(lines, text, strict=True):
        assert preparation.target(raw) == line
        restored, expected = preparation.restore(line), raw.replace(JOIN, " ■")
        lower = case == "lower"
        assert restored.lower() == expected.lower() if lower else restored == expected


def test_text_prepared_before_compounds_were_known(tmp_path: Path) -> None:
    options = PrepareOptions(tokenizer="builtin", case="lower", compounds="off")
    prepare([Pair("Ein Fußballspieler", "a", "here", 1)], options, "de", "en", tmp_path)
    path = tmp_path / "preparation.toml"
    lines = [line for line in path.read_text().splitlines() if "compounds" not in line]
    path.write_text("\n".join(lines))
    assert Preparation.load(tmp_path).source("Ein Fußballspieler") == "ein fußballspieler"


def test_the_memory_of_words_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("demotic.text.compounds._MAX_KNOWN", 3)
    splitter = CompoundSplitter("de", {"Aktion": 40, "Plan": 90})
    expected = splitter.split("Aktionsplan")
    for i in range(10):
        splitter.split("Aktions" + "plan" * (i + 1))
        assert len(splitter._known) <= 3
    assert splitter.split("Aktionsplan") == expected != ()
