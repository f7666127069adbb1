"""What the fuzzer calls: every reader of files and markup that users and clients bring along.

Any bytes are either read or refused with the package's own error.  What is read can be written
back as it was, and a translated document can be read again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from demotic.constraints.glossary import read_glossary
from demotic.constraints.markup import pieces_of
from demotic.constraints.xml_input import read_xml
from demotic.documents.formats import read_document
from demotic.errors import FormatError, InputError
from demotic.text.readers import read_pairs
from tests.constraints.test_fuzz import LINES, SIGNS, TABLES, TBX
from tests.documents import test_all_formats
from tests.documents.samples import DOCX_XML, HTML, LANGUAGES, SAMPLES, copying, docx

__all__ = ["TARGETS", "Target", "check"]

Check = Callable[[bytes], None]

WORDS = [
    *(sign.encode("utf-8", "surrogatepass") for sign in SIGNS),
    *test_all_formats.SIGNS,
    *(part.encode() for part in test_all_formats.PARTS),
]
"""What the formats are made of; the fuzzer tries them in all places."""


class Target(NamedTuple):
    seeds: Sequence[bytes]
    check: Check


def check(target: str, data: bytes) -> None:
    """Raises whatever a reader should not have raised."""
    try:
        TARGETS[target].check(data)
    except (FormatError, InputError) as error:
        if not (error.found and error.expected):
            raise AssertionError("an error without what was found or expected") from error


def _document(format_: str, data: bytes) -> None:
    assert read_document(data, format_, "sample", LANGUAGES).written({}) == data
    made = copying().translate(data, format_).data
    try:
        read_document(made, format_, "sample", LANGUAGES)
    except FormatError as error:
        raise AssertionError("a translated document cannot be read") from error


def _document_in_docx(data: bytes) -> None:
    """Changes of the archive seldom reach the text in it."""
    _document("docx", docx(data.decode("utf-8", "replace")))


def _glossary(name: str, data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        found = read_glossary(path, source_language="de", target_language="en")
        assert all(one.source and one.target for one in found.entries)
        again = Path(folder) / "again.tsv"
        found.write(again)
        assert [one.source for one in read_glossary(again).terms] == [
            one.source for one in found.terms
        ]


def _pairs(format_: str, data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"sample.{format_}"
        path.write_bytes(data)
        for pair in read_pairs([path], source_language="de", target_language="en"):
            assert "\n" not in pair.source + pair.target


def _xml_words(data: bytes) -> None:
    found = read_xml(data.decode("utf-8", "replace"), line=1, name="text", decode=(True, True))
    assert "".join(found.pieces) == found.text


def _markup(form: str, data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    pieces = pieces_of(text, form)  # type: ignore[arg-type]
    if form != "xliff-inline":
        assert "".join(one.written or one.text for one in pieces) == text


def _samples(format_: str) -> list[bytes]:
    return [data for known, data in SAMPLES.values() if known == format_]


_FORMATS = ("po", "xliff", "tmx", "html", "markdown", "srt", "docx")
_PAIRS = [b"das Haus\tthe house\n", b'de\ten\n"a\tb"\tc\n']
_LINES = [line.encode() for line in LINES]

TARGETS: dict[str, Target] = {
    **{name: Target(_samples(name), partial(_document, name)) for name in _FORMATS},
    "docx-text": Target([DOCX_XML.encode()], _document_in_docx),
    "tbx": Target(TBX, partial(_glossary, "terms.tbx")),
    "csv-terms": Target(TABLES, partial(_glossary, "terms.csv")),
    "tsv-terms": Target(TABLES, partial(_glossary, "terms.tsv")),
    "xml-words": Target(_LINES, _xml_words),
    "html-inline": Target([*_LINES, HTML.encode()], partial(_markup, "html")),
    "tagged-text": Target(_LINES, partial(_markup, "text-with-tags")),
    "xliff-inline": Target(_LINES, partial(_markup, "xliff-inline")),
    **{
        f"{name}-pairs": Target(_samples(name) or _PAIRS, partial(_pairs, name))
        for name in ("po", "xliff", "tmx", "tsv")
    },
}
