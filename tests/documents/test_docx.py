from __future__ import annotations

import io
import zipfile

import pytest

from demotic.documents.formats import read_document
from demotic.errors import FormatError
from tests.documents.samples import DOCX_XML, LANGUAGES, docx, shouting


def part(data: bytes, name: str = "word/document.xml") -> str:
    return zipfile.ZipFile(io.BytesIO(data)).read(name).decode()


def text(words: str) -> str:
    return f'<w:t xml:space="preserve">{words}</w:t>'


def test_a_document() -> None:
    expected = DOCX_XML
    for before, after in (
        ("<w:t>Das Haus</w:t>", text("DAS HAUS")),
        (text("Das "), text("DAS ")),
        (
            '<w:t>gro</w:t></w:r><w:proofErr w:type="x"/><w:r><w:rPr><w:b/></w:rPr><w:t>ße</w:t>',
            text("GROSSE"),
        ),
        (text(" Haus &amp; "), text(" HAUS &amp; ")),
        ("<w:t>ein Kind</w:t>", text("EIN KIND")),
        ("<w:br/><w:t>Ende.</w:t>", f"<w:br/></w:r><w:r>{text('ENDE.')}"),
    ):
        assert expected.count(before) == 1
        expected = expected.replace(before, after)
    made = shouting().translate(docx(), "docx").data
    assert part(made) == expected
    old, new = (zipfile.ZipFile(io.BytesIO(data)) for data in (docx(), made))
    assert old.namelist() == new.namelist()
    assert old.read("word/media/a.png") == new.read("word/media/a.png")


def test_notes_and_text_boxes() -> None:
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:v="v"'
    xml = (
        f"<w:footnotes {space}><w:p><w:r><w:t>a </w:t><w:pict><v:box><w:p><w:r><w:t>b</w:t></w:r>"
        "</w:p></v:box></w:pict><w:t>c</w:t></w:r></w:p></w:footnotes>"
    )
    made = shouting().translate(docx(word__footnotes_xml=xml), "docx").data
    assert part(made, "word/footnotes.xml") == (
        f"<w:footnotes {space}><w:p><w:r>{text('A ')}</w:r><w:r><w:pict><v:box><w:p><w:r>"
        f"{text('B')}</w:r></w:p></v:box></w:pict></w:r><w:r>{text('C')}</w:r></w:p></w:footnotes>"
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04", "a broken archive"),
        (docx()[:-30], "a broken archive"),
        (docx("<a/>"), r"a.docx \(word/document.xml\) line 1: <a>; expected <document>"),
    ],
)
def test_broken_documents(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_document(data, "docx", "a.docx", LANGUAGES)


def test_another_archive() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.txt", "a")
    with pytest.raises(FormatError, match=r"an archive without word/document.xml"):
        read_document(out.getvalue(), "docx", "a.docx", LANGUAGES)
