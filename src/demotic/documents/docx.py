"""DOCX: paragraphs of the text, headers, footers, notes and comments; formatting becomes tags.

A paragraph is a row of runs, each with its own formatting.  The formatting of most of the text is
that of the paragraph; every other is a pair of tags around its text, and the runs are made anew
from the translation.  Pictures, fields, breaks and links are tags as they are.
"""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass

from demotic.documents.budget import Budget
from demotic.documents.charset import MAX_BYTES
from demotic.documents.document import Languages, TextDocument
from demotic.documents.segment import (
    Piece,
    Segment,
    Span,
    Splice,
    Tag,
    has_words,
    matched,
    plain_text,
)
from demotic.documents.xml_tree import Element, Text, escaped, read_xml
from demotic.errors import FormatError

__all__ = ["read_docx"]

_ROOTS = ("document", "hdr", "ftr", "footnotes", "endnotes", "comments")
_PARTS = ("document", "header", "footer", "footnotes", "endnotes", "comments")
_MAX_PARTS = 5000
_MAX_TOTAL = 8 * MAX_BYTES
_ENTRY = b"PK\x01\x02"  # what every entry of a directory begins with
_CHUNK = 1 << 20
# What zipfile raises for archives that are none.
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    ArithmeticError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)
_AROUND = ("hyperlink", "ins", "smartTag", "sdt", "sdtContent", "fldSimple")


def read_docx(data: bytes, name: str, languages: Languages, budget: Budget) -> DocxDocument:
    try:
        if data.count(_ENTRY) > 2 * _MAX_PARTS:  # before zipfile lists them all
            raise _refused("an archive of very many files", name, f"at most {_MAX_PARTS:,}")
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = list(_parts(archive, name, budget))
            for info in archive.infolist():
                for _ in _chunks(archive, info):  # of which the last one has its checksum tested
                    budget.work()
            return DocxDocument(data, parts)
    except _BROKEN as error:
        raise _refused(f"a broken archive ({error})", name, "a complete DOCX file") from None


@dataclass(frozen=True)
class DocxDocument:
    """The archive, and its parts with text."""

    data: bytes
    parts: list[tuple[str, TextDocument]]

    @property
    def segments(self) -> list[Segment]:
        return [segment for _, part in self.parts for segment in part.segments]

    def written(self, targets: Mapping[int, Sequence[Piece]]) -> bytes:
        if not targets:
            return self.data
        changed: dict[str, bytes] = {}
        first = 0
        for name, part in self.parts:
            own = range(first, first + len(part.segments))
            chosen = {i - first: targets[i] for i in own if i in targets}
            if chosen:
                changed[name] = part.written(chosen)
            first += len(part.segments)
        out = io.BytesIO()
        with (
            zipfile.ZipFile(io.BytesIO(self.data)) as old,
            zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
        ):
            for info in old.infolist():
                if info.filename in changed:
                    new.writestr(info, changed[info.filename])
                    continue
                with new.open(copy(info), "w") as file:  # which changes it
                    for chunk in _chunks(old, info):
                        file.write(chunk)
        return out.getvalue()


def _chunks(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    """The content of a file, which may be large although the archive is small."""
    with archive.open(info) as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def _parts(
    archive: zipfile.ZipFile, name: str, budget: Budget
) -> Iterator[tuple[str, TextDocument]]:
    infos = archive.infolist()
    names = [info.filename for info in infos]
    if len(infos) > _MAX_PARTS or sum(info.file_size for info in infos) > _MAX_TOTAL:
        raise _refused(
            f"an archive of {len(infos):,} files and "
            f"{sum(info.file_size for info in infos) >> 20:,} MB when unpacked",
            name,
            f"at most {_MAX_PARTS:,} files and {_MAX_TOTAL >> 20} MB",
        )
    if len(set(names)) < len(names) or any(info.flag_bits & 1 for info in infos):
        raise _refused("an encrypted archive, or one with equal names", name, "a DOCX file")
    if "word/document.xml" not in names:
        raise _refused("an archive without word/document.xml", name, "a DOCX file")
    wanted = [info for info in infos if _has_text(info.filename)]
    size = sum(info.file_size for info in wanted)
    if size > MAX_BYTES:
        raise _refused(f"{size >> 20:,} MB of text", name, f"at most {MAX_BYTES >> 20} MB")
    for info in wanted:
        part = info.filename
        yield part, _part(archive.read(info), f"{name} ({part})", budget)


def _has_text(part: str) -> bool:
    folder, _, file = part.rpartition("/")
    return folder == "word" and file.endswith(".xml") and file.startswith(_PARTS)


def _part(data: bytes, name: str, budget: Budget) -> TextDocument:
    text, encoded, root = read_xml(data, name, budget, *_ROOTS)
    return TextDocument(text, encoded, [*_Paragraphs(text, budget).below(root)])


class _Paragraphs:
    def __init__(self, text: str, budget: Budget) -> None:
        self._text, self._budget = text, budget

    def below(self, element: Element) -> Iterator[Segment]:
        for child in element.children:
            if isinstance(child, Element):
                if child.name == "p":
                    yield from self._paragraph(child)
                yield from self.below(child)

    def _paragraph(self, paragraph: Element) -> Iterator[Segment]:
        content = [one for one in paragraph.children if not _is(one, "pPr")]
        elements = [one for one in content if isinstance(one, Element)]
        if not elements:
            return
        prefix = self._text[paragraph.begin + 1 : paragraph.open_end].split(">")[0].split()[0]
        runs = _Runs(self._text, prefix.removesuffix("p"))
        pieces = matched(runs.pieces(elements))
        if not has_words(pieces):
            return
        self._budget.segment(len(plain_text(pieces)))
        begin, end = elements[0].begin, elements[-1].end

        def write(target: Sequence[Piece]) -> list[Splice]:
            return [Splice(begin, end, runs.written(target))]

        yield Segment(pieces, write)


class _Runs:
    """The runs of one paragraph: formats are numbered, the one of most of the text is the base."""

    def __init__(self, text: str, prefix: str) -> None:
        self._text = text
        self._prefix = prefix  # of the namespace, with its colon
        self._formats: dict[str, int] = {}
        self._base = 0

    def pieces(self, elements: Sequence[Element]) -> list[Piece]:
        flat = list(self._flat(elements))
        sizes: Counter[int] = Counter()
        for form, piece in flat:
            sizes[form] += len(piece) if isinstance(piece, str) else 0
        self._base = sizes.most_common(1)[0][0] if sizes else 0
        return list(self._tagged(flat))

    def _flat(self, elements: Sequence[Element]) -> Iterator[tuple[int, Piece]]:
        """Text and tags, each with its format; -1 for what is not in a run."""
        for one in elements:
            if one.name == "r":
                yield from self._run(one)
            elif one.name in _AROUND and one.children:
                key = str(one.begin)
                yield -1, Tag("open", Span(one.begin, one.open_end), key)
                inner = [child for child in one.children if isinstance(child, Element)]
                yield from self._flat(inner)
                yield -1, Tag("close", Span(one.close_begin, one.end), key)
            elif one.name not in ("proofErr", "lastRenderedPageBreak"):
                yield -1, Tag("empty", Span(one.begin, one.end))

    def _run(self, run: Element) -> Iterator[tuple[int, Piece]]:
        style = run.first("rPr")
        raw = self._text[style.begin : style.end] if style is not None else ""
        form = self._formats.setdefault(raw, len(self._formats))
        for child in run.children:
            if not isinstance(child, Element) or child.name in ("rPr", "lastRenderedPageBreak"):
                continue
            if child.name == "t":
                yield form, "".join(one.text for one in child.children if isinstance(one, Text))
            else:
                yield form, Tag("empty", Span(child.begin, child.end), f"run {form}")

    def _tagged(self, flat: Sequence[tuple[int, Piece]]) -> Iterator[Piece]:
        """Pairs of tags around text that is not in the format of the paragraph."""
        current = -1
        for form, piece in flat:
            wanted = form if isinstance(piece, str) and form != self._base else -1
            if isinstance(piece, Tag) and piece.key == f"run {current}":
                wanted = current
            if wanted != current:
                if current >= 0:
                    yield Tag("close", "", f"format {current}")
                if wanted >= 0:
                    yield Tag("open", "", f"format {wanted}")
                current = wanted
            yield piece
        if current >= 0:
            yield Tag("close", "", f"format {current}")

    def written(self, pieces: Sequence[Piece]) -> tuple[str | Span, ...]:
        formats = list(self._formats)
        open_ = [self._base]
        parts: list[str | Span] = []
        for piece in pieces:
            if isinstance(piece, str):
                style = formats[open_[-1]] if formats else ""
                parts.append(self._in_run(style, f'<{self._prefix}t xml:space="preserve">'))
                parts.append(f"{escaped(piece)}</{self._prefix}t></{self._prefix}r>")
            elif piece.key.startswith("format "):
                if piece.kind == "open":
                    open_.append(int(piece.key[7:]))
                else:
                    open_.pop()
            elif piece.key.startswith("run "):
                parts.append(self._in_run(formats[int(piece.key[4:])], ""))
                parts += [_span(piece), f"</{self._prefix}r>"]
            else:
                parts.append(_span(piece))
        return tuple(parts)

    def _in_run(self, style: str, more: str) -> str:
        return f"<{self._prefix}r>{style}{more}"


def _span(tag: Tag) -> str | Span:
    return tag.code


def _is(child: object, name: str) -> bool:
    return isinstance(child, Element) and child.name == name


def _refused(found: str, name: str, expected: str) -> FormatError:
    return FormatError(found, path=name, expected=expected, advice="save the document again")
