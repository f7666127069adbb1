"""Gettext PO: each msgid and msgstr form a pair; plural entries form several.

Fuzzy, obsolete and untranslated entries are skipped and counted.  If the header's language is the
requested source language, the file is read in reverse.  A plural entry pairs msgid with the first
form and msgid_plural with each other form, or with the only form of languages that have just one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from demotic.errors import FormatError
from demotic.lines import PathLike, open_plain_bytes
from demotic.text.pairs import Pair
from demotic.text.readers.charsets import is_text_charset
from demotic.text.readers.languages import directed
from demotic.text.readers.po_lexer import (
    MAX_LINE_BYTES,
    byte_lines,
    named_charset,
    split_head,
    unquote,
)
from demotic.text.readers.reader import MAX_SEGMENT, ReadOptions, SegmentReader

__all__ = ["PoReader"]

_KEYWORD = re.compile(
    r"(msgctxt|msgid_plural|msgid|msgstr|domain)(?:\[([0-9]{1,2})\])?\s*(.*)", re.S
)
_LANGUAGE = re.compile(r"^Language:[ \t]*(\S+)", re.M)


@dataclass
class _Entry:
    """One entry while it is being read; its strings are kept as the parts found in the file."""

    line: int = 0
    fuzzy: bool = False
    size: int = 0
    sources: dict[str, list[str]] = field(default_factory=dict)  # by keyword
    forms: list[list[str]] = field(default_factory=list)  # the translations
    open: list[str] | None = None  # the string that the next line may continue

    def translations(self) -> list[tuple[str, str]]:
        source = "".join(self.sources["msgid"])
        forms = list(map("".join, self.forms))
        if "msgid_plural" not in self.sources:
            return [(source, forms[0])]
        plural = "".join(self.sources["msgid_plural"])
        if len(forms) == 1:
            return [(plural, forms[0])]
        return [(source, forms[0]), *((plural, form) for form in forms[1:])]


class PoReader(SegmentReader):
    """Pairs of the messages of a program and their translations."""

    def __init__(self, path: PathLike, options: ReadOptions) -> None:
        super().__init__(path, options)
        self._charset = "UTF-8"
        self._direction = 1  # -1 if msgid is in the target language
        self._line = self._unit = 0
        self._entry = _Entry()

    def segments(self) -> Iterator[Pair]:
        head, chunks = split_head(open_plain_bytes(self.path))
        self._charset = named_charset(head)
        if not is_text_charset(self._charset):
            raise self._error(f"the charset {self._charset!r}", "UTF-8 or another known charset")
        for number, data in enumerate(byte_lines(chunks), 1):
            self._line = number
            if len(data) > MAX_LINE_BYTES:
                raise self._error("a line of more than 4 MB", "lines of text")
            yield from self._read_line(self._decode(data).strip("\ufeff \t\r\f\v"))
        yield from self._end_entry()

    def _decode(self, data: bytes) -> str:
        try:
            return data.decode(self._charset)
        except UnicodeError:
            if self.options.encoding_errors == "refuse":
                raise self._error(
                    f"text that is not {self._charset}", "the charset of the header"
                ) from None
        # Such bytes are replaced or skipped, and counted, when the text is cleaned.
        return data.decode(self._charset, "replace").replace("\ufffd", "\udcff")

    def _read_line(self, line: str) -> Iterator[Pair]:
        """Processes a line; yields the pairs of the entry that it ends."""
        if not line:
            return
        if line.startswith("#"):
            if self._entry.forms:
                yield from self._end_entry()
            self._read_comment(line)
        elif line.startswith('"'):
            self._append(line)
        else:
            match = _KEYWORD.fullmatch(line)
            if match is None:
                raise self._error(f"{line[:40]!r}", "msgid, msgstr, a string or a comment")
            if self._entry.forms and match[1] != "msgstr":
                yield from self._end_entry()
            self._begin(match[1], match[2])
            if match[3]:
                self._append(match[3])

    def _read_comment(self, line: str) -> None:
        if line.startswith(("#,", "#=")) and "fuzzy" in re.split(r"[\s,]+", line[2:]):
            self._entry.fuzzy = True
        elif re.match(r"#~\s*msgid\s", line):
            self._unit += 1
            self.skipped["obsolete"] += 1
            self._entry.fuzzy = False  # the flag belonged to the obsolete entry

    def _begin(self, keyword: str, index: str | None) -> None:
        entry = self._entry
        entry.open = []
        if keyword == "msgstr":
            self._check_form(index)
            entry.forms.append(entry.open)
            return
        if keyword in entry.sources or index is not None:
            raise self._error(f"a second or numbered {keyword}", "each keyword once per entry")
        if keyword == "msgid":
            entry.line = self._line
        entry.sources[keyword] = entry.open

    def _check_form(self, index: str | None) -> None:
        entry = self._entry
        if "msgid" not in entry.sources:
            raise self._error("msgstr without msgid", "msgid before it")
        plural = "msgid_plural" in entry.sources
        if int(index or 0) != len(entry.forms) or plural != (index is not None):
            found = "msgstr" if index is None else f"msgstr[{index}]"
            raise self._error(found, f"msgstr[{len(entry.forms)}]" if plural else "one msgstr")

    def _append(self, quoted: str) -> None:
        entry = self._entry
        if entry.open is None:
            raise self._error("a string without a keyword", "msgid or msgstr before it")
        text = unquote(quoted, self._decode)
        if text is None:
            raise self._error(f"{quoted[:40]!r}", "text between two double quotes")
        entry.open.append(text)
        entry.size += len(text)
        if entry.size > MAX_SEGMENT:
            raise self._error(f"an entry of more than {MAX_SEGMENT} characters", "sentences")

    def _end_entry(self) -> Iterator[Pair]:
        entry, self._entry = self._entry, _Entry()
        if not entry.forms:
            if "msgid" in entry.sources:
                self._line = entry.line
                raise self._error("msgid without msgstr", "both in each entry")
            return
        if not any(entry.sources["msgid"]) and "msgctxt" not in entry.sources:
            self._read_header(entry)
            return
        self._unit += 1
        if entry.fuzzy:
            self.skipped["fuzzy"] += 1
            return
        pairs = [(source, target) for source, target in entry.translations() if target.strip()]
        self.skipped["untranslated"] += not pairs
        for source, target in pairs:
            both = (source, target) if self._direction > 0 else (target, source)
            yield Pair(*both, self.origin, self._unit)

    def _read_header(self, entry: _Entry) -> None:
        match = _LANGUAGE.search("".join(entry.forms[0]))
        wanted = self.options.source_language, self.options.target_language
        self._direction = directed(*wanted, ("", match[1])) if match else 1
        if match and not self._direction:
            self._line = entry.line
            raise self._error(f"a file in {match[1][:40]!r}", " or ".join(wanted))

    def _error(self, found: str, expected: str) -> FormatError:
        advice = "correct the file; msgfmt --check lists all its errors"
        return self.error(found, self._line, expected=expected, advice=advice)
