"""Letter case: lower-casing, and true-casing learnt from words inside sentences.

The true case of a word is its most frequent form away from sentence starts (Lita et al. 2003, as
in Moses' truecaser); only words at sentence starts are changed to it.  Restoring capitalises
sentence starts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from demotic.lines import PathLike
from demotic.text.addresses import is_address
from demotic.text.languages import base_language
from demotic.text.sentence_starts import doubtful_starts, sentence_starts
from demotic.text.word_table import read_count, read_word_table, write_word_table

__all__ = ["TruecaseCounts", "Truecaser", "capitalized", "lowered", "recased"]

_DOTTED_I = frozenset(["tr", "az"])  # i/İ and ı/I are different letters


def lowered(text: str, language: str) -> str:
    if base_language(language) in _DOTTED_I:
        text = text.replace("İ", "i").replace("I", "ı")
    return text.lower()


def capitalized(word: str, language: str) -> str:
    """The word with its first letter in upper case, if that does not change its length.

    Addresses stay as they are.
    """
    if not word or not word[0].islower() or is_address(word):
        return word
    if word[0] == "i" and base_language(language) in _DOTTED_I:
        return "İ" + word[1:]
    upper = word[0].title()
    return upper + word[1:] if len(upper) == 1 else word


def recased(tokens: Sequence[str], language: str) -> list[str]:
    """The tokens with the first word of each sentence capitalised."""
    result = list(tokens)
    for i in sentence_starts(tokens, language):
        result[i] = capitalized(result[i], language)
    return result


def _headline(tokens: Sequence[str]) -> bool:
    """Several words, all in capitals: they tell nothing about the case of their words."""
    words = [token for token in tokens if token[:1].isalpha()]
    return len(words) > 1 and "".join(words).isupper() and max(map(len, words)) > 1


class TruecaseCounts:
    """Counts the forms of the words of one language; `model` makes the truecaser."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._forms: Counter[str] = Counter()

    def observe(self, tokens: Sequence[str]) -> None:
        if _headline(tokens):
            return
        starts = set(doubtful_starts(tokens, self._language))
        self._forms.update(token for i, token in enumerate(tokens) if i not in starts)

    def model(self) -> Truecaser:
        best: dict[str, tuple[int, str]] = {}
        for form, count in self._forms.items():
            key = lowered(form, self._language)
            # Of equally frequent forms, the one with more lower-case letters sorts last and wins.
            best[key] = max(best.get(key, (0, "")), (count, form))
        counts = {form: count for count, form in best.values() if form.lower() != form.upper()}
        return Truecaser(self._language, counts)


class Truecaser:
    """The true case of the words of one language."""

    def __init__(self, language: str, counts: dict[str, int]) -> None:
        """`counts` maps each true-cased form to its number of occurrences."""
        self.language = language
        self._counts = counts
        self._forms = {lowered(form, language): form for form in counts}

    def __len__(self) -> int:
        return len(self._counts)

    def __repr__(self) -> str:
        return f"Truecaser({self.language}, {len(self)} words)"

    def apply(self, tokens: Sequence[str]) -> list[str]:
        """The tokens with sentence starts (or a whole headline) in their true case.

        At a sentence start only the first letter may change: "US" does not become "us".  Words
        never seen elsewhere are left alone, since most of them are names.
        """
        result = list(tokens)
        if _headline(tokens):
            return [self._forms.get(lowered(token, self.language), token) for token in tokens]
        for i in doubtful_starts(tokens, self.language):
            form = self._forms.get(lowered(result[i], self.language), "")
            if form and capitalized(form, self.language) == result[i]:
                result[i] = form
        return result

    def save(self, path: PathLike) -> None:
        """Writes a readable file: one form and its count per line, the most frequent first."""
        write_word_table(path, self._counts, "d")

    @classmethod
    def load(cls, path: PathLike, language: str) -> Truecaser:
        return cls(language, read_word_table(path, read_count, expected="a count"))
