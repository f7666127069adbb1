"""Upper and lower case: all lower, or true case, learned from where case is the word's own.

The true case of a word is its most frequent form away from the beginning of a sentence (Lita,
Ittycheriah, Roukos and Kambhatla, 2003, as Moses' truecaser takes it); only the words at the
beginning of a sentence are changed to it.  Restoring makes the beginning of a sentence large.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence

from demotic.errors import FormatError
from demotic.lines import LineFile, PathLike, write_text
from demotic.text.languages import base_language, words

__all__ = ["TruecaseCounts", "Truecaser", "capitalized", "lowered", "recased"]

_ENDS = words(". ! ? … ... 。 ！ ？ ; ؟ ۔")
_DOTTED_I = frozenset(["tr", "az"])  # i and İ, ı and I are two letters


def lowered(text: str, language: str) -> str:
    if base_language(language) in _DOTTED_I:
        text = text.replace("İ", "i").replace("I", "ı")
    return text.lower()


def capitalized(word: str, language: str) -> str:
    """The word with its first letter large; other characters and lengths stay as they are."""
    if not word or not word[0].islower():
        return word
    if word[0] == "i" and base_language(language) in _DOTTED_I:
        return "İ" + word[1:]
    large = word[0].title()
    return large + word[1:] if len(large) == 1 else word


def recased(tokens: Sequence[str], language: str) -> list[str]:
    """The tokens with the beginning of each sentence made large."""
    result = list(tokens)
    for i in _sentence_starts(tokens):
        result[i] = capitalized(result[i], language)
    return result


def _sentence_starts(tokens: Sequence[str]) -> Iterator[int]:
    """Places of the first token with a letter or digit of each sentence in the line."""
    waiting = True
    for i, token in enumerate(tokens):
        if token in _ENDS:
            waiting = True
        elif waiting and token[:1].isalnum():
            waiting = False
            yield i


def _shouted(tokens: Sequence[str]) -> bool:
    """A headline in capitals says nothing about the case of its words."""
    text = "".join(tokens)
    return text.isupper() and len(tokens) > 1


class TruecaseCounts:
    """Counts the forms of words; `model` ends it."""

    def __init__(self) -> None:
        self._forms: Counter[str] = Counter()

    def observe(self, tokens: Sequence[str]) -> None:
        if _shouted(tokens):
            return
        starts = set(_sentence_starts(tokens))
        self._forms.update(token for i, token in enumerate(tokens) if i not in starts)

    def model(self, language: str) -> Truecaser:
        best: dict[str, tuple[int, str]] = {}
        for form, count in self._forms.items():
            key = lowered(form, language)
            # Of equally frequent forms the smaller letters win: they sort last.
            best[key] = max(best.get(key, (0, "")), (count, form))
        forms = {key: form for key, (_, form) in best.items() if form.lower() != form.upper()}
        counts = {forms[key]: best[key][0] for key in forms}
        return Truecaser(language, counts)


class Truecaser:
    """The true case of the words of one language."""

    def __init__(self, language: str, counts: dict[str, int]) -> None:
        """`counts` has the true forms and how often each was seen."""
        self.language = language
        self._counts = counts
        self._forms = {lowered(form, language): form for form in counts}

    def __len__(self) -> int:
        return len(self._counts)

    def __repr__(self) -> str:
        return f"Truecaser({self.language}, {len(self)} words)"

    def apply(self, tokens: Sequence[str]) -> list[str]:
        """The tokens with sentence beginnings (or a whole headline) in their true case."""
        result = list(tokens)
        places = range(len(result)) if _shouted(result) else _sentence_starts(tokens)
        for i in places:
            result[i] = self._forms.get(lowered(result[i], self.language), result[i])
        return result

    def save(self, path: PathLike) -> None:
        """Readable: a form and its count a line, the frequent ones first."""
        with write_text(path) as file:
            for form, count in sorted(self._counts.items(), key=lambda item: (-item[1], item[0])):
                file.write(f"{form}\t{count}\n")

    @classmethod
    def load(cls, path: PathLike, language: str) -> Truecaser:
        counts: dict[str, int] = {}
        for number, line in enumerate(LineFile(path, keep_tabs=True), 1):
            form, _, count = line.partition("\t")
            if not form or not (count.isascii() and count.isdigit()):
                raise FormatError(
                    f"the line {line[:80]!r}",
                    path=os.fspath(path),
                    line=number,
                    expected="a word, a tab and a count",
                    advice="run demotic prepare again",
                )
            counts[form] = int(count)
        return cls(language, counts)
