"""Translation of text with tags, placeholders and terms, with a small model of raw text."""

from __future__ import annotations

import html
import random
import re
import time
from collections import Counter
from pathlib import Path

import pytest

from demotic.constraints import MarkupTranslator, translate_marked_up
from demotic.constraints.glossary import Entry, Glossary
from demotic.constraints.markup import Format, pieces_of
from demotic.constraints.placeholders import cut
from demotic.constraints.tokens import Word
from demotic.documents.placeholders import string_pieces
from demotic.model import Model
from demotic.search.decision import DecisionOptions
from demotic.text.addresses import split_addresses
from tests.search.small_models import pairs, prepared_model, token_model


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder: Path = tmp_path_factory.mktemp("model")
    return prepared_model(folder, request.param)


@pytest.fixture(scope="module")
def translator(model: Model) -> MarkupTranslator:
    return MarkupTranslator(model)


def test_lines_and_white_space_are_kept(model: Model) -> None:
    assert translate_marked_up(model, " Das Haus ist alt.\n\nIch sehe das Buch.\n") == (
        " The house is old.\n\nI see the book.\n"
    )


def test_blocks_are_translated_one_by_one(model: Model) -> None:
    text = "<ul><li>Das Haus ist alt.</li>\n<li>Ich sehe das Buch.</li></ul><!-- x -->"
    assert translate_marked_up(model, text, "html") == (
        "<ul><li>The house is old.</li>\n<li>I see the book.</li></ul><!-- x -->"
    )


def test_tags_follow_their_words(model: Model) -> None:
    text = "<p>Heute <b>sehe</b> ich das <i>Buch</i>.</p>"
    assert translate_marked_up(model, text, "html") == "<p>I <b>see</b> the <i>book</i> today.</p>"


def test_tags_around_sentences(model: Model) -> None:
    text = "<g id='1'>Das Haus ist alt. Ich sehe das <g id='2'>Buch</g>.</g>"
    assert translate_marked_up(model, text, "xliff-inline") == (
        "<g id='1'>The house is old. I see the <g id='2'>book</g>.</g>"
    )


def test_tags_inside_of_a_word_surround_it(model: Model) -> None:
    assert (
        translate_marked_up(model, "Das H<b>au</b>s ist alt.", "html") == "The <b>house</b> is old."
    )


def test_tags_without_partners(model: Model) -> None:
    found = translate_marked_up(model, "Ich <b>sehe das <i>Buch</i></g> heute.", "html")
    assert found == "I <b>see the <i>book</i></g> today."
    assert translate_marked_up(model, "Das Haus</b> ist <img>alt.", "html") == (
        "The house</b> is <img>old."
    )


def test_signs_are_escaped_again(model: Model) -> None:
    assert translate_marked_up(model, "Das Haus &amp; das Buch &lt;", "html").endswith(" &lt;")


def test_placeholders_stay(model: Model) -> None:
    text = "Ich sehe {name}, %s und 1.234,5 auf https://a.org/x?y=1&z=2 (a.b@c.de)."
    found = translate_marked_up(model, text)
    for one in ("{name}", "%s", "1.234,5", "https://a.org/x?y=1&z=2", "a.b@c.de"):
        assert found.count(one) == 1
    assert found.startswith("I see {name}")


def test_positional_placeholders_keep_their_order(model: Model) -> None:
    found = translate_marked_up(model, "Heute sehe ich %s %d %f %s.")
    assert re.findall("%[sdf]", found) == ["%s", "%d", "%f", "%s"]


def test_a_placeholder_at_the_start_is_not_capitalised(model: Model) -> None:
    found = translate_marked_up(model, "http://a.org ist alt.")
    assert found.startswith("http://a.org")
    assert "Is" not in found


def test_elements_that_are_not_translated(model: Model) -> None:
    found = translate_marked_up(model, "Ich sehe <code>das  &lt; Haus</code>.", "html")
    assert found == "I see <code>das  &lt; Haus</code>."


def test_terms_are_obeyed(model: Model) -> None:
    glossary = Glossary((Entry("Haus", "cottage"), Entry("ist", "is", "", "forbidden")))
    found = translate_marked_up(model, "Das <b>Haus</b> ist alt.", "html", glossary=glossary)
    assert "<b>cottage</b>" in found
    assert " is " not in found


def test_a_model_of_tokens(tmp_path: Path) -> None:
    model = token_model(tmp_path)
    assert translate_marked_up(model, "das <b>haus</b> ist {x} .", "html") == (
        "the <b>house</b> is {x} ."
    )


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a 5 b", ["5"]),
        ("-3,5 %", ["-3,5"]),
        ("5% discount on 10%", ["5", "10"]),
        ("B52 x86 1st", []),
        ("see www.a.org.", ["www.a.org"]),
        ("(http://a.org/b)", ["http://a.org/b"]),
        ("%(name)s %1$s %-5d %% 100 %d", ["%(name)s", "%1$s", "%-5d", "100", "%d"]),
        ("{a} {{b}} ${c} {}", ["{a}", "{{b}}", "${c}", "{}"]),
        ("12:30, 2026-11-17, 1/2", ["12:30", "2026-11-17", "1/2"]),
        ("1\u202f000", ["1\u202f000"]),
        ("第3章，约5-6个，共1,000元，他12岁", ["3", "5-6", "1,000", "12"]),
        ("1万 2.5亿 3月5日 2-3月", ["5"]),  # ten thousands, and names of months
        ("é5 Б52 10:20a 1:2:3b", []),
    ],
)
def test_what_is_a_placeholder(text: str, kept: list[str]) -> None:
    pieces = cut(text)
    assert "".join(pieces) == text
    assert [str(one) for one in pieces if isinstance(one, Word)] == kept


@pytest.mark.parametrize(
    "hostile",
    ["a", "a.", "%0", "0", "%", "-+0#", "1:", "{a", "%(a", "www.", "http://.", "a@", "&a", "$"],
)
@pytest.mark.parametrize("last", ["", "@", "a"])
def test_hostile_text_takes_linear_time(hostile: str, last: str) -> None:
    """With quadratic expressions this takes minutes."""
    text = f"%{hostile * (200_000 // len(hostile))}{last}"
    started = time.process_time()
    assert "".join(cut(text)) == text
    assert len(string_pieces(text)) > 0
    assert "".join(piece for piece, _ in split_addresses(text)) == text
    assert time.process_time() - started < 10


@pytest.mark.parametrize("unit", ["<b>Haus</b> ", "<b>Haus</b>", "<b>a", "Haus</b> ", "<x/> "])
def test_many_tags_take_little_time(translator: MarkupTranslator, unit: str) -> None:
    """Quadratic steps took half a minute."""
    text = unit * (15_000 // len(unit))
    started = time.process_time()
    (found,) = translator.translate([text], "html")
    assert time.process_time() - started < 15
    assert Counter(re.findall("<[^>]*>", found)) == Counter(re.findall("<[^>]*>", text))


WORDS = "Das Haus ist alt Ich sehe das Buch heute zebra . , ! ? & ' \" 中文 é".split()
HELD = ["{name}", "https://a.org/b?c=1", "x@y.org", "%s", "%d", "{{v}}", "42", "3.14"]


def generated(rng: random.Random, form: Format) -> tuple[str, list[str], list[str]]:
    """A random text, its tags, and its placeholders."""
    parts: list[str] = []
    tags: list[str] = []
    held: list[str] = []
    open_: list[str] = []
    for number in range(rng.randint(0, 14)):
        draw = rng.random()
        if draw < 0.5:
            word = rng.choice(WORDS)
            parts.append(word if form == "text" else html.escape(word, quote=False))
        elif draw < 0.6:
            held.append(rng.choice(HELD))
            written = html.escape(held[-1], quote=False) if form != "text" else held[-1]
            parts.append(f" {written} ")
        elif form != "text" and draw < 0.75:
            tag = rng.choice(["b", "i", "span"]) if form == "html" else "g"
            tags.append(f'<{tag} id="{number}">')
            parts.append(tags[-1])
            open_.append(f"</{tag}>")
        elif form != "text" and draw < 0.9 and open_:
            tags.append(open_.pop())
            parts.append(tags[-1])
        elif form != "text":
            tags.append(f'<x id="{number}"/>')
            parts.append(tags[-1])
        if rng.random() < 0.9:
            parts.append(" ")
    while open_:
        tags.append(open_.pop())
        parts.append(tags[-1])
    return "".join(parts), tags, held


def check_generated(translator: MarkupTranslator, seeds: range) -> None:
    """Placeholders once each, tags once each and balanced."""
    for form in ("text", "html", "xliff-inline"):
        cases = [generated(random.Random(f"{form}{seed}"), form) for seed in seeds]  # type: ignore[arg-type]
        found = translator.translate([text for text, _, _ in cases], form)  # type: ignore[arg-type]
        for (text, tags, held), result in zip(cases, found, strict=True):
            if form != "text":
                pieces = pieces_of(result, "xliff-inline" if "&" not in text else "html")
                kinds = ("open", "close", "empty")
                assert Counter(p.text for p in pieces if p.kind in kinds) == Counter(tags)
                assert [p.kind for p in pieces] == [p.kind for p in pieces_of(result, "html")]
                balanced(result)
            expected = Counter(_held(text, form))
            assert Counter(_held(result, form)) == expected, (text, result, held)


def balanced(text: str) -> None:
    open_: list[str] = []
    for tag in re.findall(r"<[^>]*>", text):
        if tag.endswith("/>"):
            continue
        if tag.startswith("</"):
            assert open_.pop() == tag[2:-1]
        else:
            open_.append(re.split(r"[\s>]", tag[1:])[0])
    assert not open_


def _held(text: str, form: str) -> list[str]:
    plain = text if form == "text" else html.unescape(re.sub(r"<[^>]*>", " ", text))
    return [str(one) for one in cut(plain) if isinstance(one, Word)]


def test_generated_texts_keep_tags_and_placeholders(translator: MarkupTranslator) -> None:
    check_generated(translator, range(300))


@pytest.mark.long
def test_many_generated_texts_keep_tags_and_placeholders(translator: MarkupTranslator) -> None:
    for first in range(0, 17_000, 500):  # 2 kinds of models, 3 formats: 102,000 texts
        check_generated(translator, range(first, first + 500))


@pytest.mark.parametrize("rule", ["mbr", "consensus"])
def test_other_decisions(model: Model, tmp_path: Path, rule: str) -> None:
    """The model's own rule chooses text with tags as it chooses plain lines."""
    own = model.derive(tmp_path / "own", search={"decision": rule, "decision_scale": 0.2})
    plain = [source for source, _ in pairs()][:30]
    assert MarkupTranslator(own).translate(plain) == own.translate(plain)
    asked = DecisionOptions(decision=rule, decision_scale=0.2)  # type: ignore[arg-type]
    assert MarkupTranslator(model, decision=asked).translate(plain) == own.translate(plain)
    tagged = MarkupTranslator(own).translate(["Ich sehe <b>das Buch</b> {a} {b} %s."], "html")[0]
    assert sorted(re.findall(r"</?b>|\{\w\}|%s", tagged)) == ["%s", "</b>", "<b>", "{a}", "{b}"]


@pytest.mark.parametrize(
    "text",
    [
        "%s sieht %s und %s.",  # equal ones, in order
        "%1$s sieht %2$s und %1$s.",  # by number, one of them twice
        "{} sieht {} und {}.",
        "{0} sieht {1} und {0}.",
        "%(name)s sieht %(name)s.",
        "{{name}} sieht ${name} und %d von %5.2f.",
        "%s%s {}{} %d%%.",
    ],
)
def test_repeated_and_positional_placeholders(translator: MarkupTranslator, text: str) -> None:
    (found,) = translator.translate([text])
    variable = re.compile(r"%\(\w+\)s|%(?:\d\$)?[\d.]*[sdf]|\$?\{+\w*\}+")
    before, after = variable.findall(text), variable.findall(found)
    assert Counter(after) == Counter(before)
    without_name = re.compile(r"%[\d.]*[sdf]|\{\}")
    assert without_name.findall(found) == without_name.findall(text)
