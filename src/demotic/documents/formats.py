"""The formats of documents: their names, suffixes and readers."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

from demotic.documents.budget import Budget
from demotic.errors import FormatError, InputError
from demotic.suggestions import closest_name, did_you_mean

if TYPE_CHECKING:
    from demotic.documents.document import Document, Languages

__all__ = ["FORMATS", "format_of", "read_document"]


class Format(NamedTuple):
    title: str
    suffixes: tuple[str, ...]


FORMATS = {
    "po": Format("PO", (".po", ".pot")),
    "xliff": Format("XLIFF", (".xlf", ".xliff", ".mxliff", ".sdlxliff")),
    "tmx": Format("TMX", (".tmx",)),
    "html": Format("HTML", (".html", ".htm", ".xhtml")),
    "markdown": Format("Markdown", (".md", ".markdown")),
    "srt": Format("SRT", (".srt",)),
    "docx": Format("DOCX", (".docx",)),
}

_PACKED = (".gz", ".xz", ".zst")


def format_of(path: str | os.PathLike[str]) -> str:
    """By the suffix of a file name. Raises FormatError if it is not one of a document."""
    name = os.fspath(path).lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    suffix = os.path.splitext(name)[1]
    for format_, known in FORMATS.items():
        if suffix in known.suffixes:
            return format_
    suffixes = [suffix for known in FORMATS.values() for suffix in known.suffixes]
    raise FormatError(
        f"the suffix {suffix!r}" if suffix else "a name without a suffix",
        path=path,
        expected=f"a document: {', '.join(suffixes)}",
        advice="give the format with --file-format, or omit --file for plain text",
    )


def read_document(
    data: bytes, format_: str, name: str, languages: Languages, budget: Budget | None = None
) -> Document:
    """Raises FormatError with the line of malformed input, TooMuch if it exceeds the budget."""
    if format_ not in FORMATS:
        near = did_you_mean(closest_name(format_, FORMATS))
        raise InputError(f"the format {format_!r}{near}", expected=f"one of {', '.join(FORMATS)}")
    module = import_module(f"demotic.documents.{format_}")
    read = cast(
        "Callable[[bytes, str, Languages, Budget], Document]", getattr(module, f"read_{format_}")
    )
    return read(data, name, languages, budget or Budget())
