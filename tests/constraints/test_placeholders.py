"""Placeholders in plain lines: they come out unchanged, once each, by their kinds."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from demotic.constraints.lines import LineConstraints
from demotic.constraints.placeholders import PLACEHOLDER_KINDS, PlaceholderKind, Placeholders
from demotic.constraints.tokens import Word
from demotic.model import Model
from demotic.search.placeholders import PLACEHOLDER
from demotic.search.sentence import constraints_of
from demotic.search.stream import LineTranslator
from tests.constraints.test_translate import generated
from tests.search.small_models import prepared_model, token_model


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Model:
    return prepared_model(tmp_path_factory.mktemp("model"), request.param)


def translated(model: Model, *lines: str, nbest: int = 1, **settings: object) -> list[str]:
    constraints = LineConstraints(placeholders=PLACEHOLDER_KINDS, **settings)  # type: ignore[arg-type]
    translator = LineTranslator(
        model.decoder(), model.raw_text, constraints=constraints, nbest=nbest
    )
    return translator.texts(translator.prepared(lines))[0]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Ich sehe das {Haus}.", "I see the {Haus}."),
        ("{Haus} ist alt.", "{Haus} is old."),
        ("%s ist %(Buch)s.", "%s is %(Buch)s."),
        ("Ich sehe https://a.org/Haus/das?x=1.", "I see https://a.org/Haus/das?x=1."),
        ("Ich sehe ${Kind} heute.", "I see ${Kind} today."),
        ("Ich sehe [X5X] heute.", "I see [X5X] today."),
        ("Ich sehe a.B@C.de heute.", "I see a.B@C.de today."),
        ("Das Haus ist 1.234,5.", "The house is 1.234,5."),
        ("Das Haus ist alt.", "The house is old."),
    ],
)
def test_lines(model: Model, line: str, expected: str) -> None:
    assert translated(model, line) == [expected]
    assert translated(model, line, nbest=3) == [expected]
    assert translated(model, line, xml_input="exclusive") == [expected]


def test_positional_ones_keep_their_order(model: Model) -> None:
    (found,) = translated(model, "Heute sehe %s ich %d das %i Buch.")
    assert [word for word in found.split() if "%" in word] == ["%s", "%d", "%i"]


def test_given_translations_come_first(model: Model) -> None:
    line = 'Ich sehe <n translation="the palace 7">das {Haus} 5</n> {x}.'
    assert translated(model, line, xml_input="exclusive") == ["I see the palace 7 {x}."]
    assert translated(model, line, xml_input="ignore")[0].count("{Haus}") == 1


@pytest.mark.parametrize(
    ("kinds", "kept"),
    [
        (("address",), ["www.a.org", "a@b.org"]),
        (("variable",), ["{x}", "%d"]),
        (("number",), ["5"]),
        (PLACEHOLDER_KINDS, ["{x}", "www.a.org", "5", "%d", "a@b.org"]),
    ],
)
def test_kinds(model: Model, kinds: tuple[PlaceholderKind, ...], kept: list[str]) -> None:
    text = "Ich sehe {x} www.a.org 5 %d a@b.org"
    pieces = Placeholders(kinds).cut(text)
    assert [str(one) for one in pieces if isinstance(one, Word)] == kept
    line = LineConstraints(placeholders=kinds).prepared(model.raw_text, text)
    assert [one.targets[0][0] for one in constraints_of(line)] == kept
    assert {one.origin for one in constraints_of(line)} == {PLACEHOLDER}


def test_what_may_occur_is_found() -> None:
    finder = Placeholders()
    for seed in range(300):
        text, _, _ = generated(random.Random(seed), "text")
        has = any(isinstance(one, Word) for one in finder.cut(text))
        assert finder.may_occur(text) or not has
    assert not finder.may_occur("Das ist ein Satz, der nichts enthält: gar nichts (wirklich).")


def test_generated_lines(model: Model) -> None:
    texts = [generated(random.Random(seed), "text")[0] for seed in range(100)]
    lines = [" ".join(text.split()) for text in texts]
    for line, found in zip(lines, translated(model, *lines), strict=True):
        before, after = (
            Counter(str(one) for one in Placeholders().cut(text) if isinstance(one, Word))
            for text in (line, found)
        )
        assert after == before, (line, found)


def test_tokens_are_protected_only_whole(tmp_path: Path) -> None:
    model = token_model(tmp_path)
    line = "das haus ist {x}{y} {Z} %s . (http://a.org)"
    prepared = LineConstraints(placeholders=PLACEHOLDER_KINDS).prepared(model.raw_text, line)
    assert prepared == line
    assert [one.targets[0][0] for one in constraints_of(prepared)] == ["{Z}", "%s"]
    assert translated(model, "das haus ist {Z} .") == ["the house is {Z} ."]
