"""URLs and e-mail addresses in running text: tokenisers must not take them apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

from demotic.text.tokenize.characters import UNSPACED

__all__ = ["ADDRESS", "is_address", "split_addresses"]

# Signs at the end of an address belong to the sentence, and so do scripts without spaces and their
# punctuation.
_OUTSIDE = rf"\s<>\"'{{}}|\\^`{UNSPACED}\u3000-\u303f\uff00-\uff65"
_URL = rf"(?:(?:https?|ftp)://|www\.)[^{_OUTSIDE}]*[^{_OUTSIDE}.,;:!?()\[\]]"
# Only the first character of a name can begin an address, so that long words take linear time.
_MAIL = r"(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]++@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}"
ADDRESS = f"{_URL}|{_MAIL}"
_FOUND = re.compile(ADDRESS)
_HINTS = ("://", "www.", "@")  # in every address


def split_addresses(text: str) -> Iterator[tuple[str, bool]]:
    """The pieces of a text, and whether each is an address."""
    if not any(hint in text for hint in _HINTS):
        yield text, False
        return
    end = 0
    for found in _FOUND.finditer(text):
        if found.start() > end:
            yield text[end : found.start()], False
        yield found[0], True
        end = found.end()
    if end < len(text):
        yield text[end:], False


def is_address(token: str) -> bool:
    return any(hint in token for hint in _HINTS) and _FOUND.fullmatch(token) is not None
