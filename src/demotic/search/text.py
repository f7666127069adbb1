"""Between raw lines and the tokens that a decoder works on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from demotic._core import EncodingErrors, LineParser
from demotic.errors import ModelError
from demotic.lines import clean_texts

if TYPE_CHECKING:
    from demotic.model import Model

__all__ = ["RawText", "cleaned"]


class RawText:
    """Prepares lines as a model's own text was, and restores translations for people.

    Without a preparation, or if the text is `tokenized`, both leave it as it is.
    """

    def __init__(self, model: Model, *, tokenized: bool | None = None) -> None:
        self._preparation = None if tokenized else model.preparation
        if tokenized is False and self._preparation is None:
            raise ModelError(
                "raw text for a model that knows no preparation",
                path=model.path,
                expected="tokenised text",
                advice="build the model of text that demotic prepare made, or leave out --raw",
            )

    @property
    def is_raw(self) -> bool:
        return self._preparation is not None

    @property
    def notices(self) -> list[str]:
        """Remarks that loading the preparation gave."""
        return self._preparation.notices if self._preparation else []

    @property
    def capped(self) -> int:
        """Source tokens that were cut because of their length, so far."""
        return self._preparation.source_side.capped if self._preparation else 0

    def prepared(self, line: str) -> str:
        return self._preparation.source(line) if self._preparation else line

    def prepared_reference(self, line: str) -> str:
        return self._preparation.target(line) if self._preparation else line

    def restored(self, line: str) -> str:
        return self._preparation.restore(line) if self._preparation else line


def cleaned(lines: Iterable[str]) -> list[str]:
    """Sentences that come from Python, by the rules of text files: one in, one out."""
    if isinstance(lines, str):
        raise TypeError("a string where a list of sentences was expected; write [sentence]")
    parser = LineParser("the text", EncodingErrors.replace, False)
    return clean_texts(parser, lines).tolist()
