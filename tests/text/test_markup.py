"""Files that are not plain text are recognised by name and by content."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from demotic.errors import FormatError
from demotic.text.markup import kind_by_content, kind_by_name, refuse_markup

PO = b'# header\nmsgid ""\nmsgstr ""\n\nmsgid "House"\nmsgstr "Haus"\n'


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.po", "PO"),
        ("a.PO.gz", "PO"),
        ("a.tmx", "TMX"),
        ("a.xliff", "XLIFF"),
        ("a.html", "HTML"),
        ("a.docx", "DOCX"),
        ("a.zh", ""),
        ("apo", ""),
        ("-", ""),
    ],
)
def test_names(name: str, kind: str) -> None:
    assert kind_by_name(name) == kind


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (PO, "PO"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<tmx version='1.4'>", "TMX"),
        (b"<?xml version='1.0'?><xliff>", "XLIFF"),
        (b"<?xml version='1.0'?><a/>", "XML"),
        (b"\n <!DOCTYPE html><html>", "HTML"),
        (b"PK\x03\x04\x14\x00", "DOCX, ODT or ZIP"),
        (b"%PDF-1.7", "PDF"),
        (b'<seg grammar="g.gz"> text </seg>\n', ""),
        (b"a < b and b > c\n", ""),
        (b"PK is a name\n", ""),
        (b'msgid "House" without its translation\n', ""),
        (b"", ""),
    ],
)
def test_contents(head: bytes, kind: str) -> None:
    assert kind_by_content(head) == kind


def test_files(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(gzip.compress(PO))
    with pytest.raises(
        FormatError, match="PO markup, which would be translated as if it were text"
    ):
        refuse_markup(tmp_path / "text")
    (tmp_path / "plain").write_bytes(b"House\n")
    refuse_markup(tmp_path / "plain")
    refuse_markup(tmp_path / "not there")
    refuse_markup("-", b"House\n")
    with pytest.raises(FormatError, match="standard input: PO markup"):
        refuse_markup("-", PO)
