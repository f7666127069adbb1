"""Guesses whether a text that should be tokenised is raw: scripts without spaces, or punctuation
attached to words.  Models of raw text have thousands of words that were seen only once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

from demotic.errors import FormatError
from demotic.lines import LineFile, PathLike, display_name
from demotic.suggestions import quoted
from demotic.text.tokenize.characters import UNSPACED

__all__ = ["RawTextCheck", "check_raw_text", "refuse_unsegmented"]

_LINES = 5_000  # enough to decide
_UNSPACED = re.compile(f"[{UNSPACED}]")
_DENSE = re.compile("[\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
# Mean characters per token above which a line is unsegmented: Chinese and Japanese words have about
# two characters; Thai, Lao, Khmer and Burmese words about five.
_LONGEST_DENSE, _LONGEST = 4.5, 12.0
_TOO_SHORT = 6  # characters; shorter lines do not decide anything
_TOO_FEW = 5  # lines; fewer do not decide anything
_END = re.compile(r"[.!?…]+[\"'”’»)]*\Z")


@dataclass(frozen=True)
class RawTextCheck:
    """Statistics of the first lines."""

    path: str
    lines: int
    """Non-empty lines."""
    unsegmented: float
    """Share of unsegmented lines among the lines in scripts without spaces."""
    wide: int
    """Lines in scripts without spaces that are long enough to decide."""
    attached: float
    """Share of lines with punctuation attached to the last word, among lines ending in it."""
    ended: int
    example: str

    @property
    def is_unsegmented(self) -> bool:
        """Most of the text is in a script without spaces and was not segmented."""
        mostly = self.wide >= _TOO_FEW and 2 * self.wide > self.lines
        return mostly and self.unsegmented > 0.5

    @property
    def is_raw(self) -> bool:
        many = self.ended >= _TOO_FEW and 10 * self.ended > self.lines
        return self.is_unsegmented or (many and self.attached > 0.5)

    @property
    def reason(self) -> str:
        if self.is_unsegmented:
            return (
                f"{self.path} is not segmented into words: {100 * self.unsegmented:.0f} % of its "
                f"lines have whole clauses without a space, as in {self.example!r}"
            )
        return (
            f"{self.path} looks like raw text: in {100 * self.attached:.0f} % of its lines "
            f"punctuation is attached to the last word, as in {self.example!r}, "
            "which makes it a different word"
        )


def check_raw_text(path: PathLike) -> RawTextCheck:
    """Examines the beginning of a text file."""
    wide = unsegmented = ended = attached = lines = 0
    uncut = glued = ""
    for line in islice(LineFile(path, encoding_errors="replace"), _LINES):
        tokens = line.split()
        if not tokens:
            continue
        lines += 1
        if (cut := _is_cut(tokens)) is not None:
            wide += 1
            unsegmented += not cut
            uncut = uncut or ("" if cut else max(tokens, key=len))
        elif (end := _END.search(tokens[-1])) is not None:
            ended += 1
            attached += end.start() > 0
            glued = glued or (tokens[-1] if end.start() > 0 else "")
    return RawTextCheck(
        display_name(path), lines, _share(unsegmented, wide), wide, _share(attached, ended), ended,
        uncut if unsegmented > attached else glued,
    )  # fmt: skip


def _is_cut(tokens: Iterable[str]) -> bool | None:
    """Whether a line in a script without spaces is segmented; None for other lines."""
    counts = [len(_UNSPACED.findall(token)) for token in tokens]
    total, inside = sum(counts), sum(map(bool, counts))
    if total < _TOO_SHORT:
        return None
    dense = 2 * sum(len(_DENSE.findall(token)) for token in tokens) > total
    return total / inside <= (_LONGEST_DENSE if dense else _LONGEST)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def refuse_unsegmented(
    source: PathLike,
    target: PathLike,
    *,
    languages: tuple[str, str] = ("", ""),
    force: bool,
    warn: Callable[[str], None],
) -> None:
    """Warns about text that looks raw, and refuses text that was never segmented."""
    raw = [one for one in map(check_raw_text, (source, target)) if one.is_raw]
    flags = " ".join(
        f"--{side}-lang {language or 'L'}"
        for side, language in zip(("src", "tgt"), languages, strict=True)
    )
    advice = (
        f"run: demotic prepare {flags} {quoted(source)} {quoted(target)} -o DIR, and build from "
        "its files; or demotic make, which does everything"
    )
    for one in raw:
        if one.is_unsegmented and not force:
            raise FormatError(
                one.reason,
                expected="words separated by spaces",
                advice=f"{advice}; --force uses the text as it is",
            )
    if raw:
        warn(f"{'; '.join(one.reason for one in raw)} ({advice})")
