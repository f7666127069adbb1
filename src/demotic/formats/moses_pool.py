"""Moses' pools of candidates, as its extractor writes them for MERT and PRO: features and BLEU
statistics in two text files with the same lists.

    FEATURES_TXT_BEGIN_0 LIST COUNT WIDTH NAME...      SCORES_TXT_BEGIN_0 LIST COUNT 9 BLEU
    value ...                                          match1 total1 match2 total2 ... length
    FEATURES_TXT_END_0                                 SCORES_TXT_END_0
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from demotic.errors import FormatError
from demotic.learn.evidence import Pool
from demotic.lines import Lines, PathLike, display_name, read_lines, write_text

__all__ = ["read_moses_pool", "write_moses_pool"]

# Moses alternates matches and totals; we store all matches first.
_FROM_MOSES = [0, 2, 4, 6, 1, 3, 5, 7, 8]
_TO_MOSES = [0, 4, 1, 5, 2, 6, 3, 7, 8]


@dataclass(frozen=True)
class _Block:
    """One list of one file."""

    key: int
    line: int
    names: tuple[str, ...]
    rows: NDArray[np.float64]


def read_moses_pool(features: PathLike, scores: PathLike) -> Pool:
    """Reads dense features and BLEU statistics; both files must have the same lists."""
    feature_blocks = list(_blocks(features, "FEATURES"))
    score_blocks = list(_blocks(scores, "SCORES"))
    if len(feature_blocks) != len(score_blocks):
        raise FormatError(
            f"{len(score_blocks)} lists",
            path=display_name(scores),
            expected=f"{len(feature_blocks)}, as in {display_name(features)}",
        )
    for ours, theirs in zip(feature_blocks, score_blocks, strict=True):
        _check_fit(scores, ours, theirs, feature_blocks[0])
    offsets = np.concatenate(([0], np.cumsum([len(block.rows) for block in feature_blocks])))
    names = feature_blocks[0].names if feature_blocks else ()
    return Pool(
        offsets.astype(np.int64),
        _rows(feature_blocks, len(names), np.float32),
        _rows(score_blocks, 9, np.int32)[:, _FROM_MOSES],
        keys=np.array([block.key for block in feature_blocks], np.int64),
        sentences=np.array([block.key for block in feature_blocks], np.int32),
        names=names,
    )


def _rows(blocks: list[_Block], width: int, dtype: type) -> NDArray[Any]:
    empty: NDArray[Any] = np.empty((0, width), dtype)
    return np.concatenate([empty, *(block.rows for block in blocks)], dtype=dtype, casting="unsafe")


def _check_fit(path: PathLike, ours: _Block, theirs: _Block, first: _Block) -> None:
    name = display_name(path)
    if theirs.names[:1] != ("BLEU",):
        found = f"statistics of {' '.join(theirs.names)}"
        raise FormatError(found, path=name, line=theirs.line, expected="BLEU")
    if (ours.key, len(ours.rows)) != (theirs.key, len(theirs.rows)):
        raise FormatError(
            f"list {theirs.key} with {len(theirs.rows)} candidates",
            path=name,
            line=theirs.line,
            expected=f"list {ours.key} with {len(ours.rows)}, as in the features",
        )
    if ours.names != first.names:
        found = f"list {ours.key} has other features than list {first.key}"
        raise FormatError(found, path=name, expected="one set of dense features")


def _blocks(path: PathLike, kind: str) -> Iterator[_Block]:
    name, lines = display_name(path), read_lines(path)
    begin = 0
    while begin < len(lines):
        line, number = lines[begin], begin + 1
        words = line.split()
        if not words:
            begin += 1
            continue
        if words[0] != f"{kind}_TXT_BEGIN_0" or len(words) < 4:
            expected = f"{kind}_TXT_BEGIN_0 and three numbers"
            raise FormatError(repr(line[:40]), path=name, line=number, expected=expected)
        key, count, width = (int(_number(word, name, number, whole=True)) for word in words[1:4])
        if kind == "SCORES" and width != 9:
            raise FormatError(f"{width} statistics", path=name, line=number, expected="9")
        if width == 0:
            raise FormatError("no features", path=name, line=number, expected="at least one")
        rows = _numbers(lines, name, (number, number + count), width, whole=kind == "SCORES")
        begin = number + count + 1
        if begin > len(lines) or lines[begin - 1].split() != [f"{kind}_TXT_END_0"]:
            found = f"more or fewer candidates than the {count} of list {key}"
            raise FormatError(
                found, path=name, line=number, expected=f"{kind}_TXT_END_0 after them"
            )
        yield _Block(key, number, tuple(words[4:]), rows)


def _numbers(
    lines: Lines, name: str, span: tuple[int, int], width: int, *, whole: bool
) -> NDArray[np.float64]:
    """Rows of numbers.  The core reads what is plainly correct; the rest is read here, where it is
    refused with a reason or has an unusual form, such as a sign +."""
    begin, end = span[0], min(span[1], len(lines))
    parts = []
    while begin < end:
        part = lines.numbers(begin, end, width).reshape(-1, width)
        if whole:
            good = (part == np.floor(part)) & (part >= 0) & (part < 2**31)
            part = part[: len(part) if good.all() else int(good.all(axis=1).argmin())]
        parts.append(part)
        begin += len(part)
        if begin < end:
            parts.append(np.array([_row(lines[begin], name, begin + 1, width, whole=whole)]))
            begin += 1
    return np.concatenate([np.empty((0, width)), *parts])


def _row(line: str, name: str, number: int, width: int, *, whole: bool) -> list[float]:
    words = line.split()
    if len(words) != width:
        raise FormatError(
            f"{len(words)} values", path=name, line=number, expected=f"{width} per candidate"
        )
    return [_number(word, name, number, whole=whole) for word in words]


def _number(word: str, name: str, line: int, *, whole: bool) -> float:
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    good = value == math.floor(value) and 0 <= value < 2**31 if math.isfinite(value) else False
    if not (good if whole else math.isfinite(value)):
        expected = "a non-negative whole number" if whole else "a finite number"
        raise FormatError(repr(word), path=name, line=line, expected=expected)
    return value


def write_moses_pool(pool: Pool, features: PathLike, scores: PathLike) -> None:
    """Writes dense features and BLEU statistics for Moses; refuses sparse features."""
    if pool.sparse is not None or pool.statistics.shape[1] != 9:
        raise FormatError(repr(pool), expected="only dense features and BLEU-4 statistics")
    names = pool.names or tuple(f"f_{i}" for i in range(pool.dense.shape[1]))
    bounds = list(zip(pool.keys.tolist(), pool.offsets[:-1], pool.offsets[1:], strict=True))
    with write_text(features) as file:
        for key, begin, end in bounds:
            head = f"FEATURES_TXT_BEGIN_0 {key} {end - begin} {len(names)} {' '.join(names)}"
            file.write(head + " \n")
            for row in pool.dense[begin:end]:
                file.write(" ".join(f"{value:.9g}" for value in row) + " \n")
            file.write("FEATURES_TXT_END_0\n")
    with write_text(scores) as file:
        for key, begin, end in bounds:
            file.write(f"SCORES_TXT_BEGIN_0 {key} {end - begin} 9 BLEU\n")
            for counts in pool.statistics[begin:end, _TO_MOSES].tolist():
                file.write(" ".join(map(str, counts)) + " \n")
            file.write("SCORES_TXT_END_0\n")
