"""Recognises files that are not plain text by their names and first bytes."""

from __future__ import annotations

import os
import re

from demotic.errors import FormatError
from demotic.lines import PathLike, display_name, open_plain_bytes

__all__ = ["HEAD_BYTES", "kind_by_content", "kind_by_name", "refuse_markup"]

HEAD_BYTES = 4096

_SUFFIXES = {
    ".po": "PO",
    ".pot": "PO",
    ".tmx": "TMX",
    ".xlf": "XLIFF",
    ".xliff": "XLIFF",
    ".html": "HTML",
    ".htm": "HTML",
    ".xml": "XML",
    ".docx": "DOCX",
    ".srt": "SRT",
    ".odt": "ODT",
    ".pdf": "PDF",
}
# What `demotic translate --file` can translate.
_DOCUMENTS = ("PO", "TMX", "XLIFF", "HTML", "DOCX", "SRT", "DOCX, ODT or ZIP")
_PACKED = (".gz", ".xz", ".zst")


def kind_by_name(path: PathLike) -> str:
    """The kind of markup that a file name suggests; empty for other names."""
    name = os.fspath(path).lower()
    for suffix in _PACKED:
        name = name.removesuffix(suffix)
    return _SUFFIXES.get(os.path.splitext(name)[1], "")


def kind_by_content(head: bytes) -> str:
    """The kind of markup that a file starts with; empty for plain text."""
    text = head[:HEAD_BYTES].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if text.startswith(b"pk\x03\x04"):
        return "DOCX, ODT or ZIP"
    if text.startswith(b"%pdf-"):
        return "PDF"
    if text.startswith((b"<!doctype html", b"<html")):
        return "HTML"
    if text.startswith((b"<?xml", b"<tmx", b"<xliff")):
        return "TMX" if b"<tmx" in text else "XLIFF" if b"<xliff" in text else "XML"
    entry = re.search(rb'^msgid\s+"', text, re.MULTILINE)
    return "PO" if entry and re.search(rb'^msgstr(\[\d\])?\s+"', text, re.MULTILINE) else ""


def refuse_markup(path: PathLike, head: bytes | None = None) -> None:
    """Raises FormatError for a file whose markup would be translated as if it were text.

    `head` holds the first bytes of input that cannot be read twice, such as standard input.
    """
    kind = kind_by_name(path)
    if not kind:
        if head is None:
            head = next(open_plain_bytes(path), b"") if os.path.isfile(path) else b""
        kind = kind_by_content(head)
    if kind:
        raise FormatError(
            f"{kind} markup, which would be translated as if it were text",
            path=display_name(path),
            expected="plain text, one sentence per line",
            advice=f"{_advice(kind)}; --as-text translates the file as it is",
        )


def _advice(kind: str) -> str:
    if kind in _DOCUMENTS:
        return "give --file to translate it as a document"
    return "extract its sentences into a text file"
