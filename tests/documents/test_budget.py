"""Documents of very many tiny parts: refused at once, or read in linear time."""

from __future__ import annotations

import io
import time
import tracemalloc
import zipfile
from itertools import count

import pytest

from demotic.documents.budget import MAX_SEGMENT, Budget, TooMuch
from demotic.documents.docx import DocxDocument
from demotic.documents.formats import read_document
from demotic.documents.translate import TranslatedDocument
from demotic.errors import FormatError
from tests.documents.samples import LANGUAGES, copying, docx

XLIFF = '<xliff version="1.2"><file source-language="de"><body>{}</body></file></xliff>'
TMX = '<tmx version="1.4"><header srclang="de"/><body>{}</body></tmx>'
TIMES = "00:00:00,000 --> 00:00:01,000\n"
PARAGRAPH = "<w:p><w:r><w:t>a</w:t></w:r></w:p>"


def word(body: str) -> bytes:
    return docx(f'<w:document xmlns:w="w"><w:body>{body}</w:body></w:document>')


def tiny(format_: str, number: int) -> bytes:
    """A document of so many paragraphs of one letter."""
    if format_ == "docx":
        return word(PARAGRAPH * number)
    text = {
        "html": "<p>a</p>" * number,
        "markdown": "a\n\n" * number,
        "po": 'msgid "a"\nmsgstr ""\n\n' * number,
        "srt": f"1\n{TIMES}a\n\n" * number,
        "tmx": TMX.format('<tu><tuv xml:lang="de"><seg>a</seg></tuv></tu>' * number),
        "xliff": XLIFF.format("<trans-unit><source>a</source></trans-unit>" * number),
    }[format_]
    return text.encode()


def translated(format_: str, data: bytes, budget: Budget) -> TranslatedDocument:
    return copying().translate(data, format_, budget=budget)


@pytest.mark.parametrize("format_", ["html", "markdown", "po", "srt", "tmx", "xliff", "docx"])
def test_segments_are_counted_while_they_are_read(format_: str) -> None:
    assert translated(format_, tiny(format_, 50), Budget(50)).translated == 50
    data = tiny(format_, 3000)
    with pytest.raises(TooMuch, match=r"more than 50 segments; expected at most 50 .*max-segments"):
        translated(format_, tiny(format_, 51), Budget(50))
    tracemalloc.start()
    try:
        with pytest.raises(TooMuch):
            translated(format_, data, Budget(50))
        assert tracemalloc.get_traced_memory()[1] < 10 * len(data) + 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("format_", "text"),
    [
        ("html", "<p>a" + "<b>" * 600),
        ("html", "<!>" * 600),
        ("html", "<pre>" + "<i>" * 600),
        ("markdown", "\n" * 600),
        ("markdown", "a " + "[" * 600),
        ("po", 'msgid "a' + "<b>" * 600 + '"\nmsgstr ""\n'),
        ("srt", TIMES + "a" + "<b>" * 600),
        ("srt", TIMES + "a\n" * 600),
        ("xliff", XLIFF.format("<x/>" * 600)),
        ("xliff", XLIFF.format("<!---->" * 600)),
    ],
)
def test_tags_elements_and_lines_are_counted(format_: str, text: str) -> None:
    translated(format_, text.encode(), Budget(600))
    with pytest.raises(TooMuch, match="more than 500 tags, elements or lines"):
        translated(format_, text.encode(), Budget(50))


def test_sentences_are_counted() -> None:
    text = b"<p>" + b"Haus. " * 60
    assert translated("html", text, Budget(60)).translated == 1
    with pytest.raises(TooMuch, match="more than 50 sentences"):
        translated("html", text, Budget(50))
    parts = b"<p>Haus. Haus.</p>" * 30
    with pytest.raises(TooMuch, match="more than 50 sentences"):
        translated("html", parts, Budget(50))


def test_long_sentences_and_paragraphs() -> None:
    text = b"<p>" + b"Haus " * 30
    translated("html", text, Budget(50, 150))
    with pytest.raises(TooMuch, match="a sentence of 149 characters; expected at most 100"):
        translated("html", text, Budget(50, 100))
    with pytest.raises(TooMuch, match=r"a paragraph of 1,048,577 characters"):
        translated("html", b"a" * (MAX_SEGMENT + 1), Budget(50))


@pytest.mark.parametrize("format_", ["html", "markdown", "po", "srt", "tmx", "xliff", "docx"])
def test_reading_can_be_ended(format_: str) -> None:
    calls = count()

    def check() -> None:
        if next(calls) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        translated(format_, tiny(format_, 3000), Budget(check=check))
    assert next(calls) == 3


@pytest.mark.parametrize(
    ("format_", "text"),
    [
        ("srt", TIMES + "a\n" * 100_000),
        ("markdown", "a\n" * 150_000),
        ("markdown", "# a" + " " * 150_000 + "b"),
        ("markdown", "[" * 60_000 + "a" + "]" * 60_000),
    ],
)
def test_time_is_linear(format_: str, text: str) -> None:
    """Of lines and brackets within one segment; quadratic work took a minute and more."""
    started = time.process_time()
    read_document(text.encode(), format_, "sample", LANGUAGES).written({})
    copying().translate(text.encode(), format_)
    assert time.process_time() - started < 8


def test_long_tags_are_refused() -> None:
    attributes = "".join(f' a{i}="&gt;"' for i in range(30_000))
    with pytest.raises(FormatError, match="line 1: a tag of more than 262,144 characters"):
        copying().translate(XLIFF.format(f"<x{attributes}/>").encode(), "xliff")
    text = XLIFF.format(f"<x>{'a' * 300_000}</x>").encode()
    assert read_document(text, "xliff", "a.xlf", LANGUAGES).written({}) == text


def test_large_pictures_are_copied_in_pieces() -> None:
    """A small archive may have large files: they are never in memory as a whole."""
    data = docx(word__media__picture_png="a" * 50_000_000)
    assert len(data) < 1_000_000
    document = read_document(data, "docx", "a.docx", LANGUAGES)
    assert isinstance(document, DocxDocument)
    tracemalloc.start()
    try:
        made = copying().translate(data, "docx").data
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(io.BytesIO(made)) as new:
        assert new.testzip() is None
        for before, after in zip(old.infolist(), new.infolist(), strict=True):
            assert (before.filename, before.date_time, before.compress_type) == (
                after.filename,
                after.date_time,
                after.compress_type,
            )


def test_the_text_of_an_archive_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    header = f'<w:hdr xmlns:w="w">{" " * 700_000}</w:hdr>'
    data = docx(word__header1_xml=header, word__header2_xml=header)
    read_document(data, "docx", "a.docx", LANGUAGES)
    monkeypatch.setattr("demotic.documents.docx.MAX_BYTES", 1 << 20)
    with pytest.raises(FormatError, match="1 MB of text; expected at most 1 MB"):
        read_document(data, "docx", "a.docx", LANGUAGES)


def test_archives_of_very_many_files_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("demotic.documents.docx._MAX_PARTS", 3)
    data = docx(**{f"f{i}": "" for i in range(10)})
    with pytest.raises(FormatError, match="an archive of very many files; expected at most 3"):
        read_document(data, "docx", "a.docx", LANGUAGES)
