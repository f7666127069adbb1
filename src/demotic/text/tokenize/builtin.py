"""The built-in tokeniser, for every language, with `re` and `unicodedata` only.

It splits each stretch between spaces independently, so that tokenising is idempotent:
tokenize(" ".join(tokenize(x))) == tokenize(x).  Only white space is lost or added.  Scripts
without spaces (Han, Kana, Thai, Lao, Khmer, Myanmar ...) are split into characters with their
marks, which the tokeniser `unigram` joins to words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from itertools import chain

from demotic.text.languages import base_language
from demotic.text.tokenize.characters import APOSTROPHES, FLAG, HYPHENS, classes, is_plain
from demotic.text.tokenize.rules import LanguageRules, rules_for
from demotic.text.tokenize.spacing import Spacing

__all__ = ["BuiltinTokenizer"]

# Increase when the same text would be tokenised differently.
RULES_VERSION = 2

# Most short stretches of a text repeat, so they are cached; long ones do not repeat.
_REMEMBERED = 1 << 17
_REMEMBERED_LENGTH = 40

_NOTHING = "(?!)"  # matches nowhere
# ASCII only, because Chinese text may follow an address without a space.
_ADDRESS = r"[!#-;=?-~]*[A-Za-z0-9_/]"
_HOST = r"[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)*\.[A-Za-z]{2,}(?![A-Za-z0-9])"


class BuiltinTokenizer:
    """Splits by general rules for all scripts and some for the language."""

    name = "builtin"
    version = f"{RULES_VERSION} (Unicode {unicodedata.unidata_version})"

    def __init__(self, language: str) -> None:
        self._base = base_language(language)
        self._rules = rules_for(self._base)
        self._spacing = Spacing(self._base)
        self._known: dict[str, list[str]] = {}

    # Compiled when first used: the one for all text takes a twentieth of a second.

    @cached_property
    def _find(self) -> Callable[[str], list[str]]:
        return _pattern(self._base, plain=False).findall

    @cached_property
    def _find_plain(self) -> Callable[[str], list[str]]:
        return _pattern(self._base, plain=True).findall

    def tokenize(self, line: str) -> list[str]:
        return list(chain.from_iterable(self.stretches(line)))

    def stretches(self, line: str) -> Iterator[list[str]]:
        """The tokens of each stretch between spaces."""
        known = self._known.get
        stretches = line.split()
        for i, stretch in enumerate(stretches):
            yield known(stretch) or self._cut(stretches, i)

    def detokenize(self, tokens: Sequence[str]) -> str:
        return self._spacing.join(tokens)

    def _cut(self, stretches: list[str], i: int) -> list[str]:
        stretch = stretches[i]
        found = self._find_plain(stretch) if is_plain(stretch) else self._find(stretch)
        tokens = _with_abbreviations(found, self._rules)
        if tokens[-1] == "." and len(tokens) > 1 and _depends(tokens[-2], self._rules):
            following = stretches[i + 1] if i + 1 < len(stretches) else ""
            if _abbreviates(tokens[-2], following, self._rules):
                tokens[-2:] = [tokens[-2] + "."]
        elif len(stretch) <= _REMEMBERED_LENGTH:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[stretch] = tokens
        return tokens


def _with_abbreviations(tokens: list[str], rules: LanguageRules) -> list[str]:
    """Reattaches the full stop to the abbreviations that it belongs to."""
    if "." not in tokens:
        return tokens
    joined: list[str] = []
    for token in tokens:
        if token == "." and joined and joined[-1].lower() in rules.abbreviations:
            joined[-1] += "."
        else:
            joined.append(token)
    return joined


def _depends(word: str, rules: LanguageRules) -> bool:
    """Whether the next token decides if a full stop belongs to this word."""
    return (
        _initial(word)
        or word.lower() in rules.before_numbers
        or (rules.ordinals and _short_number(word))
    )


def _abbreviates(word: str, following: str, rules: LanguageRules) -> bool:
    """J. Smith, but plan B at the end; No. 5; 3. Oktober."""
    if word.lower() in rules.before_numbers and following[:1].isdigit():
        return True
    return bool(following) and (_initial(word) or (rules.ordinals and _short_number(word)))


def _initial(word: str) -> bool:
    return len(word) == 1 and word.isupper()


def _short_number(word: str) -> bool:
    return len(word) <= 2 and word.isdecimal()


@cache
def _pattern(language: str, *, plain: bool) -> re.Pattern[str]:
    """The alternatives for a token, in order of preference; a token matches itself again."""
    rules, of = rules_for(language), classes(plain=plain)
    word = rf"[^\W{of.unspaced}]"
    marks = f"[{of.marks}]"
    letters = rf"{word}+(?:{marks}+{word}*)*"
    letter = rf"[^\W\d_{of.unspaced}]"
    apostrophe = f"[{APOSTROPHES}]"
    ends = rf"(?!{word}|{marks})"
    cut_off = _any_of(rules.clitics) + ends
    alone = _any_of(rules.clitics | rules.alone) + ends
    inside = (
        rf"(?<=\d)[.,:](?=\d){letters}"
        rf"|[{HYPHENS}]{letters}"
        rf"|\.(?=[{of.lowercase}]|\d){letters}"
        rf"|{apostrophe}(?!{cut_off})(?={letter}){letters}"
    )
    kinds = (
        rf"(?:https?://|ftp://|www\.){_ADDRESS}",
        rf"[A-Za-z0-9_][A-Za-z0-9._%+\-]{{0,63}}@{_HOST}",
        rf"{letter}(?:\.{letter})+\.?(?!\.){ends}",
        rf"{_any_of(_dotted(rules))}\.",
        rf"{_any_of(rules.elisions)}{apostrophe}(?![{APOSTROPHES}])",
        rf"{apostrophe}{alone}",
        rf"{letters}(?:{inside})*(?:-(?![\w\-]))?",
        rf"\.\.+|--+|-(?={letter if rules.compounds else _NOTHING}|\d){letters}(?:{inside})*",
        rf"(?:{FLAG}|\S){marks}*(?:(?<=\u200d)[^\w\s]{marks}*)*",
    )
    return re.compile("|".join(kinds))


def _dotted(rules: LanguageRules) -> frozenset[str]:
    """Abbreviations with inner full stops, which would be split: Ph.D."""
    return frozenset(re.escape(word) for word in rules.abbreviations if "." in word)


def _any_of(words: frozenset[str]) -> str:
    """Matches one of the words in any case, or nothing if there are none."""
    return f"(?i:{'|'.join(sorted(words, key=len, reverse=True))})" if words else _NOTHING
