"""The glue grammars that Joshua and Moses write with every Hiero table.

Both mark the ends of the sentence, concatenate pieces from left to right and count them.  Our
decoder has these rules built in; any other glue grammar is imported as ordinary rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from demotic.lines import LineFile, split_words, write_text

__all__ = ["Glue", "moses_glue", "scfg_glue", "write_moses_glue"]

_MOST_LINES = 20

_Expected = dict[tuple[str, ...], str | None]  # sides of a rule, and its score if that is fixed


@dataclass(frozen=True)
class Glue:
    """The score, as text, of concatenating one piece."""

    piece: str


def scfg_glue(path: Path, goal: str, nonterminal: str) -> Glue | None:
    """Joshua's form: the end markers score 0."""
    joined = f"[{goal},1] [{nonterminal},2]"
    expected: _Expected = {
        (f"[{goal}]", "<s>", "<s>"): "0",
        (f"[{goal}]", joined, joined): None,
        (f"[{goal}]", f"[{goal},1] </s>", f"[{goal},1] </s>"): "0",
    }
    return _recognised(path, expected, 3)


def moses_glue(path: Path, nonterminal: str = "X", goal: str = "S") -> Glue | None:
    """Moses' form: the end markers score 1, whose logarithm is 0."""
    x, s, gap = f"[{nonterminal}]", f"[{goal}]", f"[{nonterminal}][{nonterminal}]"
    so_far = f"{x}{s}"
    expected: _Expected = {
        (f"<s> {x}", f"<s> {s}"): "1",
        (f"{so_far} </s> {x}", f"{so_far} </s> {s}"): "1",
        (f"{so_far} {gap} {x}", f"{so_far} {gap} {s}"): None,
    }
    return _recognised(path, expected, 2)


def _recognised(path: Path, expected: _Expected, sides: int) -> Glue | None:
    """None unless the file consists of exactly the expected rules, each with one score."""
    piece = ""
    missing = dict(expected)
    for number, line in enumerate(LineFile(path), 1):
        fields = [" ".join(split_words(part)) for part in line.split("|||")]
        key, scores = tuple(fields[:sides]), fields[sides] if len(fields) > sides else ""
        if number > _MOST_LINES or key not in missing or len(scores.split()) != 1:
            return None
        wanted = missing.pop(key)
        if wanted is None:
            piece = scores
        elif _number(scores) != float(wanted):
            return None
    return Glue(piece) if not missing and _number(piece) is not None else None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def write_moses_glue(path: Path) -> None:
    """The score of concatenating a piece is e, whose logarithm is 1."""
    with write_text(path) as file:
        file.write("<s> [X] ||| <s> [S] ||| 1 ||| ||| 0\n")
        file.write("[X][S] </s> [X] ||| [X][S] </s> [S] ||| 1 ||| 0-0 ||| 0\n")
        file.write(
            "[X][S] [X][X] [X] ||| [X][S] [X][X] [S] ||| 2.7182818284590452 ||| 0-0 1-1 ||| 0\n"
        )
