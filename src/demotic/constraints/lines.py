"""Prepares lines of text with what their markup, glossaries and placeholders ask for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from demotic import _core
from demotic.constraints.placeholders import PlaceholderKind, Placeholders
from demotic.constraints.tokens import Tokens, Word, source_tokens, target_tokens
from demotic.constraints.xml_input import MarkedLine, XmlInput, XmlWish, read_xml
from demotic.errors import FormatError, InputError
from demotic.search.constraint import Constraint, Mode, wall, zone
from demotic.search.placeholders import PLACEHOLDER
from demotic.search.sentence import AnnotatedSentence
from demotic.text.escape import escape

if TYPE_CHECKING:
    from demotic.constraints.numbers import NumberRule
    from demotic.constraints.terms import TermFinder
    from demotic.search.text import RawText

__all__ = ["LineConstraints", "kept_word"]

ORIGIN = "XML"
_MODES: dict[str, Mode] = {
    "exclusive": "exclusive",
    "inclusive": "inclusive",
    "constraint": "constraint",
}
_MOST = _core.MAX_GIVEN_OPTIONS // 2  # placeholders of a line; the rest is for terms


class LineConstraints:
    """What XML words, terms and placeholders ask for; immutable and safe to share."""

    def __init__(
        self,
        *,
        xml_input: XmlInput = "pass-through",
        terms: TermFinder | None = None,
        placeholders: Collection[PlaceholderKind] = (),
        numbers: NumberRule | None = None,
    ) -> None:
        """`placeholders`: the kinds of them that come out unchanged, once each.

        `numbers`: how times, dates and decimals of raw lines are written, once each.
        `RawText.restored` writes both if it is given the prepared line.
        """
        self._mode = _MODES.get(xml_input)
        self.reads_xml = xml_input != "pass-through"
        self._terms = terms
        self._placeholders = Placeholders(placeholders) if placeholders else None
        self._numbers = numbers

    @property
    def is_weighted(self) -> bool:
        """Whether lines may give probabilities, so that the model needs the feature `given`."""
        return self._mode is not None

    def prepared(self, raw: RawText, line: str, number: int = 0, name: str = "the text") -> str:
        """The tokens of a line, with constraints if it has any. Raises FormatError.

        Line numbers count from 0.
        """
        if self.reads_xml:
            return self._of_xml(raw, line, number, name)
        cut = self._terms.cutter(raw) if self._terms else None
        if any(one.may_occur(line) for one in (self._placeholders, self._numbers) if one):
            pieces = self._pieces(raw, line)
            tokens = source_tokens(raw, pieces, cut)
            return self._with_terms(raw, tokens.line, self._kept(raw, pieces, tokens))
        is_cut = cut is not None and len(cut(line)) > 1
        plain = source_tokens(raw, [line], cut).line if is_cut else raw.tokens(line)
        return self._with_terms(raw, plain, ())

    def _pieces(self, raw: RawText, text: str) -> list[str]:
        """The text cut around its placeholders and numbers."""
        pieces = [text]
        if raw.source_side is None:
            return self._placeholders.cut_tokens(text) if self._placeholders else pieces
        if self._placeholders is not None:
            pieces = self._placeholders.cut(text)
        if self._numbers is None:
            return pieces
        cut = self._numbers.cut
        return [
            part
            for piece in pieces
            for part in ([piece] if isinstance(piece, Word) else cut(piece))
        ]

    def _of_xml(self, raw: RawText, line: str, number: int, name: str) -> str:
        cut = self._terms.cutter(raw) if self._terms else None
        decode = raw.source_side is not None, raw.target_side is not None
        marked = read_xml(line, line=number + 1, name=name, decode=decode)
        pieces: list[str] = []
        begins: list[int] = []  # of the pieces of the marked line
        given = self._given(marked)
        for i, piece in enumerate(marked.pieces):
            begins.append(len(pieces))
            pieces += [piece] if i in given else self._pieces(raw, piece)
        tokens = source_tokens(raw, pieces, cut)
        starts = [tokens.starts[begin] for begin in (*begins, len(pieces))]
        asked = self._kept(raw, pieces, tokens)
        if self._mode is not None:
            for wish in marked.wishes:
                asked += self._constraint(
                    raw, wish, (starts[wish.begin], starts[wish.end]), number, name
                )
        try:
            return self._with_terms(raw, tokens.line, asked)
        except InputError as error:
            raise FormatError(
                error.found, path=name, line=number + 1, expected=error.expected
            ) from None

    def _given(self, marked: MarkedLine) -> set[int]:
        """The pieces with given translations, in which nothing else is protected."""
        if self._mode is None:
            return set()
        spans = (range(one.begin, one.end) for one in marked.wishes if one.kind == "options")
        return {i for span in spans for i in span}

    def _constraint(
        self, raw: RawText, wish: XmlWish, span: tuple[int, int], number: int, name: str
    ) -> Iterable[Constraint]:
        if wish.kind == "wall":
            yield wall(span[0])
        elif span[0] == span[1]:
            raise FormatError(
                f"a tag without tokens at column {wish.column + 1}",
                path=name,
                line=number + 1,
                expected="words to translate",
            )
        elif wish.kind == "zone":
            yield zone(*span)
        else:
            targets = [(target_tokens(raw, text), log) for text, log in wish.targets]
            yield Constraint(span, targets, self._mode or "exclusive", ORIGIN)

    def _kept(self, raw: RawText, pieces: Sequence[str], tokens: Tokens) -> list[Constraint]:
        """The placeholders and numbers among the pieces."""
        found = []
        for i, piece in enumerate(pieces):
            if isinstance(piece, Word):
                word = self._numbers.written(piece) if self._numbers else piece
                found.append(kept_word(raw, word, (tokens.starts[i], tokens.starts[i + 1])))
        return found[:_MOST]

    def _with_terms(self, raw: RawText, line: str, asked: Iterable[Constraint]) -> str:
        constraints = list(asked)
        if self._terms is not None:
            constraints += self._terms.find(line, constraints)
        text = raw.romanized(line)  # as many tokens
        return AnnotatedSentence(text, constraints=constraints) if constraints else text


def kept_word(raw: RawText, word: str, span: tuple[int, int]) -> Constraint:
    """Source tokens come out as this word."""
    side = raw.target_side
    target = escape(word) if side is not None and side.options.escape else str(word)
    return Constraint(span, [target], "exclusive", PLACEHOLDER)
