"""Text files with one word and its number per line, as preparations keep what they learnt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from demotic.errors import FormatError
from demotic.lines import LineFile, PathLike, write_text

__all__ = ["read_count", "read_word_table", "write_word_table"]

_Number = TypeVar("_Number", int, float)

_SHOWN = 80  # characters of a malformed line


def read_word_table(
    path: PathLike, number: Callable[[str], _Number | None], *, expected: str
) -> dict[str, _Number]:
    """The words in the order of the file. `number` gives None for what `expected` excludes."""
    table: dict[str, _Number] = {}
    for place, line in enumerate(LineFile(path, keep_tabs=True), 1):
        word, _, text = line.partition("\t")
        value = number(text)
        if not word or word in table or value is None:
            raise FormatError(
                f"the line {line[:_SHOWN]!r}",
                path=path,
                line=place,
                expected=f"a new word, a tab and {expected}",
                advice="run demotic prepare again",
            )
        table[word] = value
    return table


def write_word_table(path: PathLike, table: Mapping[str, _Number], form: str) -> None:
    """Writes the numbers by the format `form`, the largest first, words of one number sorted."""
    with write_text(path) as file:
        for word, value in sorted(table.items(), key=lambda one: (-one[1], one[0])):
            file.write(f"{word}\t{value:{form}}\n")


def read_count(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() else None
