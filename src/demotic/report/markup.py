"""HTML fragments: escaped text, elements, words with marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from html import escape
from itertools import groupby

__all__ = ["Html", "bidi_text", "changed", "commands", "element", "joined", "marked", "merged"]

# A character of a script without spaces, a word, or any other non-space character, together with
# the spaces before it.
_PIECE = re.compile(
    r"\s*(?:[\u0e00-\u0e7f\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9f]|[^\W\u0e00-\u0e7f\u2e80-\uffef]"
    r"(?:[^\W\u0e00-\u0e7f\u2e80-\uffef]|['’-](?=\w))*|\S)"
)


class Html(str):
    """A fragment whose text is already escaped; all other text is escaped when rendered."""

    __slots__ = ()


def element(name: str, *content: object, **attributes: object) -> Html:
    """An element; `class_` is the attribute class, data_label is data-label; None omits it."""
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{shown}>{joined(content)}</{name}>")


def joined(content: Iterable[object]) -> Html:
    return Html("".join(one if isinstance(one, Html) else escape(str(one)) for one in content))


def bidi_text(text: object, class_: str | None = None) -> Html:
    """Natural-language text, which may be written from right to left."""
    return element("bdi", text, class_=class_, dir="auto")


def marked(words: Sequence[str], classes: Mapping[int, str], title: str = "") -> Html:
    """Words separated by spaces; adjacent words of the same class form one marked span."""
    parts: list[Html] = []
    for class_, places in groupby(range(len(words)), classes.get):
        text = " ".join(words[i] for i in places)
        known = joined([text]) if class_ is None else None
        parts.append(known or element("mark", text, class_=class_, title=title or None))
    return element("bdi", Html(" ".join(parts)), dir="auto")


def commands(lines: Iterable[str]) -> Html:
    """Commands to copy and paste."""
    return element("pre", element("code", "\n".join(lines)), tabindex="0")


def changed(before: str, after: str) -> tuple[Html, Html]:
    """Both texts, with the words marked that differ."""
    parts = _compared(before, after)
    old = _line((text, "" if same else "gone") for text, _, same in parts)
    return old, _line((text, "" if same else "new") for _, text, same in parts)


def merged(before: str, after: str) -> Html:
    """One text in which removed words are struck out and new words underlined."""
    stretches: list[tuple[str, str]] = []
    for old, new, same in _compared(before, after):
        space = " " if old and new and not new[0].isspace() else ""
        kept = old if old[:1].isspace() else new  # keep a space that only one of them has
        stretches += [(kept, "")] if same else [(old, "gone"), (space + new, "new")]
    return _line(stretches)


def _compared(before: str, after: str) -> list[tuple[str, str, bool]]:
    """Aligned spans of words, with the spaces before them: of each text, and whether equal."""
    texts = _PIECE.findall(before), _PIECE.findall(after)
    old, new = ([piece.strip() for piece in pieces] for pieces in texts)
    found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        ("".join(texts[0][a:b]), "".join(texts[1][c:d]), kind == "equal")
        for kind, a, b, c, d in found
    ]


def _line(stretches: Iterable[tuple[str, str]]) -> Html:
    """Text with classes of marks; leading spaces stay outside the mark."""
    parts: list[object] = []
    for text, class_ in stretches:
        inner = text.lstrip()
        parts.append(text[: len(text) - len(inner)])
        parts.append(element("mark", inner, class_=class_) if class_ and inner else inner)
    return element("bdi", *parts, dir="auto")
