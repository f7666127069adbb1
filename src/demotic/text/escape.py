"""Moses escapes: characters with a meaning in rule tables and markup, written as entities.

Escaped text holds no ` ||| `, `<` or `[`, so it cannot be mistaken for a separator, a tag or a
nonterminal; `unescape` restores it exactly.
"""

from __future__ import annotations

import re

__all__ = ["escape", "unescape"]

_ESCAPES = {
    "&": "&amp;",
    "|": "&#124;",
    "<": "&lt;",
    ">": "&gt;",
    "[": "&#91;",
    "]": "&#93;",
}
_QUOTES = {"'": "&apos;", '"': "&quot;"}
# Entities of older Moses versions, still found in corpora.
_OLD = {"&bar;": "|", "&bra;": "[", "&ket;": "]"}

_PLAIN = {entity: sign for sign, entity in (_ESCAPES | _QUOTES).items()} | _OLD
_ENTITY = re.compile("|".join(map(re.escape, _PLAIN)))


def escape(text: str, quotes: bool = False) -> str:
    """`quotes` escapes ' and " as well, as Moses' tokeniser does."""
    # `&` comes first in the table.  One `replace` per sign is faster than one pass over all signs.
    for sign, entity in _ESCAPES.items():
        text = text.replace(sign, entity)
    if quotes:
        for sign, entity in _QUOTES.items():
            text = text.replace(sign, entity)
    return text


def unescape(text: str) -> str:
    """The inverse, in a single pass: `&amp;lt;` becomes `&lt;`, not `<`."""
    if "&" not in text:
        return text
    return _ENTITY.sub(lambda match: _PLAIN[match[0]], text)
