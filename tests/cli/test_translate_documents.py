"""`demotic translate --file`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demotic import Model
from demotic.cli.main import run
from demotic.documents import translate_document
from tests.cli.test_translate import say

PO = """\
#. kept
msgid "Das Haus ist groß."
msgstr ""

msgid "Das Kind"
msgstr "The kid"
"""
TRANSLATED = PO.replace('msgid "Das Haus ist groß."\nmsgstr ""', "ENTRY").replace(
    "ENTRY", '#, fuzzy\nmsgid "Das Haus ist groß."\nmsgstr "The house is big."'
)
HTML = "<p>Das Haus ist groß. Heute kenne ich das Kind.</p>\n"


@pytest.fixture
def documents(home: Path) -> Path:
    (home / "a.po").write_text(PO)
    (home / "a.html").write_text(HTML)
    return home


def test_one_document(documents: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert say(capfd, "translate", "phrase", "--file", "a.po", "--quiet") == (
        TRANSLATED + "exit code 0\n"
    )
    assert say(capfd, "translate", "phrase", "--file", "a.po", "-o", "b.po") == (
        "a.po: 1 segment translated, 1 kept (--retranslate replaces them)\nexit code 0\n"
    )
    assert (documents / "b.po").read_text() == TRANSLATED
    refused = say(capfd, "translate", "phrase", "--file", "a.po", "-o", "b.po")
    assert "the output exists already" in refused


def test_several_documents(documents: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = "translate phrase --file a.po a.html -o out --json --quiet --retranslate"
    assert run(command.split()) == 0
    assert json.loads(capfd.readouterr().out) == {
        "documents": [
            {"source": "a.po", "target": "out/a.po", "format": "po", "translated": 2, "kept": 0},
            {"source": "a.html", "target": "out/a.html", "format": "html", "translated": 1,
             "kept": 0},
        ]
    }  # fmt: skip
    expected = "<p>The house is big. I know the child today.</p>\n"
    assert (documents / "out" / "a.html").read_text() == expected


def test_another_format(documents: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (documents / "page").write_text(HTML)
    assert "<p>The house is big." in say(
        capfd, "translate", "phrase", "--file", "page", "--file-format", "html", "--quiet"
    )


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("phrase --file", "--file needs the name of a document"),
        ("phrase --file a.po a.html", "several documents need a directory"),
        ("phrase --file a.po --nbest 2", "--nbest is about lines of text"),
        ("phrase --file a.po --trees a.po", "--trees is about lines of text"),
        ("phrase --file a.po --json", "--json with --file needs another place"),
        ("phrase --file t.de", "t.de: the suffix '.de'; expected a document: .po, .pot"),
        ("phrase --file a.html --file-format po", "a.html line 1: '<p>Das Haus"),
        ("a.po", "a.po looks like a PO file, not a model; give the model first: demotic translate"),
        ("phrase --file no.po", "no.po: the file cannot be opened"),
    ],
)
def test_refusals(
    documents: Path, capfd: pytest.CaptureFixture[str], command: str, message: str
) -> None:
    assert run(["translate", *command.split()]) == 2
    assert message in " ".join(capfd.readouterr().err.split())


def test_a_model_of_tokens(documents: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "does not know how to tokenise" in say(capfd, "translate", "tokens", "--file", "a.html")


def test_python(documents: Path) -> None:
    model = Model.load("phrase")
    assert translate_document(model, PO.encode(), "po").decode() == TRANSLATED
