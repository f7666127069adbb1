"""Between raw lines and the tokens that a decoder works on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demotic.text.preparation import Preparation

__all__ = ["RawText"]


class RawText:
    """Prepares lines as a model's own text was, and restores translations for people."""

    def __init__(self, preparation: Preparation | None) -> None:
        self._preparation = preparation

    def prepared(self, line: str) -> str:
        return self._preparation.source(line) if self._preparation else line

    def restored(self, line: str) -> str:
        return self._preparation.restore(line) if self._preparation else line
