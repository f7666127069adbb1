"""Splits paragraphs into sentences, by position, so that everything between them can be kept.

    split_sentences("Dr. Wu came. He sat down.", "en")     # [(0, 12), (13, 25)]

A terminator ends a sentence unless it belongs to an abbreviation, an initial or an ordinal number,
or the next word is in lower case.  Scripts without spaces need no space after it.
"""

from __future__ import annotations

import re

from demotic.text.languages import base_language, words
from demotic.text.tokenize.rules import LanguageRules, rules_for

__all__ = ["split_sentences"]

_CLOSERS = "\"'”’»›)\\]}」』）】〉》"
_OPENERS = "\"'“‘„‚«‹([{「『（【〈《¿¡-–—"
# Terminators that need no space after them, and those that do.
_END = re.compile(
    rf"(?P<full>[。！？｡]+|[؟۔।॥።။]+)[{_CLOSERS}]*|(?P<spaced>[.!?…‼⁇⁈⁉։]+)[{_CLOSERS}]*(?=\s)"
)
_GREEK_END = re.compile(rf"{_END.pattern}|(?P<question>;)[{_CLOSERS}]*(?=\s)")
_LAST_WORD = re.compile(r"[^\s]*\Z")
_ORDINAL_DIGITS = 2  # 3. Oktober, but not "im Jahr 1990."
_LONGEST_WORD = 40  # characters looked at before a full stop
_NEVER_LAST = words("e.g i.e eg ie cf")  # in any language: an example or explanation follows


def split_sentences(paragraph: str, language: str) -> list[tuple[int, int]]:
    """The begin and end of each sentence, without the white space around it.

    `language` may be empty: only the rules that most languages share.
    """
    base = base_language(language) if language else ""
    rules = rules_for(base)
    found, begin = [], 0
    for match in (_GREEK_END if base == "el" else _END).finditer(paragraph):
        if match.lastgroup != "full" and not _ends(paragraph, match, rules):
            continue
        found.append((begin, match.end()))
        begin = match.end()
    found.append((begin, len(paragraph)))
    stripped = (_stripped(paragraph, *span) for span in found)
    return [span for span in stripped if span[0] < span[1]]


def _ends(text: str, match: re.Match[str], rules: LanguageRules) -> bool:
    following = text[match.end() : match.end() + _LONGEST_WORD].lstrip()
    first = following.lstrip(_OPENERS)[:1] or following[:1]
    if not first:
        return True
    if first.islower() or first in ",;:":
        return False
    return match["spaced"] != "." or not _abbreviated(text, match.start(), first, rules)


def _abbreviated(text: str, stop: int, following: str, rules: LanguageRules) -> bool:
    """Whether the full stop at `stop` belongs to the word before it."""
    before = _LAST_WORD.search(text[max(0, stop - _LONGEST_WORD) : stop])
    word = before[0].lstrip(_OPENERS) if before else ""
    lowered = word.lower()
    initial = len(word) == 1 and word.isupper()
    if initial or lowered in rules.abbreviations or lowered in _NEVER_LAST:
        return True
    if lowered in rules.before_numbers:
        return following.isdigit()
    return rules.ordinals and word.isdecimal() and len(word) <= _ORDINAL_DIGITS


def _stripped(text: str, begin: int, end: int) -> tuple[int, int]:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    return begin, end
