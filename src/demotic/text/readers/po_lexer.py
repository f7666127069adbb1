"""Splits the lines of a gettext PO file into keywords and strings, in the header's charset.

Lexing works on decoded lines, because in Shift-JIS or Big5 a byte that looks like a backslash can
be half of a character.  Byte escapes (`\\303\\251`) are decoded with the same charset.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

__all__ = ["Decode", "byte_lines", "named_charset", "split_head", "unquote"]

Decode = Callable[[bytes], str]

MAX_LINE_BYTES = 1 << 22
_HEAD_BYTES = 1 << 16  # the header entry must be within these bytes

# The translation of the empty string, up to the first line that does not continue it.
_HEADER = re.compile(
    rb'^msgid[ \t]*""[ \t]*\r?\n(msgstr[^\n]*\n?(?:[ \t]*"[^\n]*\n?)*)', re.MULTILINE
)
_CHARSET = re.compile(rb'Content-Type:[^"\n]*?charset=([^\s"\\;]+)')
_STRINGS = re.compile(r'\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*')
_ESCAPE = re.compile(r"((?:\\x[0-9A-Fa-f]{1,2}|\\[0-7]{1,3})+)|\\(.)")
_ESCAPED_BYTE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3}))")
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def split_head(chunks: Iterable[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """The first bytes of a file, and an iterator over the whole file."""
    rest = iter(chunks)
    head = b""
    for data in rest:
        head += data
        if len(head) >= _HEAD_BYTES:
            break
    return head, chain([head], rest)


def named_charset(head: bytes) -> str:
    """The charset in the header; UTF-8 if it is missing or the template's word CHARSET."""
    header = _HEADER.search(head, 0, _HEAD_BYTES)
    match = _CHARSET.search(header[1]) if header else None
    name = match[1].decode("ascii", "replace") if match else "CHARSET"
    return "UTF-8" if name == "CHARSET" else name


def byte_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines without their ends; an excessively long line is yielded in pieces."""
    pending = b""
    for data in chunks:
        *lines, pending = (pending + data).split(b"\n")
        yield from lines
        if len(pending) > MAX_LINE_BYTES:
            yield pending
            pending = b""
    if pending:
        yield pending


def unquote(quoted: str, decode: Decode) -> str | None:
    """The content of one or more quoted strings; None if the text is not that."""
    parts, position = [], 0
    while match := _STRINGS.match(quoted, position):
        parts.append(match[1])
        position = match.end()
    if position != len(quoted) or not parts:
        return None
    text = "".join(parts)
    return _ESCAPE.sub(lambda match: _unescape(match, decode), text) if "\\" in text else text


def _unescape(match: re.Match[str], decode: Decode) -> str:
    if match[2] is not None:
        return _CONTROLS.get(match[2], match[2])
    codes = (
        int(hexadecimal, 16) if hexadecimal else int(octal, 8)
        for hexadecimal, octal in _ESCAPED_BYTE.findall(match[1])
    )
    return decode(bytes(code & 0xFF for code in codes))
