"""Texts with many unknown words: how many, and the likely reason."""

from __future__ import annotations

import pytest

from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.search.unknowns import KnownWords, unknown_words
from tests.search.small_models import pairs, prepared_model, token_model

CHINESE = ["我 喜欢 红色 的 苹果 。", "他 喜欢 绿色 的 书 。", "我 看见 他 的 苹果 。"] * 4
ENGLISH = ["i like red apples .", "he likes green books .", "i see his apples ."] * 4


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Model]:
    folder = tmp_path_factory.mktemp("models")
    for name, lines in (("c.zh", CHINESE), ("c.en", ENGLISH)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    chinese = BuildOptions(source=folder / "c.zh", target=folder / "c.en")
    return {
        "raw": prepared_model(folder),
        "tokens": token_model(folder),
        "chinese": build(chinese, folder / "chinese").model,
    }


GERMAN = [source for source, _ in pairs()]
TOKENS = [line.lower().replace(".", " .") for line in GERMAN]
TARGETS = [target.lower().replace(".", " .") for _, target in pairs()]


def test_known_words_by_side(models: dict[str, Model]) -> None:
    known = KnownWords(models["tokens"])
    assert known.source("haus")
    assert not known.source("house")
    assert not known.source("Haus")
    assert known.target("house")
    assert not known.target("haus")
    assert KnownWords(models["chinese"]).script("source") == "Han"
    assert KnownWords(models["chinese"]).script("target") == "Latin"


@pytest.mark.parametrize(
    ("name", "side", "lines", "reason", "words"),
    [
        ("tokens", "source", GERMAN, "raw", "('klein.' is unknown, 'klein' is known)"),
        ("tokens", "source", [line.upper() for line in TOKENS], "case", "'DAS' is unknown"),
        ("tokens", "source", TARGETS, "swapped", "the model's target side, not of its source side"),
        ("tokens", "target", TOKENS, "swapped", "the model's source side, not of its target side"),
        ("tokens", "source", CHINESE, "script", "its script is Han, that of the model's source si"),
        ("tokens", "source", ["kot pies dom okno"] * 9, "other", "language, or from another"),
        (
            "chinese",
            "source",
            [line.replace(" ", "") for line in CHINESE],
            "unsegmented",
            "('我喜欢红色的苹果。' is unknown, '我 喜欢 红色 的 苹果 。' is known)",
        ),
        ("chinese", "source", TOKENS, "script", "its script is Latin, that of the model's source"),
        ("chinese", "source", ENGLISH, "swapped", "source and target are swapped"),
    ],
)
def test_reasons(
    models: dict[str, Model], name: str, side: str, lines: list[str], reason: str, words: str
) -> None:
    found = unknown_words(models[name], lines, side)  # type: ignore[arg-type]
    assert found.should_warn
    assert found.reason == reason
    assert words in found.text


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("tokens", TOKENS),
        ("chinese", CHINESE),
        ("tokens", ["das haus ist rot .", "das buch ist neu ."] * 5),  # some new words
        ("tokens", []),
        ("tokens", ["", " "]),
        ("tokens", ["unbekannt"]),
        ("tokens", ["unbekannt haus"]),
        ("tokens", ["karl müller ist hier"]),
    ],
)
def test_no_alarm(models: dict[str, Model], name: str, lines: list[str]) -> None:
    assert not unknown_words(models[name], lines).should_warn


def test_references(models: dict[str, Model]) -> None:
    assert not unknown_words(models["tokens"], TARGETS, "target").should_warn
    raw = unknown_words(models["tokens"], [target for _, target in pairs()], "target")
    assert (raw.should_warn, raw.reason) == (True, "raw")


def test_few_unknown_words_alarm_if_the_reason_is_clear(models: dict[str, Model]) -> None:
    """In raw lowercased text only the last word of a sentence is unknown."""
    lines = [line.replace(" .", ".") for line in TOKENS]
    found = unknown_words(models["tokens"], lines)
    assert found.share < 0.5
    assert (found.should_warn, found.reason) == (True, "raw")


def test_what_to_do(models: dict[str, Model]) -> None:
    assert "omit --tokenized" in unknown_words(models["raw"], GERMAN).text
    assert "prepare it like the text of the model" in unknown_words(models["tokens"], GERMAN).text


def test_a_single_sentence(models: dict[str, Model]) -> None:
    assert unknown_words(models["tokens"], ["das house is"]).should_warn  # the reason is clear
    assert unknown_words(
        models["tokens"], ["kot pies dom ."]
    ).should_warn  # almost all words are unknown


def test_long_texts_are_sampled(models: dict[str, Model]) -> None:
    found = unknown_words(models["tokens"], TOKENS * 100)
    assert found.sentences == 2000


def test_numbers(models: dict[str, Model]) -> None:
    found = unknown_words(models["tokens"], ["das Haus ist klein.", "", "heute"])
    assert (found.words, found.unknown, found.sentences, found.affected) == (5, 2, 2, 1)
