"""Gettext PO and POT: fills empty msgstr and marks the entry as fuzzy, for a person to confirm.

Plural forms: the first gets the translation of msgid, all others that of msgid_plural; the only
form of a language without plural also gets that of msgid_plural.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from demotic.documents.budget import Budget
from demotic.documents.charset import decoded
from demotic.documents.document import Languages, TextDocument
from demotic.documents.placeholders import with_codes
from demotic.documents.segment import Piece, Segment, Splice
from demotic.errors import FormatError
from demotic.text.readers.languages import language_fit
from demotic.text.readers.po_lexer import named_charset, unquote
from demotic.text.readers.reader import MAX_SEGMENT

__all__ = ["read_po"]

_BLANK = " \t\r\n\f\v"
_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
_KEYWORD = re.compile(
    r"(msgctxt|msgid_plural|msgid|msgstr|domain)(?:\[(\d{1,2})\])?[ \t]*(.*)", re.S
)
_LANGUAGE = re.compile(r"^Language:[ \t]*([^\s\\]*)", re.M)
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n", "\t": r"\t", "\r": r"\r"})
_EXPECTED = "msgid, msgstr, a string or a comment"


@dataclass(slots=True)
class _String:
    """One keyword with its strings; the place is that of the strings with their quotes."""

    begin: int = 0
    end: int = 0
    text: str = ""


@dataclass(slots=True)
class _Entry:
    line: int = 0
    begin: int = -1  # where a line of flags may be inserted
    flags: tuple[int, str] | None = None  # end of the line of flags, and the line
    strings: dict[str, _String] = field(default_factory=dict)


def read_po(data: bytes, name: str, languages: Languages, budget: Budget) -> TextDocument:
    text, encoded = decoded(data, name, named_charset(data))
    segments: list[Segment] = []
    header = None
    for entry in _Parser(text, name, budget).entries():
        if _is_header(entry):
            header = header or entry
        else:
            segments += _segments(text, entry, budget)
    more = [] if header is None else _header_splices(text, header, name, languages)
    return TextDocument(text, encoded, segments, more)


class _Parser:
    """Splits a file into entries."""

    def __init__(self, text: str, name: str, budget: Budget) -> None:
        self._text, self._name, self._budget = text, name, budget
        self._line = 0
        self._entry = _Entry()
        self._open: _String | None = None

    def entries(self) -> Iterator[_Entry]:
        for match in _LINE.finditer(self._text):
            self._line += 1
            self._budget.work()
            line = match[0].strip(_BLANK)
            begin = match.start() + len(match[0]) - len(match[0].lstrip(_BLANK))
            keyword = _KEYWORD.fullmatch(line)
            starts = line.startswith("#") or (keyword and keyword[1] in ("msgctxt", "msgid"))
            if starts and "msgstr" in self._entry.strings:
                yield self._taken()
            if line.startswith("#"):
                self._comment(line, begin)
            elif keyword:
                self._begin(keyword, begin)
            elif line:
                self._append(line, begin)
        if self._entry.strings:
            yield self._taken()

    def _taken(self) -> _Entry:
        entry, self._entry, self._open = self._entry, _Entry(), None
        if "msgstr" not in entry.strings or "msgid" not in entry.strings:
            self._line = entry.line
            raise self._error("msgid without msgstr", "both in each entry")
        return entry

    def _comment(self, line: str, begin: int) -> None:
        if line.startswith("#~"):
            self._entry = _Entry()  # comments before it belong to an obsolete entry
        elif line.startswith("#,"):
            self._entry.flags = begin + len(line), line
        elif line.startswith("#|") and self._entry.begin < 0:
            self._entry.begin = begin

    def _begin(self, keyword: re.Match[str], begin: int) -> None:
        entry, name = self._entry, keyword[1]
        if name == "domain":
            self._open = _String()
        else:
            entry.line = entry.line or self._line
            entry.begin = begin if entry.begin < 0 else entry.begin
            key = self._key(name, keyword[2])
            if key in entry.strings:
                raise self._error(f"a second {key}", "each keyword once per entry")
            self._open = entry.strings[key] = _String()
        if not keyword[3]:
            raise self._error(f"{name} without a string", "text between two double quotes")
        self._append(keyword[3], begin + keyword.start(3))

    def _key(self, name: str, index: str | None) -> str:
        if name != "msgstr":
            if index is not None:
                raise self._error(f"a numbered {name}", name)
            return name
        forms = sum(key.startswith("msgstr") for key in self._entry.strings)
        plural = "msgid_plural" in self._entry.strings
        if plural != (index is not None) or int(index or 0) != forms:
            found = name if index is None else f"{name}[{index}]"
            raise self._error(found, f"msgstr[{forms}]" if plural else "one msgstr")
        return f"msgstr[{forms}]" if forms else "msgstr"

    def _append(self, quoted: str, begin: int) -> None:
        text = unquote(quoted, lambda data: data.decode("utf-8", "replace"))
        if text is None:
            expected = "text between two double quotes" if quoted.startswith('"') else _EXPECTED
            raise self._error(repr(quoted[:40]), expected)
        if self._open is None:
            raise self._error("a string without a keyword", "msgid or msgstr before it")
        if len(self._open.text) + len(text) > MAX_SEGMENT:
            raise self._error(f"a string of more than {MAX_SEGMENT} characters", "sentences")
        if not self._open.end:
            self._open.begin = begin
        self._open.end = begin + len(quoted)
        self._open.text += text

    def _error(self, found: str, expected: str) -> FormatError:
        advice = "correct the file; msgfmt --check lists all its errors"
        return FormatError(
            found, path=self._name, line=self._line, expected=expected, advice=advice
        )


def _segments(text: str, entry: _Entry, budget: Budget) -> Iterator[Segment]:
    singular = entry.strings["msgid"].text
    plural = entry.strings.get("msgid_plural")
    forms = [one for key, one in entry.strings.items() if key.startswith("msgstr")]
    for i, form in enumerate(forms):
        source = plural.text if plural and (i > 0 or len(forms) == 1) else singular
        budget.segment(len(source))
        pieces = with_codes(source)
        budget.parts(len(pieces) - 1)
        yield Segment(
            pieces,
            _writer(text, entry, form),
            translated=bool(form.text.strip()),
            spaced=True,
        )


def _writer(text: str, entry: _Entry, form: _String) -> Callable[[Sequence[Piece]], list[Splice]]:
    newline = "\r\n" if text[form.end : form.end + 2] == "\r\n" else "\n"

    def write(pieces: Sequence[Piece]) -> list[Splice]:
        target = "".join(one if isinstance(one, str) else str(one.code) for one in pieces)
        return [Splice(form.begin, form.end, (_quoted(target, newline),)), *_fuzzy(entry, newline)]

    return write


def _fuzzy(entry: _Entry, newline: str) -> list[Splice]:
    if entry.flags is None:
        return [Splice(entry.begin, entry.begin, (f"#, fuzzy{newline}",))]
    end, line = entry.flags
    if "fuzzy" in re.split(r"[\s,]+", line):
        return []
    return [Splice(end, end, (", fuzzy",))]


def _quoted(text: str, newline: str) -> str:
    lines = text.split("\n")
    parts = [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    quoted = [f'"{part.translate(_ESCAPES)}"' for part in parts]
    return newline.join(['""', *quoted]) if len(quoted) > 1 else (quoted or ['""'])[0]


def _is_header(entry: _Entry) -> bool:
    return not entry.strings["msgid"].text and "msgctxt" not in entry.strings


def _header_splices(text: str, header: _Entry, name: str, languages: Languages) -> list[Splice]:
    """Completes the language and charset of a template."""
    place = header.strings["msgstr"]
    found = _LANGUAGE.search(place.text)
    if found and found[1] and languages.target and not language_fit(languages.target, found[1]):
        raise FormatError(
            f"a file in {found[1][:40]!r}",
            path=name,
            line=header.line,
            expected=f"{languages.target}, the language that the model translates into",
            advice="use another model, or correct Language in the header",
        )
    splices = []
    for pattern, value in (
        (r"Language: *(?=\\n)", f"Language: {languages.target}"),
        (r"charset=CHARSET", "charset=UTF-8"),
    ):
        match = re.compile(pattern).search(text, place.begin, place.end)
        if match and not value.endswith(" "):
            splices.append(Splice(match.start(), match.end(), (value,)))
    return splices
