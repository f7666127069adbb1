"""HTML fragments: escaped text, elements, words with marks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher
from html import escape

__all__ = ["Html", "changed", "commands", "element", "joined", "marked", "pieces", "spoken"]

# A character of a script without spaces, a word, or anything else that is no space.
_PIECE = re.compile(r"[\u0e00-\u0e7f\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9f]|[\w'’-]+|\S")


class Html(str):
    """A fragment whose text is escaped already; everything else is escaped when it is shown."""

    __slots__ = ()


def element(name: str, *content: object, **attributes: object) -> Html:
    """An element; `class_` is the attribute class, data_label is data-label, None leaves it out."""
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{shown}>{joined(content)}</{name}>")


def joined(content: Iterable[object]) -> Html:
    return Html("".join(one if isinstance(one, Html) else escape(str(one)) for one in content))


def spoken(text: object, class_: str | None = None) -> Html:
    """Text of some language, which may be written from right to left."""
    return element("bdi", text, class_=class_, dir="auto")


def marked(words: Sequence[str], marks: Collection[int], class_: str, title: str = "") -> Html:
    """Words with spaces between; stretches of marked places are one element."""
    parts: list[Html] = []
    i = 0
    while i < len(words):
        end = i + 1
        while end < len(words) and (end in marks) == (i in marks):
            end += 1
        text = " ".join(words[i:end])
        one = element("mark", text, class_=class_, title=title or None) if i in marks else None
        parts.append(joined([text if one is None else one]))
        i = end
    return element("bdi", Html(" ".join(parts)), dir="auto")


def commands(lines: Iterable[str]) -> Html:
    """Commands to copy."""
    return element("pre", element("code", "\n".join(lines)), tabindex="0")


def changed(before: str, after: str) -> tuple[Html, Html]:
    """Both texts, with the words marked that the other does not have there."""
    places = [[*_PIECE.finditer(text)] for text in (before, after)]
    words = [[place.group() for place in one] for one in places]
    matcher = SequenceMatcher(None, *words, autojunk=False)
    kept: list[set[int]] = [set(), set()]
    for block in matcher.get_matching_blocks():
        kept[0] |= {*range(block.a, block.a + block.size)}
        kept[1] |= {*range(block.b, block.b + block.size)}
    return (
        _shown(before, places[0], kept[0], "gone"),
        _shown(after, places[1], kept[1], "new"),
    )


def pieces(text: str) -> list[str]:
    """The words that `changed` compares."""
    return _PIECE.findall(text)


def _shown(text: str, places: Sequence[re.Match[str]], kept: set[int], class_: str) -> Html:
    parts: list[object] = []
    at = 0
    i = 0
    while i < len(places):
        if i in kept:
            i += 1
            continue
        first = i
        while i < len(places) and i not in kept:
            i += 1
        begin, end = places[first].start(), places[i - 1].end()
        parts += [text[at:begin], element("mark", text[begin:end], class_=class_)]
        at = end
    return element("bdi", *parts, text[at:], dir="auto")
