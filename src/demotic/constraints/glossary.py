"""Glossaries: source terms, their translations, and translations that must not be used.

    glossary = read_glossary("terms.tbx", source_language="de", target_language="en")
    glossary.terms[0]    # Term("Haus", ("house", "home"), forbidden=("hovel",), note="")

Formats: CSV and TSV (source, target, note, status; a header may name the columns) and TBX, old and
new (`tbx.py`).  A status such as `forbidden` or `deprecated` marks what is never used.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from demotic.errors import FormatError
from demotic.lines import PathLike, display_name, open_plain_bytes, write_text

if TYPE_CHECKING:
    from demotic.model import Model

__all__ = [
    "Entry",
    "Glossary",
    "Term",
    "is_forbidden",
    "model_glossary",
    "primary_language",
    "read_glossaries",
    "read_glossary",
]

MAX_BYTES = 64 << 20
_HEAD = 1000  # bytes in which the first "<" of an XML file is expected
_BEFORE_XML = b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"
_COLUMNS = ("source", "target", "note", "status")
_ALIASES = {"src": "source", "tgt": "target", "trg": "target", "comment": "note", "notes": "note"}
_FORBIDDEN = ("forbidden", "deprecated", "superseded", "obsolete", "donotuse", "nottobeused")


class Entry(NamedTuple):
    """One line of a glossary."""

    source: str
    target: str
    note: str = ""
    status: str = ""


def is_forbidden(status: str) -> bool:
    """Of any spelling: `deprecatedTerm-admn-sts`, `Do not use`."""
    letters = "".join(sign for sign in status.lower() if sign.isalpha())
    return any(word in letters for word in _FORBIDDEN)


@dataclass(frozen=True)
class Term:
    """A source term with all its translations."""

    source: str
    targets: tuple[str, ...]
    forbidden: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Glossary:
    """Entries of one or more files."""

    entries: tuple[Entry, ...]

    @property
    def terms(self) -> list[Term]:
        """Each source term once, its translations in the order of the entries."""
        by_source: dict[str, list[Entry]] = {}
        for entry in self.entries:
            by_source.setdefault(entry.source, []).append(entry)
        return [_term(source, entries) for source, entries in by_source.items()]

    def joined(self, other: Glossary) -> Glossary:
        return Glossary(tuple(dict.fromkeys((*self.entries, *other.entries))))

    def write(self, path: PathLike) -> None:
        """As TSV with a header."""
        with write_text(path) as file:
            for row in (_COLUMNS, *self.entries):
                line = "\t".join(" ".join(cell.split()) for cell in row)
                file.write(f" {line}\n" if _is_comment(line) else f"{line}\n")

    def __len__(self) -> int:
        return len(self.entries)


def _term(source: str, entries: Sequence[Entry]) -> Term:
    forbidden = dict.fromkeys(one.target for one in entries if is_forbidden(one.status))
    targets = dict.fromkeys(one.target for one in entries if one.target not in forbidden)
    notes = dict.fromkeys(one.note for one in entries if one.note)
    return Term(source, tuple(targets), tuple(forbidden), "; ".join(notes))


def read_glossary(
    path: PathLike, *, source_language: str = "", target_language: str = ""
) -> Glossary:
    """Raises FormatError with file and line; languages choose the terms of a TBX file."""
    data = b"".join(open_plain_bytes(path))
    name = display_name(path)
    if len(data) > MAX_BYTES:
        raise FormatError(
            f"{len(data):,} bytes", path=name, expected=f"a glossary of at most {MAX_BYTES:,} bytes"
        )
    suffix = Path(str(name).removesuffix(".gz")).suffix.lower()
    # Of any encoding: the bytes of "<" with those of a byte order mark and of UTF-16 around it.
    if suffix == ".tbx" or data[:_HEAD].lstrip(_BEFORE_XML)[:1] == b"<":
        from demotic.constraints.tbx import read_tbx

        return Glossary(tuple(read_tbx(data, name, source_language, target_language)))
    languages = (source_language, target_language)
    return Glossary(tuple(_table(_decoded(data, name), name, suffix == ".csv", languages)))


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError("malformed UTF-8", path=name, line=line, expected="UTF-8") from None


def _table(text: str, name: str, comma: bool, languages: tuple[str, str]) -> Iterator[Entry]:
    columns: Sequence[str] = _COLUMNS
    for place, (number, cells) in enumerate(_rows(text, name, comma=comma)):
        if place == 0 and (named := _header(cells, languages)):
            columns = named
            continue
        row = dict(zip(columns, (" ".join(cell.split()) for cell in cells), strict=False))
        source, target = row.get("source", ""), row.get("target", "")
        if not source or not target:
            raise FormatError(
                f"{cells!r}"[:80],
                path=name,
                line=number,
                expected="a source term and its translation, separated by a "
                f"{'comma' if comma else 'tab'}",
            )
        yield Entry(source, target, row.get("note", ""), row.get("status", ""))


def _rows(text: str, name: str, *, comma: bool) -> Iterator[tuple[int, list[str]]]:
    if not comma:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip() and not _is_comment(line):
                yield number, line.rstrip("\r").split("\t")
        return
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, cells
    except csv.Error as error:
        raise FormatError(
            f"{error}", path=name, line=reader.line_num, expected="CSV with quoted commas"
        ) from None


def _is_comment(line: str) -> bool:
    """`# terms` and `## Haus<tab>home`, but not `#MeToo<tab>#MeToo`."""
    return line.startswith("#") and ("\t" not in line or line[1] in " \t#")


def _header(cells: Sequence[str], languages: tuple[str, str]) -> list[str]:
    """The columns by their names, if the first row has names; languages are names, too."""
    known = dict(zip(map(primary_language, languages), _COLUMNS, strict=False))
    named = [cell.strip().removeprefix("#").lower() for cell in cells]
    named = [_ALIASES.get(cell, cell) for cell in named]
    columns = [known.get(primary_language(cell), cell) if cell else "" for cell in named]
    return columns if {"source", "target"} <= set(columns) else []


def primary_language(tag: str) -> str:
    """`de` of `de-DE` and `de_AT`; any other text stays as it is."""
    return tag.lower().replace("_", "-").split("-")[0]


def model_glossary(model: Model, files: Iterable[PathLike] = ()) -> Glossary | None:
    """The terms of the files, and those that the model carries; None if there are no glossaries."""
    own = model.glossary_path
    paths = [*files, *([own] if own is not None else [])]
    return read_glossaries(paths, model.info.source_language, model.info.target_language)


def read_glossaries(
    paths: Iterable[PathLike], source_language: str, target_language: str
) -> Glossary | None:
    """The terms of all files; None if there are no files."""
    languages = {"source_language": source_language, "target_language": target_language}
    found = [read_glossary(path, **languages) for path in paths]
    return reduce(Glossary.joined, found) if found else None
