"""Moses escapes: characters that mean something in rule tables and markup, written as entities.

After `escape` no text holds ` ||| `, `<` or `[`, so it cannot be taken for a separator, a tag or a
nonterminal; `unescape` gives back exactly what was there.
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
# Names that older versions of Moses wrote, still met in corpora.
_OLD = {"&bar;": "|", "&bra;": "[", "&ket;": "]"}

_PLAIN = {entity: sign for sign, entity in (_ESCAPES | _QUOTES).items()} | _OLD
_ENTITY = re.compile("|".join(map(re.escape, _PLAIN)))


def escape(text: str, quotes: bool = False) -> str:
    """`quotes` escapes ' and " as well, as Moses' tokeniser does."""
    # `&` comes first in the table; a few searches for one sign each beat one look at each sign.
    for sign, entity in _ESCAPES.items():
        text = text.replace(sign, entity)
    if quotes:
        for sign, entity in _QUOTES.items():
            text = text.replace(sign, entity)
    return text


def unescape(text: str) -> str:
    """The inverse, in one pass: `&amp;lt;` is `&lt;` and stays so."""
    if "&" not in text:
        return text
    return _ENTITY.sub(lambda match: _PLAIN[match[0]], text)
