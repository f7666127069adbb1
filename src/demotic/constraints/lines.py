"""Prepares lines of text with what their markup and glossaries ask for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from demotic.constraints.tokens import source_tokens, target_tokens
from demotic.constraints.xml_input import XmlInput, XmlWish, read_xml
from demotic.errors import FormatError, InputError
from demotic.search.constraint import Constraint, Mode, wall, zone
from demotic.search.sentence import AnnotatedSentence

if TYPE_CHECKING:
    from demotic.constraints.terms import TermFinder
    from demotic.search.text import RawText

__all__ = ["LineConstraints"]

ORIGIN = "XML"
_MODES: dict[str, Mode] = {
    "exclusive": "exclusive",
    "inclusive": "inclusive",
    "constraint": "constraint",
}


class LineConstraints:
    """What XML words and terms ask for; immutable and safe to share."""

    def __init__(
        self, *, xml_input: XmlInput = "pass-through", terms: TermFinder | None = None
    ) -> None:
        self._mode = _MODES.get(xml_input)
        self._reads_xml = xml_input != "pass-through"
        self._terms = terms

    @property
    def is_weighted(self) -> bool:
        """Whether lines may give probabilities, so that the model needs the feature `given`."""
        return self._mode is not None

    def prepared(self, raw: RawText, line: str, number: int = 0, name: str = "the text") -> str:
        """The tokens of a line, with constraints if it has any. Raises FormatError.

        Line numbers count from 0.
        """
        cut = self._terms.cutter(raw) if self._terms else None
        if not self._reads_xml:
            is_cut = cut is not None and len(cut(line)) > 1
            plain = source_tokens(raw, [line], cut).line if is_cut else raw.tokens(line)
            return self._with_terms(raw, plain, ())
        decode = raw.source_side is not None, raw.target_side is not None
        marked = read_xml(line, line=number + 1, name=name, decode=decode)
        tokens = source_tokens(raw, marked.pieces, cut)
        asked: list[Constraint] = []
        if self._mode is not None:
            for wish in marked.wishes:
                span = tokens.starts[wish.begin], tokens.starts[wish.end]
                asked += self._constraint(raw, wish, span, number, name)
        try:
            return self._with_terms(raw, tokens.line, asked)
        except InputError as error:
            raise FormatError(
                error.found, path=name, line=number + 1, expected=error.expected
            ) from None

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

    def _with_terms(self, raw: RawText, line: str, asked: Iterable[Constraint]) -> str:
        constraints = list(asked)
        if self._terms is not None:
            constraints += self._terms.find(line, constraints)
        text = raw.romanized(line)  # as many tokens
        return AnnotatedSentence(text, constraints=constraints) if constraints else text
