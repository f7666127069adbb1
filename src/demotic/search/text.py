"""Converts between raw lines and the tokens of a decoder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING

from demotic._core import EncodingErrors, LineParser
from demotic.errors import ModelError
from demotic.lines import PathLike, clean_texts, display_name, read_lines
from demotic.search.placeholders import kept_tokens, restored_with

if TYPE_CHECKING:
    from demotic.model import Model
    from demotic.search.romanizer import Romanizer
    from demotic.text.preparation import Preparation
    from demotic.text.side import Side

__all__ = ["RawText", "cleaned", "is_prepared"]

_CORPUS = re.compile(r"corpus\.[A-Za-z]+(-[A-Za-z0-9]+)*(\.gz|\.xz|\.zst)?")


class RawText:
    """Prepares lines like a model's training text, and restores translations to raw text.

    A `tokenized` side is unchanged, and so is all text of a model without a preparation.
    `source_tokenized` and `target_tokenized` apply to one side; if neither is set, files written by
    `demotic prepare` are recognised when they are read.
    """

    def __init__(
        self,
        model: Model,
        *,
        tokenized: bool | None = None,
        source_tokenized: bool | None = None,
        target_tokenized: bool | None = None,
        romanize: bool = False,
    ) -> None:
        """`romanize` writes unknown source words of other scripts in Latin letters.

        Raises InputError if the target has another script.
        """
        asked = [
            tokenized if side is None else side for side in (source_tokenized, target_tokenized)
        ]
        self._recognise = [one is None for one in asked]
        preparation = None if asked == [True, True] else model.preparation
        if False in asked and preparation is None:
            raise ModelError(
                "raw text for a model without a preparation",
                path=model.path,
                expected="tokenised text",
                advice="build the model from text prepared by demotic prepare, or omit --raw",
            )
        self._sides: list[Preparation | None] = [None if one else preparation for one in asked]
        self._remarks: dict[str, None] = {}
        self._romanizer: Romanizer | None = None
        if romanize:
            from demotic.search.romanizer import Romanizer

            self._romanizer = Romanizer(model)

    @property
    def is_raw(self) -> bool:
        """Whether source lines are prepared."""
        return self._sides[0] is not None

    @property
    def is_raw_target(self) -> bool:
        """Whether references are prepared and translations restored."""
        return self._sides[1] is not None

    @property
    def source_side(self) -> Side | None:
        """How source lines are prepared; None if they are tokens."""
        return self._sides[0].source_side if self._sides[0] else None

    @property
    def target_side(self) -> Side | None:
        """How translations are restored; None if they stay tokens."""
        return self._sides[1].sides[-1] if self._sides[1] else None

    @property
    def notices(self) -> list[str]:
        """Warnings from loading the preparation."""
        return next((side.notices for side in self._sides if side is not None), [])

    @property
    def recognised(self) -> list[str]:
        """Remarks about files recognised as prepared text."""
        return list(self._remarks)

    @property
    def capped(self) -> int:
        """Source tokens truncated so far."""
        return self._sides[0].source_side.capped if self._sides[0] else 0

    def of_tokens(self, model: Model) -> RawText:
        """The same for source lines that are already prepared."""
        tokenized = not self.is_raw_target
        made = RawText(model, source_tokenized=True, target_tokenized=tokenized)
        made._romanizer = self._romanizer
        return made

    def prepared(self, line: str) -> str:
        return self.romanized(self.tokens(line))

    def tokens(self, line: str) -> str:
        """The same with all words as they are written, in which terms are found."""
        return self._sides[0].source(line) if self._sides[0] else line

    def romanized(self, line: str) -> str:
        """A prepared line with its unknown words in the script of the target, if that was asked."""
        return self._romanizer.line(line) if self._romanizer is not None else line

    def prepared_reference(self, line: str) -> str:
        return self._sides[1].target(line) if self._sides[1] else line

    def restored(self, line: str, source: str = "") -> str:
        """The translation of a prepared line `source`, whose placeholders come out as written."""
        restore = self._sides[1].restore if self._sides[1] else str
        kept = kept_tokens(source)
        if not kept:
            return restore(line)
        side = self.target_side
        return restored_with(kept, line, restore, escaped=side is not None and side.options.escape)

    def read_source(self, path: PathLike) -> list[str]:
        """The lines of a source file as tokens."""
        return list(map(self.for_source(path).prepared, read_lines(path).tolist()))

    def read_references(self, path: PathLike) -> list[str]:
        """The lines of a target file as tokens."""
        return list(map(self.for_target(path).prepared_reference, read_lines(path).tolist()))

    def for_source(self, path: PathLike) -> RawText:
        """The same for one source file, which may turn out to be prepared text."""
        return self._for(path, 0)

    def for_target(self, path: PathLike) -> RawText:
        """The same for one file of references."""
        return self._for(path, 1)

    def _for(self, path: PathLike, side: int) -> RawText:
        if not (self._recognise[side] and self._sides[side] and is_prepared(path)):
            return self
        remark = f"{display_name(path)}: read as prepared text, because preparation.toml is there"
        self._remarks[f"{remark} (--raw if it is not)"] = None
        own = copy(self)
        own._sides = [None if i == side else one for i, one in enumerate(self._sides)]
        return own


def is_prepared(path: PathLike) -> bool:
    """Whether `demotic prepare` wrote the file: corpus.LANGUAGE next to a preparation.toml."""
    file = Path(os.fspath(path))
    return bool(_CORPUS.fullmatch(file.name)) and (file.parent / "preparation.toml").is_file()


def cleaned(lines: Iterable[str]) -> list[str]:
    """Sentences from Python, cleaned like the lines of a file: one in, one out."""
    if isinstance(lines, str):
        raise TypeError("expected a list of sentences, got a string; write [sentence]")
    texts = list(lines)
    if all(map(str.isprintable, texts)):  # neither control characters nor byte order marks
        return list(map(str, texts))
    parser = LineParser("the text", EncodingErrors.replace, False)
    return clean_texts(parser, texts).tolist()
