"""Finds the terms of a glossary in a tokenised sentence: longest first, from left to right.

Terms are compared as tokens.  Their letter case is that of the model; a word at the start of a
sentence may also be capitalised.  In scripts without spaces text is cut around terms before it is
segmented, because a segmenter may join a part of a term to its neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from demotic.constraints.glossary import model_glossary
from demotic.constraints.tokens import Cut, source_tokens, target_tokens
from demotic.lines import split_words
from demotic.search.constraint import Constraint, crosses
from demotic.text.case import capitalized
from demotic.text.sentence_starts import doubtful_starts
from demotic.text.tokenize.characters import UNSPACED

if TYPE_CHECKING:
    from demotic.constraints.glossary import Glossary, Term
    from demotic.lines import PathLike
    from demotic.model import Model
    from demotic.search.text import RawText

__all__ = ["TermFinder", "model_terms"]

ORIGIN = "glossary"
_UNSPACED_TERM = re.compile(f"[{UNSPACED}]{{2,}}")


class _Prepared(NamedTuple):
    tokens: tuple[str, ...]
    targets: tuple[str, ...]
    forbidden: tuple[str, ...]


class TermFinder:
    """The terms of a glossary in the tokens of a model; immutable and safe to share."""

    def __init__(self, glossary: Glossary, raw: RawText) -> None:
        """`raw` prepares the terms, which people write as raw text also for lines of tokens."""
        self._side = raw.source_side
        self._by_first: dict[str, list[_Prepared]] = {}
        for term in glossary.terms:
            if one := _prepared(term, raw):
                self._by_first.setdefault(one.tokens[0], []).append(one)
        for terms in self._by_first.values():
            terms.sort(key=lambda one: -len(one.tokens))
        self._unspaced = _unspaced(glossary) if raw.source_side else None

    def cutter(self, raw: RawText) -> Cut | None:
        """`cut` for text that is to be segmented; None for tokens."""
        return None if raw.source_side is None or self._unspaced is None else self.cut

    def cut(self, text: str) -> list[str]:
        """Pieces that begin and end where terms in scripts without spaces do."""
        if self._unspaced is None:
            return [text]
        return [piece for piece in self._unspaced.split(text) if piece]

    def find(self, line: str, taken: Iterable[Constraint] = ()) -> list[Constraint]:
        """Constraints for the terms in a line, outside of those that it already has."""
        tokens = split_words(line)
        language = self._side.language if self._side else "en"
        starts = set(doubtful_starts(tokens, language)) if tokens else set()
        others = list(taken)
        found: list[Constraint] = []
        at = 0
        while at < len(tokens):
            term = self._at(tokens, at, at in starts, others)
            if term is None:
                at += 1
                continue
            span = (at, at + len(term.tokens))
            if term.targets:
                found.append(Constraint(span, term.targets, "exclusive", ORIGIN))
            elif term.forbidden:
                found.append(Constraint(span, term.forbidden, "forbidden", ORIGIN))
            at = span[1]
        return found

    def _at(
        self, tokens: Sequence[str], at: int, is_start: bool, others: Sequence[Constraint]
    ) -> _Prepared | None:
        candidates = list(self._by_first.get(tokens[at], ()))
        if is_start:
            candidates += self._by_first.get(tokens[at][:1].lower() + tokens[at][1:], ())
        for term in sorted(candidates, key=lambda one: -len(one.tokens)):
            end = at + len(term.tokens)
            first = term.tokens[0]
            language = self._side.language if self._side else "en"
            same = tokens[at] == first or (is_start and tokens[at] == capitalized(first, language))
            matches = same and tuple(tokens[at + 1 : end]) == term.tokens[1:]
            if matches and not any(_conflicts((at, end), one) for one in others):
                return term
        return None


def model_terms(model: Model, files: Iterable[PathLike] = ()) -> TermFinder | None:
    """The terms of the files, and those that the model carries; None if there are no glossaries."""
    glossary = model_glossary(model, files)
    return TermFinder(glossary, model.raw_text) if glossary else None


def _unspaced(glossary: Glossary) -> re.Pattern[str] | None:
    """The terms in scripts without spaces, the longest first.

    Not those of one character, which occur inside of many other words.
    """
    terms = {term.source for term in glossary.terms if _UNSPACED_TERM.fullmatch(term.source)}
    ordered = sorted(terms, key=lambda one: (-len(one), one))
    return re.compile(f"({'|'.join(map(re.escape, ordered))})") if ordered else None


def _conflicts(span: tuple[int, int], other: Constraint) -> bool:
    """Whether a term there would share words with another constraint, or cross an order."""
    if other.mode in ("wall", "zone"):
        return crosses(span, other)
    return span[0] < other.span[1] and other.span[0] < span[1]


def _prepared(term: Term, raw: RawText) -> _Prepared | None:
    tokens = tuple(split_words(source_tokens(raw, [term.source]).line))
    targets = [target_tokens(raw, text, truecased=True) for text in term.targets]
    forbidden = [target_tokens(raw, text, truecased=True) for text in term.forbidden]
    kept = tuple(text for text in targets if text), tuple(text for text in forbidden if text)
    return _Prepared(tokens, *kept) if tokens and any(kept) else None
