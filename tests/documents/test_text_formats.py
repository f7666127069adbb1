"""HTML, Markdown and SRT."""

from __future__ import annotations

import pytest

from demotic.documents.formats import read_document
from demotic.errors import FormatError
from tests.documents.samples import HTML, LANGUAGES, MARKDOWN, SRT, shouted_text, shouting


def test_html() -> None:
    expected = HTML
    for before, after in (
        ('lang="de"', 'lang="en"'),
        ("<title>Das Haus", "<title>DAS HAUS"),
        ("Ein &quot;Haus&quot;", "EIN &quot;HAUS&quot;"),
        ("Das <b>Haus</b> ist", "DAS <b>HAUS</b> IST"),
        ('"ein Kind">groß</a>.\n   Der Hund', '"EIN KIND">GROSS</a>. DER HUND'),
        ("das Kind.<br>Ende", "DAS KIND.<br>ENDE"),
        ("eins", "EINS"),
        ("zwei", "ZWEI"),
        ("Der Befehl", "DER BEFEHL"),
        ("fehlt", "FEHLT"),
        ("Ein Bild", "EIN BILD"),
    ):
        assert expected.count(before) == 1
        expected = expected.replace(before, after)
    assert shouted_text(HTML, "html") == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a <b>b", "A <b>B"),  # unclosed
        ("<b><i>a</b></i>", "<b><i>A</b></i>"),  # crossed
        ("a < b &notanentity; c", "A &lt; B ¬ANENTITY; C"),
        ("<p title=x>a</p>", "<p title=x>A</p>"),
        ("<input type=submit value='ja'>", "<input type=submit value='JA'>"),
        ("<a href='x>y'>a</a>", "<a href='x>y'>A</a>"),
        ("a<!-- b -->c", "A<!-- b -->C"),
        ("<textarea>a</textarea>b", "<textarea>a</textarea>B"),
        ("<p translate=no>a<p>b", "<p translate=no>a<p>B"),
        ("<div translate=no><p>a</p></div><p>b", "<div translate=no><p>a</p></div><p>B"),
        ("<span translate=no>a</span> b", "<span translate=no>a</span> B"),
    ],
)
def test_html_details(source: str, expected: str) -> None:
    assert shouted_text(source, "html") == expected


def test_attributes_of_html_are_not_found_inside_strings() -> None:
    text = """<p " title='das Haus' " alt="Ein Bild">ein Kind</p>"""
    made = """<p " title='das Haus' " alt="EIN BILD">EIN KIND</p>"""
    assert shouted_text(text, "html") == made


@pytest.mark.parametrize(
    ("meta", "read"),
    [
        ('<meta charset="latin-1">', True),
        ("<META CHARSET=latin-1 />", True),
        ('<meta content="text/html; charset=latin-1" http-equiv="Content-Type">', True),
        ('<meta name="description" content="charset=latin-1">', False),
        ('<meta content="a > b, charset=latin-1">', False),
        ('<!-- <meta charset="latin-1"> -->', False),
        ('<script>"<meta charset=latin-1>"</script>', False),
    ],
)
def test_the_charset_of_html_is_that_of_its_declaration(meta: str, read: bool) -> None:
    data = f"{meta}<p>groß</p>".encode("latin-1")
    if read:
        assert "GROSS" in shouting().translate(data, "html").data.decode("latin-1")
    else:
        with pytest.raises(FormatError, match="not utf-8"):
            shouting().translate(data, "html")


def test_markdown() -> None:
    expected = MARKDOWN
    for before, after in (
        ("Das *Haus*", "DAS *HAUS*"),
        ("Ein Satz mit **fetten Wörtern** und\neinem [Link]", "EIN SATZ MIT **FETTEN WÖRTERN** "
         "UND EINEM [LINK]"),
        ("Danach `nichts` und", "DANACH `nichts` UND"),
        ("Setext", "SETEXT"),
        ("Eins", "EINS"),
        ("Zwei\n   Fortsetzung", "ZWEI FORTSETZUNG"),
        ("Drei", "DREI"),
        ("Zitat\n> weiter", "ZITAT WEITER"),
        ("Kopf | Spalte", "KOPF | SPALTE"),
        ("Zelle", "ZELLE"),
        ("Siehe [Haus] und ![ein Bild]", "SIEHE [HAUS][Haus] UND ![EIN BILD]"),
        ("Eine Fußnote", "EINE FUSSNOTE"),
    ):  # fmt: skip
        assert expected.count(before) == 1
        expected = expected.replace(before, after)
    assert shouted_text(MARKDOWN, "markdown") == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("snake_case und _a_", "SNAKE_CASE UND _A_"),
        ("a * b \\* c", "A \\* B \\* C"),
        ("**a *b* c**", "**A *B* C**"),
        ("[a][b] [c][] [d]", "[A][b] [C][c] [D]"),
        ("- a\n\n      x = 1\n\nb", "- A\n\n      x = 1\n\nB"),
        ("- a\n\n  b", "- A\n\n  B"),
        ("a\n---\nb", "A\n---\nB"),
        ("# a {#x}", "# A {#x}"),
        ("$$\na\n$$\nb $x_1$ c", "$$\na\n$$\nB $x_1$ C"),
        ("~~~\na\n~~~~\nb", "~~~\na\n~~~~\nB"),
        ("<b>a</b> b", "<b>A</b> B"),
        ("<!-- a\n\nb -->\nc", "<!-- a\n\nb -->\nC"),
        ("> a  \n> b", "> A  \n> B"),
        ("| a |\n|---|\n| b \\| c |", "| A |\n|---|\n| B \\| C |"),
        ("a\r\nb\r\n\r\nc\r\n", "A B\r\n\r\nC\r\n"),
    ],
)
def test_markdown_details(source: str, expected: str) -> None:
    source = source.replace("[c][] [d]", "[c][] [d]\n\n[c]: x") if "[c][]" in source else source
    expected = expected + "\n\n[c]: x" if "[c]: x" in source else expected
    assert shouted_text(source, "markdown") == expected


def test_text_that_would_become_markup_is_escaped() -> None:
    assert shouted_text("&#35; a", "markdown") == "\\# A"
    assert shouted_text("1&#46; a", "markdown") == "1\\. A"


def test_srt() -> None:
    expected = SRT.replace("<i>Das Haus ist\r\ngroß.</i>", "<i>DAS HAUS\r\nIST GROSS.</i>")
    expected = expected.replace("Ein Kind?", "EIN KIND?").replace("}Ein Hund.", "}EIN HUND.")
    assert shouted_text(SRT, "srt") == expected


def test_text_that_is_no_subtitle() -> None:
    with pytest.raises(FormatError, match=r"a.srt line 2: 'hello'; expected subtitles with times"):
        read_document(b"\nhello\n", "srt", "a.srt", LANGUAGES)
