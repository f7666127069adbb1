"""Refuses text without a single word, from which nothing can be learnt."""

from __future__ import annotations

from demotic import _core
from demotic.errors import FormatError
from demotic.lines import PathLike, display_name

__all__ = ["refuse_wordless"]


def refuse_wordless(sentences: _core.Corpus, path: PathLike) -> None:
    """Raises FormatError."""
    if len(sentences.words):
        return
    lines = len(sentences)
    found = f"no words in {lines:,} line{'s' if lines > 1 else ''}" if lines else "an empty file"
    raise FormatError(found, path=display_name(path), expected="one tokenised sentence per line")
