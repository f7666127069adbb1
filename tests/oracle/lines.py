"""The rules of text lines, slowly and from their definition: what the native parser has to equal.

UTF-8 is Python's own decoder, white space and control characters are those of the Unicode
database, so nothing is shared with the native code but the wording of the refusal.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

__all__ = ["Parsed", "parse"]

NOTICES = ("byte_order_marks", "carriage_returns", "controls", "replaced", "skipped")


@dataclass
class Parsed:
    lines: list[str] = field(default_factory=list)
    notices: dict[str, int] = field(default_factory=lambda: dict.fromkeys(NOTICES, 0))
    refused: tuple[int, str] | None = None  # line and what was found


def parse(data: bytes, policy: str, keep_tabs: bool) -> Parsed:
    parsed = Parsed()
    pieces = data.split(b"\n")
    if pieces[-1] == b"":
        pieces.pop()  # what follows the last line end is a line only if there is something
    for number, piece in enumerate(pieces, start=1):
        line = _stripped(piece, parsed)
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            if policy == "refuse":
                found = f"byte 0x{line[error.start]:02X} at position {error.start + 1}"
                parsed.refused = (number, f"{found}, which is not UTF-8")
                return parsed
            parsed.notices["replaced" if policy == "replace" else "skipped"] += 1
            if policy == "skip":
                parsed.lines.append("")
                continue
            text = line.decode("utf-8", "replace")
        parsed.notices["controls"] += any(_becomes_space(c) and c not in " \t" for c in text)
        kept = "\t" if keep_tabs else ""
        cleaned = (" " if _becomes_space(c) and c not in kept else c for c in text)
        parsed.lines.append("".join(cleaned))
    return parsed


def _stripped(line: bytes, parsed: Parsed) -> bytes:
    parsed.notices["carriage_returns"] += line.endswith(b"\r")
    line = line.rstrip(b"\r")
    parsed.notices["byte_order_marks"] += line.startswith(b"\xef\xbb\xbf")
    return line.removeprefix(b"\xef\xbb\xbf")


def _becomes_space(character: str) -> bool:
    return unicodedata.category(character) == "Cc" or character == " "
