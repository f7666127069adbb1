from __future__ import annotations

import re
from pathlib import Path

import pytest

from demotic.documents.formats import read_document
from demotic.documents.translate import translate_document
from demotic.errors import FormatError
from tests.documents.samples import LANGUAGES, PO, shouted_text
from tests.search.small_models import prepared_model

ENTRY = 'msgid "Haus"\nmsgstr ""\n'


def test_a_file() -> None:
    expected = PO.replace(
        '12\nmsgid "Das <b>Haus</b> ist groß."\nmsgstr ""',
        '12\n#, fuzzy\nmsgid "Das <b>Haus</b> ist groß."\nmsgstr "DAS <b>HAUS</b> IST GROSS."',
    )
    expected = expected.replace("#, c-format\n", "#, c-format, fuzzy\n")
    expected = expected.replace('msgstr[0] ""', 'msgstr[0] "%d HAUS"')
    expected = expected.replace('msgstr[1] ""', 'msgstr[1] "%d HÄUSER"')
    expected = expected.replace('msgid ""\n"Erste', '#, fuzzy\nmsgid ""\n"Erste')
    expected = expected.replace(
        'Zeile\\n"\nmsgstr ""', 'Zeile\\n"\nmsgstr ""\n"ERSTE ZEILE\\n"\n"ZWEITE\\tZEILE\\n"'
    )
    assert shouted_text(PO, "po") == expected


def test_line_ends_are_those_of_the_file() -> None:
    assert shouted_text(PO.replace("\n", "\r\n"), "po") == shouted_text(PO, "po").replace(
        "\n", "\r\n"
    )


def test_a_carriage_return_before_a_keyword() -> None:
    made = shouted_text('msgid "Haus"\n\rmsgstr ""\n', "po")
    assert made == '#, fuzzy\nmsgid "Haus"\n\rmsgstr "HAUS"\n'


def test_retranslating_replaces_fuzzy_and_other_translations() -> None:
    made = shouted_text(PO, "po", retranslate=True)
    assert '#, fuzzy\nmsgctxt "menu"\nmsgid "Datei"\nmsgstr "DATEI"' in made
    assert 'msgstr "NEU \\"UND\\" ALT"' in made
    assert made.count("fuzzy") == 5


def test_the_only_form_of_a_language_without_plural() -> None:
    text = 'msgid "ein Haus"\nmsgid_plural "%d Häuser"\nmsgstr[0] ""\n'
    assert 'msgstr[0] "%d HÄUSER"' in shouted_text(text, "po")


def test_a_template_gets_its_charset_and_language() -> None:
    header = 'msgid ""\nmsgstr ""\n"Language: \\n"\n"Content-Type: x; charset=CHARSET\\n"\n\n'
    made = shouted_text(header + ENTRY, "po")
    assert '"Language: en\\n"' in made
    assert "charset=UTF-8" in made


def test_placeholders() -> None:
    source = "Lies %(name)s, {0}, %1$s und 100% Haus &nbsp;auf http://a.de/x."
    made = shouted_text(f'msgid "{source}"\nmsgstr ""\n', "po")
    assert 'msgstr "LIES %(name)s, {0}, %1$s UND 100% HAUS &nbsp;AUF http://a.de/x."' in made


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('msgid "a"\n', "line 1: msgid without msgstr; expected both"),
        ('msgstr "a"\n', "line 1: msgid without msgstr"),
        ('msgid "a"\nmsgstr "b\n', "line 2: '\"b'; expected text between two double quotes"),
        ('\n"a"\n', "line 2: a string without a keyword"),
        ('msgid "a"\nmsgid "b"\nmsgstr ""\n', "line 2: a second msgid"),
        ('msgid "a"\nmsgid_plural "b"\nmsgstr[1] ""\n', r"line 3: msgstr\[1\]; expected"),
        ('msgid "a"\nmsgstr[0] ""\n', r"line 2: msgstr\[0\]; expected one msgstr"),
        ("hello\n", "line 1: 'hello'; expected msgid, msgstr"),
        ("msgid\n", "line 1: msgid without a string"),
        ('msgid ""\nmsgstr "Language: fr\\n"\n', "line 1: a file in 'fr'; expected en"),
        ('msgid ""\nmsgstr "Content-Type: x; charset=no\\n"\n', "line 1: the charset 'no'"),
    ],
)  # fmt: skip
def test_broken_files(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_document(text.encode(), "po", "a.po", LANGUAGES)


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(FormatError, match=r"a.po line 2: text that is not UTF-8"):
        read_document(b'msgid "a"\nmsgstr "\xff"\n', "po", "a.po", LANGUAGES)


def test_variables_are_words(tmp_path: Path) -> None:
    """With spaces around them in a language that has spaces; a message of variables stays."""
    model = prepared_model(tmp_path)
    data = PO_VARIABLES.encode()
    made = translate_document(model, data, "po").decode()
    assert re.findall('^msgstr "(.*)"', made, re.M) == ["I see %s.", "", "I see %(name)s."]


@pytest.mark.parametrize(
    "attached", ["%s/%s", "#%d", "@{user}", "{a}-{b}", "/{name}/x", "=%(v)s", "www.a.org/%s"]
)
def test_variables_stay_attached_to_signs(tmp_path: Path, attached: str) -> None:
    data = f'msgid "Das Haus {attached} ist alt."\nmsgstr ""\n'.encode()
    (made,) = re.findall(
        '^msgstr "(.*)"', translate_document(prepared_model(tmp_path), data, "po").decode(), re.M
    )
    assert attached in made


PO_VARIABLES = """\
msgid "Ich sehe%s."
msgstr ""

msgid "%s: {name}"
msgstr ""

msgid "Ich sehe %(name)s."
msgstr ""
"""
