"""What holds for every format: identity, safety against broken input, tags that survive."""

from __future__ import annotations

import io
import time
import zipfile
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.documents.document import Document
from demotic.documents.formats import FORMATS, format_of, read_document
from demotic.documents.segment import Segment, Tag, has_words
from demotic.documents.sentences import split_segment
from demotic.documents.translate import DocumentTranslator
from demotic.errors import FormatError, InputError
from tests.documents.samples import LANGUAGES, SAMPLES, copying, docx, shouting

SIGNS = [
    b"<", b">", b'"', b"&", b"<!--", b"<![CDATA[", b"</", b"\n\n", b"`", b"[", b"](", b"**",
    b"\x00", b"\r", b"<b>", b"</b>", b"msgid", b"#~ ", b"|", b"<g id='1'>", b"{", b"-->",
]  # fmt: skip
PARTS = [
    "a", "B.", " ", "\n", "\n\n", "*", "**", "_", "`", "[", "]", "](x)", "![", "<b>", "</b>", "<p>",
    "<i>", "</i>", "<br>", "<!--", "-->", "&amp;", "&", "<", "\\", "|", "---", "# ", "- ", "> ",
    "    ", "$", "ä", "。", "<code>", "</code>", "  \n", "[^1]", "1. ",
]  # fmt: skip
EVERY = pytest.mark.parametrize(("format_", "data"), SAMPLES.values(), ids=SAMPLES)


def read(data: bytes, format_: str) -> Document:
    return read_document(data, format_, "sample", LANGUAGES)


def check(error: FormatError) -> None:
    """It names the document, what was found and what was expected."""
    assert error.path
    assert error.found
    assert error.expected


def words(segment: Segment) -> str:
    """The source as shown, with tags by kind."""
    return "".join(p if isinstance(p, str) else f"<{p.kind}>" for p in segment.pieces)


@EVERY
def test_without_translations_all_bytes_are_kept(format_: str, data: bytes) -> None:
    assert read(data, format_).written({}) == data


@EVERY
def test_sources_are_unchanged_by_translations(format_: str, data: bytes) -> None:
    """For formats with source and target; the others have the translation as the new source."""
    once = copying().translate(data, format_)
    assert once.translated > 0
    again = read(once.data, format_)
    assert [*map(words, again.segments)] == [*map(words, read(data, format_).segments)]


@EVERY
def test_what_is_translated_is_kept(format_: str, data: bytes) -> None:
    once = shouting().translate(data, format_)
    if format_ in ("po", "xliff", "tmx"):
        again = copying().translate(once.data, format_)
        assert (again.data, again.translated) == (once.data, 0)
        assert copying().translate(once.data, format_, retranslate=True).translated > 0


@EVERY
def test_nothing_to_leave_alone_is_translated(format_: str, data: bytes) -> None:
    once = shouting().translate(data, format_).data
    texts = [data, once]
    if format_ == "docx":
        assert zipfile.ZipFile(io.BytesIO(once)).testzip() is None
        return
    charset = "utf-16" if data[:1] == b"\xff" else "latin-1"
    before, after = (text.decode(charset) for text in texts)
    assert "NICHTS" not in after
    assert after.count("nichts") == before.count("nichts")


@EVERY
def test_every_tag_survives_once_and_nested(format_: str, data: bytes) -> None:
    for segment in read(data, format_).segments:
        parts = [piece for part in split_segment(segment, LANGUAGES.source) for piece in part]
        kept = Counter(piece for piece in parts if isinstance(piece, Tag))
        assert kept == Counter(piece for piece in segment.pieces if isinstance(piece, Tag))
        joined = "".join(p if isinstance(p, str) else "" for p in parts)
        assert joined == "".join(p if isinstance(p, str) else "" for p in segment.pieces)
        for part in split_segment(segment, LANGUAGES.source):
            if has_words(part):
                depth = 0
                for piece in part:
                    if isinstance(piece, Tag):
                        depth += {"open": 1, "close": -1, "empty": 0}[piece.kind]
                    assert depth >= 0
                assert depth == 0


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(sorted(SAMPLES)), st.data())
def test_broken_documents_are_refused_with_a_reason(name: str, draw: st.DataObject) -> None:
    format_, data = SAMPLES[name]
    begin = draw.draw(st.integers(0, len(data)))
    end = draw.draw(st.integers(begin, min(len(data), begin + 60)))
    junk = draw.draw(st.binary(max_size=12) | st.sampled_from(SIGNS))
    changed = data[:begin] + junk + data[end:]
    try:
        document = read(changed, format_)
    except FormatError as error:
        check(error)
        return
    assert document.written({}) == changed
    read(copying().translate(changed, format_).data, format_)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(FORMATS)), st.binary(max_size=80) | st.text(max_size=80))
def test_any_bytes(format_: str, junk: bytes | str) -> None:
    data = junk if isinstance(junk, bytes) else junk.encode("utf-8", "surrogatepass")
    try:
        assert read(data, format_).written({}) == data
        copying().translate(data, format_)
    except FormatError as error:
        check(error)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(["html", "markdown"]),
    st.lists(st.sampled_from(PARTS), max_size=25),
)
def test_any_markup(format_: str, parts: list[str]) -> None:
    data = "".join(parts).encode()
    assert read(data, format_).written({}) == data
    made = copying().translate(data, format_).data.decode()
    for sign in ("](x)", "<b>", "</b>", "<i>", "<br>"):
        assert made.count(sign) <= data.decode().count(sign)


def test_formats_by_name() -> None:
    assert format_of("A.PO") == "po"
    assert format_of("x/y.markdown.gz") == "markdown"
    with pytest.raises(FormatError, match=r"suffix '.odt'.*--file-format"):
        format_of("a.odt")
    with pytest.raises(FormatError, match="without a suffix"):
        format_of("a")
    with pytest.raises(InputError, match=r"'markdwon'.*did you mean markdown"):
        read(b"", "markdwon")


def test_characters_beyond_the_charset() -> None:
    format_, data = SAMPLES["html-latin1"]
    made = copying().translate(data.replace(b"Das Haus", b"Haus &#20070;"), format_).data
    assert b"Haus &#20070;" in made
    format_, data = SAMPLES["po-latin1"]
    translator = DocumentTranslator(
        lambda texts: [one.replace("groß", "书") for one in texts], LANGUAGES
    )
    with pytest.raises(FormatError, match=r"line 11: '书' in a translation; expected .*ISO-8859-1"):
        translator.translate(data, format_)


def test_huge_documents_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FormatError, match="33 MB; expected at most 32 MB"):
        read(b"a" * (33 << 20), "html")
    monkeypatch.setattr("demotic.documents.docx._MAX_TOTAL", 1 << 20)
    with pytest.raises(FormatError, match="2 MB when unpacked; expected at most"):
        read(docx(word__bomb_xml=" " * (2 << 20)), "docx")


UNITS = [
    "<b>", "</b>", "<i></b>", "<!--", "<a '", '<a "', "[", "](", "`a``", "*a ", "_a", "$a ", "a@",
    ".", "…", " ", "\n", "|", "\\", "&", "http://", "{", "%(", "[^", "> ", "- ", "``` ", "Aa. <b>",
    "<li translate=no>",
]  # fmt: skip
LONG = [pytest.param(unit, marks=pytest.mark.long) for unit in UNITS]


@pytest.mark.parametrize("format_", ["html", "markdown", "po", "srt", "xliff"])
@pytest.mark.parametrize("unit", ["<i></b>", "Aa. </b>", *LONG])
def test_time_is_linear(format_: str, unit: str) -> None:
    """Quadratic work on this many repetitions would take minutes."""
    text = unit * 15_000 + " a."
    if format_ == "po":
        escaped = text.replace("\\", "").replace('"', '\\"').replace("\n", "\\n")
        text = f'msgid "{escaped}"\nmsgstr ""\n'
    if format_ == "srt":
        text = "1\n00:00:00,000 --> 00:00:01,000\n" + text
    if format_ == "xliff":
        escaped = text.replace("&", "&amp;").replace("<", "&lt;")
        head = '<xliff version="1.2"><file source-language="de"><body><trans-unit><source>'
        text = f"{head}{escaped}</source></trans-unit></body></file></xliff>"
    started = time.process_time()
    copying().translate(text.encode(), format_)
    assert time.process_time() - started < 5
