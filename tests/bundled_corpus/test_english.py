"""English morphology: the forms that a rule gets wrong and a reader notices."""

from __future__ import annotations

import pytest

from bundled_corpus import english


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("book", "books"), ("box", "boxes"), ("story", "stories"), ("toy", "toys"),
        ("child", "children"), ("policeman", "policemen"), ("sheep", "sheep"),
        ("watch", "watches"), ("potato", "potatoes"), ("photo", "photos"),
        ("steamed bun", "steamed buns"), ("bookshelf", "bookshelves"),
    ],
)  # fmt: skip
def test_plural(noun: str, expected: str) -> None:
    assert english.plural(noun) == expected


@pytest.mark.parametrize(
    ("verb", "third", "past", "participle", "gerund"),
    [
        ("go", "goes", "went", "gone", "going"),
        ("study", "studies", "studied", "studied", "studying"),
        ("play", "plays", "played", "played", "playing"),
        ("watch", "watches", "watched", "watched", "watching"),
        ("write", "writes", "wrote", "written", "writing"),
        ("swim", "swims", "swam", "swum", "swimming"),
        ("plan", "plans", "planned", "planned", "planning"),
        ("lie", "lies", "lay", "lain", "lying"),
        ("be", "is", "was", "been", "being"),
        ("have", "has", "had", "had", "having"),
        ("see", "sees", "saw", "seen", "seeing"),
        ("travel", "travels", "traveled", "traveled", "traveling"),
        ("visit", "visits", "visited", "visited", "visiting"),
        ("tidy", "tidies", "tidied", "tidied", "tidying"),
    ],
)
def test_verb_forms(verb: str, third: str, past: str, participle: str, gerund: str) -> None:
    assert english.third_person(verb) == third
    assert english.past(verb) == past
    assert english.participle(verb) == participle
    assert english.gerund(verb) == gerund


@pytest.mark.parametrize(
    ("adjective", "comparative", "superlative"),
    [
        ("big", "bigger", "biggest"), ("happy", "happier", "happiest"),
        ("large", "larger", "largest"), ("interesting", "more interesting", "most interesting"),
        ("good", "better", "best"), ("far", "farther", "farthest"),
        ("simple", "simpler", "simplest"), ("famous", "more famous", "most famous"),
    ],
)  # fmt: skip
def test_comparison(adjective: str, comparative: str, superlative: str) -> None:
    assert english.comparative(adjective) == comparative
    assert english.superlative(adjective) == superlative


@pytest.mark.parametrize(
    ("following", "expected"),
    [
        ("apple", "an"), ("book", "a"), ("hour", "an"), ("university", "a"), ("umbrella", "an"),
        ("8", "an"), ("80", "an"), ("10", "a"), ("18", "an"), ("old", "an"), ("one", "a"),
    ],
)  # fmt: skip
def test_article(following: str, expected: str) -> None:
    assert english.article("a", following) == expected
    assert english.article("the", following) == "the"


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("don't", ["don", "'t"]), ("John's", ["John", "'s"]), ("o'clock", ["o", "'clock"]),
        ("'s", ["'s"]), ("Mr.", ["Mr."]), ("book", ["book"]),
    ],
)  # fmt: skip
def test_clitics(word: str, pieces: list[str]) -> None:
    assert english.split_clitics(word) == pieces


@pytest.mark.parametrize(
    ("number", "expected"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (11, "11th"), (23, "23rd")]
)
def test_ordinal(number: int, expected: str) -> None:
    assert english.ordinal(number) == expected
