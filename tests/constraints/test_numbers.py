"""Times, dates and decimals of raw lines: whole, once each, with the decimal sign of the target."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.constraints.lines import LineConstraints
from demotic.constraints.numbers import NumberRule, decimal_sign
from demotic.constraints.tokens import Word
from demotic.explain import explain
from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.search.sentence import constraints_of
from demotic.text.pairs import Pair
from demotic.text.preparation import PrepareOptions
from demotic.text.prepare import prepare
from tests.search.small_models import prepared_model, token_model


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def model(request: pytest.FixtureRequest, home: Path) -> Model:
    return prepared_model(home / request.param, request.param)


@pytest.fixture(scope="module")
def chinese(home: Path) -> Model:
    pairs = [("他在这里。", "He is here."), ("我看书。", "I read the book."), ("米", "metre")] * 3
    texts = [Pair(source, target, "here", i) for i, (source, target) in enumerate(pairs, 1)]
    options = PrepareOptions(tokenizer="builtin", keep_all=True)
    prepare(texts, options, "zh", "en", home / "zh")
    source, target = (home / "zh" / f"corpus.{language}" for language in ("zh", "en"))
    return build(BuildOptions(source=source, target=target), home / "zh-en").model


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("um 12:30 Uhr am 24.12.2025.", ["12:30", "24.12.2025"]),
        ("2025-12-24, 24/12/2025; 1/2 (3,5%)", ["2025-12-24", "24/12/2025", "1/2", "3,5"]),
        ("-1.234,56 € und +3,2", ["-1.234,56", "+3,2"]),
        ("1'000 oder 1\u202f000\u00a0000,5", ["1'000", "1\u202f000\u00a0000,5"]),
        ("12:30-13:45 am 192.168.1.1", ["12:30-13:45", "192.168.1.1"]),
        ("晚上7:30在2025-12-24走了3.5米", ["7:30", "2025-12-24", "3.5"]),
        ("10月 3.5万 5 50% der 5. 2025", []),
        ("ein 2,5-km-Lauf, ISO-8859-1, a1.5, 97/2000/XP, 1.5x", []),
        ("von 1,5 bis 2,5.", ["1,5", "2,5"]),
    ],
)
def test_numbers_that_are_found(text: str, numbers: list[str]) -> None:
    rule = NumberRule("de", "fr")
    pieces = rule.cut(text)
    assert "".join(pieces) == text
    assert [str(one) for one in pieces if isinstance(one, Word)] == numbers
    assert rule.may_occur(text) or not numbers


@pytest.mark.parametrize(
    ("languages", "number", "written"),
    [
        ("de en", "3,5", "3.5"),
        ("de en", "1.234", "1,234"),
        ("de en", "-1.234.567,89", "-1,234,567.89"),
        ("fr en", "1\u202f234,5", "1,234.5"),
        ("de en", "24.12.2025", "24.12.2025"),
        ("de en", "12.30", "12.30"),
        ("de en", "192.168.100.200", "192.168.100.200"),
        ("de fr", "1.234,5", "1.234,5"),
        ("en de", "1,234.5", "1.234,5"),
        ("en de", "12,345", "12.345"),
        ("en de", "3.5", None),
        ("en de", "20.04.2025", "20.04.2025"),
        ("zh en", "3.5", "3.5"),
        ("es-MX en", "3.5", "3.5"),
        ("de-CH de", "1.5", None),
        ("tlh en", "3,5", None),
        ("tlh en", "12:30", "12:30"),
    ],
)
def test_how_they_are_written(languages: str, number: str, written: str | None) -> None:
    """None: the model translates it."""
    rule = NumberRule(*languages.split())
    assert any(isinstance(one, Word) for one in rule.cut(number)) == (written is not None)
    if written is not None:
        assert rule.written(number) == written


def test_decimal_signs() -> None:
    assert [decimal_sign(one) for one in ("de", "pt-BR", "en", "zh-Hant", "es-mx", "")] == [
        *(",", ",", ".", ".", "."),
        None,
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Das Haus ist 1.234,5.", "The house is 1,234.5."),
        ("Heute sehe ich 12:30.", "I see 12:30 today."),
        ("Das Buch ist 1/2.", "The book is 1/2."),
        ("Das Haus ist 3,5%.", "The house is 3.5%."),
        ("24/12/2025 ist alt.", "24/12/2025 is old."),
        ("Das Haus ist alt.", "The house is old."),
    ],
)
def test_lines(model: Model, line: str, expected: str) -> None:
    assert model.translate([line]) == [expected]


def test_tokens_are_left_to_the_model(home: Path) -> None:
    model = token_model(home)
    assert model.translate(["das haus ist 1/2 ."]) == ["the house is 1/2 ."]
    rule = LineConstraints(numbers=NumberRule("de", "en"))
    assert not constraints_of(rule.prepared(model.raw_text, "das haus ist 3,5 ."))


def test_generated_lines(model: Model) -> None:
    rng = random.Random(5)
    numbers = [
        (f"{rng.randint(1, 23)}:{rng.randint(10, 59)}", None),
        (f"{rng.randint(1, 9)},{rng.randint(1, 99)}", ","),
        (f"{rng.randint(1, 28)}/{rng.randint(1, 12)}/20{rng.randint(10, 30)}", None),
        (f"20{rng.randint(10, 30)}-{rng.randint(1, 12)}-{rng.randint(1, 28)}", None),
        (f"{rng.randint(1, 9)}.{rng.randint(100, 999)}.000", "."),
    ]
    words = ["das", "Haus", "ist", "alt", "heute", "Buch", "(", ")", ",", "Zebra", "5"]
    for _ in range(40):
        chosen = rng.sample(numbers, 3)
        parts = [*rng.choices(words, k=6), *(one for one, _ in chosen)]
        rng.shuffle(parts)
        (found,) = model.translate([" ".join(parts)])
        for one, sign in chosen:
            wanted = one if sign is None else one.replace(sign, "," if sign == "." else ".")
            assert found.count(wanted) == 1, (parts, found)


def test_next_to_chinese(chinese: Model) -> None:
    (found,) = chinese.translate(["他在2025-12-24的7:30，3.5米，1/2和50%。"])
    assert [found.count(one) for one in ("2025-12-24", "7:30", "3.5", "1/2", "50%")] == [1] * 5


def test_flag(
    home: Path, model: Model, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    text = tmp_path / "text"
    text.write_text("Das Haus ist 3,5.\n")

    def said(*flags: str) -> str:
        assert run(["translate", str(model.path), str(text), "--quiet", *flags]) == 0
        return capfdbinary.readouterr().out.decode()

    assert said() == said("--numbers", "rule") == "The house is 3.5.\n"
    assert said("--numbers", "keep") == said("--numbers", "model") == "The house is 3,5.\n"
    assert '"origin": "placeholder"' in said("--json")
    assert '"origin"' not in said("--json", "--numbers", "model")
    for flag in (["--format", "text"], ["--file"]):
        assert run(["translate", str(model.path), str(text), *flag, "--numbers", "rule"]) == 2
        assert (
            f"{flag[0]} keeps all numbers; omit --numbers" in capfdbinary.readouterr().err.decode()
        )


def test_explain_shows_the_same(model: Model, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["explain", str(model.path), "Das Haus ist 3,5.", "--quiet"]) == 0
    assert "The house is 3.5." in capfdbinary.readouterr().out.decode()
    assert explain(model, "Das Haus ist alt.").translation == "The house is old."
