"""Compounds in prepared text: as their words, or as parts that are joined again.

A source side has the words: "Aktionsplan" becomes "Aktion Plan".  A target side has all letters,
with a mark on every part but the last, and the compound's capital on the last: "aktions￭ Plan",
so that the last part is the word that it is elsewhere.  `join` reverses that for any sequence of
such parts, also for one that no text has: no mark is left over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from demotic.text.case import capitalized, lowered
from demotic.text.compound_links import NOUN_CAPITALS, conjunctions_of
from demotic.text.compounds import CompoundSplitter, Part
from demotic.text.languages import base_language
from demotic.text.sentence_starts import doubtful_starts

__all__ = ["JOIN", "CompoundForm", "CompoundWords", "is_marked"]

JOIN = "\uffed"
"""Ends a part that is joined to the next word."""

CompoundForm = Literal["words", "marked"]


class CompoundWords:
    """Splits the compounds of tokens into one of the two forms."""

    def __init__(
        self, splitter: CompoundSplitter, form: CompoundForm, *, truecases: bool = True
    ) -> None:
        """`truecases` removes the capital of sentence starts, as `Truecaser` does."""
        self.splitter, self.form, self._truecases = splitter, form, truecases
        self._language = splitter.language
        self._conjunctions = conjunctions_of(self._language)
        self._names = base_language(self._language) not in NOUN_CAPITALS

    def split(self, tokens: Sequence[str]) -> list[str]:
        """One text per token: the words of a compound have spaces between them."""
        if not any(map(self.splitter.split, tokens)):
            return list(tokens)
        starts = set(doubtful_starts(tokens, self._language))
        return [self._split(token, i in starts) for i, token in enumerate(tokens)]

    def _split(self, token: str, is_start: bool) -> str:
        if self._names and token[:1].isupper() and not is_start:
            return token
        parts = self.splitter.split(token)
        if not parts:
            return token
        if self.form == "words":
            return " ".join(part.word for part in parts)
        return " ".join(self._marked(token, parts, is_start))

    def _marked(self, token: str, parts: Sequence[Part], is_start: bool) -> list[str]:
        """The token itself if joining its parts would not give it again."""
        pieces = [token[part.begin : part.end] for part in parts]
        first = _last_run(pieces)
        if first < len(pieces) - 1 and pieces[first][0].isupper():
            pieces[first] = lowered(pieces[first], self._language)
            pieces[-1] = capitalized(pieces[-1], self._language)
        marked = [piece + JOIN for piece in pieces[:-1]] + pieces[-1:]
        if self.join(marked) != [token]:
            return [token]
        usual = self.splitter.usual(marked[-1])
        if is_start and self._truecases and capitalized(usual, self._language) == marked[-1]:
            marked[-1] = usual
        return marked

    def join(self, tokens: Sequence[str]) -> list[str]:
        """The words of marked tokens; a part without a word to join becomes a word itself."""
        if not any(map(is_marked, tokens)):
            return list(tokens)
        after = (*tokens[1:], "")
        return [self._joined(tokens[i:end], after[end - 1]) for i, end in self.spans(tokens)]

    def spans(self, tokens: Sequence[str]) -> list[tuple[int, int]]:
        """The tokens of each word: parts with the mark, and the word that they are joined to."""
        spans: list[tuple[int, int]] = []
        begin = 0
        for end, token in enumerate(tokens, 1):
            following = tokens[end] if end < len(tokens) else ""
            if not (is_marked(token) and self._takes_parts(following)):
                spans.append((begin, end))
                begin = end
        return spans

    def _takes_parts(self, word: str) -> bool:
        return word[:1].isalpha() and word not in self._conjunctions

    def _joined(self, group: Sequence[str], following: str) -> str:
        pieces = [token.rstrip(JOIN) or token for token in group]
        if is_marked(group[-1]):
            pieces[-1] = self._stranded(pieces[-1], following)
        *modifiers, head = pieces
        first = _last_run(pieces)
        if first < len(modifiers) and head[:1].isupper():
            modifiers[first] = capitalized(modifiers[first], self._language)
            # A word with further capitals is not written inside another: "Fußball-WM".
            head = head[0].lower() + head[1:] if head[1:].islower() else f"-{head}"
        return "".join((*modifiers, head))

    def _stranded(self, piece: str, following: str) -> str:
        """A part whose compound is missing, or is not repeated: "Fußball- und"."""
        word = self.splitter.usual(piece.rstrip("-") or piece)
        return f"{word}-" if following in self._conjunctions else word


def is_marked(token: str) -> bool:
    """Whether the token is a part; a mark by itself is a character of the text."""
    return token[-1:] == JOIN and token.strip(JOIN) != ""


def _last_run(pieces: Sequence[str]) -> int:
    """The first of the pieces after the last hyphen between them."""
    return max((i for i, piece in enumerate(pieces[:-1], 1) if piece[-1] == "-"), default=0)
