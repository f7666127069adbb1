"""Which of Python's codecs can stand in the header of a PO or XML file."""

from __future__ import annotations

__all__ = ["is_text_charset"]

# A codec that gives these back unchanged reads markup and keywords as they are meant; others
# (UTF-7, base64, escapes within escapes) would let a file say something else than it shows.
_PROBE = "".join(map(chr, range(0x20, 0x7F))) + r"\u0041\x41"


def is_text_charset(name: str) -> bool:
    if not name.isascii() or "escape" in name.lower():
        return False
    try:
        return _PROBE.encode("ascii").decode(name) == _PROBE
    except (LookupError, ValueError):
        return False
