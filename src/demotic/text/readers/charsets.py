"""Which of Python's codecs are accepted in the header of a PO or XML file."""

from __future__ import annotations

__all__ = ["is_text_charset"]

# A codec must leave these characters unchanged, so that markup and keywords are read as written;
# others (UTF-7, base64, nested escapes) could hide content.
_PROBE = "".join(map(chr, range(0x20, 0x7F))) + r"\u0041\x41"


def is_text_charset(name: str) -> bool:
    if not name.isascii() or "escape" in name.lower():
        return False
    try:
        return _PROBE.encode("ascii").decode(name) == _PROBE
    except (LookupError, ValueError):
        return False
