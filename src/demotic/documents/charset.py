"""The characters of a document, decoded so that unchanged text gives the same bytes again."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from demotic.errors import FormatError
from demotic.text.readers.charsets import is_text_charset

__all__ = ["MAX_BYTES", "Encoded", "decoded", "line_at"]

MAX_BYTES = 32 << 20

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True)
class Encoded:
    """How text becomes bytes."""

    charset: str = "utf-8"
    mark: bytes = b""  # the byte order mark at the beginning
    name: str = ""  # of the document, for errors
    references: bool = False  # characters beyond the charset become &#...;

    def encode(self, text: str) -> bytes:
        try:
            errors = "xmlcharrefreplace" if self.references else "strict"
            return self.mark + text.encode(self.charset, errors)
        except UnicodeEncodeError as error:
            raise FormatError(
                f"{text[error.start]!r} in a translation",
                path=self.name,
                line=line_at(text, error.start),
                expected=f"characters of {self.charset}",
                advice="convert the document to UTF-8 first",
            ) from None


def decoded(
    data: bytes, name: str, declared: str = "", *, references: bool = False
) -> tuple[str, Encoded]:
    """Text and encoding. A byte order mark wins over the charset that the document declares."""
    if len(data) > MAX_BYTES:
        raise FormatError(
            f"a document of {len(data) >> 20} MB",
            path=name,
            expected=f"at most {MAX_BYTES >> 20} MB",
            advice="split it",
        )
    mark, charset = next((one for one in _MARKS if data.startswith(one[0])), (b"", ""))
    charset = charset or declared or "utf-8"
    if not charset.startswith("utf-16-") and not is_text_charset(charset):
        raise _unreadable(name, 1, f"the charset {charset[:40]!r}")
    body = data[len(mark) :]
    try:
        text = body.decode(charset)
    except UnicodeError as error:
        at = error.start if isinstance(error, UnicodeDecodeError) else 0
        raise _unreadable(
            name, body.count(b"\n", 0, at) + 1, f"text that is not {charset}"
        ) from None
    encoded = Encoded(charset, mark, name, references)
    if text.encode(charset) != body:
        raise _unreadable(name, 1, f"text in {charset}, which cannot be written back as it is")
    return text, encoded


def line_at(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _unreadable(name: str, line: int, found: str) -> FormatError:
    advice = "convert the document to UTF-8"
    return FormatError(found, path=name, line=line, expected="UTF-8", advice=advice)
