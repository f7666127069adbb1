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

import numpy as np
from numpy.typing import NDArray

from demotic.errors import FormatError
from demotic.learn.evidence import Pool
from demotic.lines import LineFile, PathLike, display_name, write_text

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
    rows: list[list[float]]


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
        _rows(feature_blocks, len(names)).astype(np.float32),
        _rows(score_blocks, 9)[:, _FROM_MOSES].astype(np.int32),
        keys=np.array([block.key for block in feature_blocks], np.int64),
        sentences=np.array([block.key for block in feature_blocks], np.int32),
        names=names,
    )


def _rows(blocks: list[_Block], width: int) -> NDArray[np.float64]:
    rows = [row for block in blocks for row in block.rows]
    return np.array(rows, np.float64).reshape(len(rows), width)


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
    name = display_name(path)
    lines = enumerate(LineFile(path), 1)
    for number, line in lines:
        words = line.split()
        if not words:
            continue
        if words[0] != f"{kind}_TXT_BEGIN_0" or len(words) < 4:
            expected = f"{kind}_TXT_BEGIN_0 and three numbers"
            raise FormatError(repr(line[:40]), path=name, line=number, expected=expected)
        key, count, width = (_number(word, name, number, whole=True) for word in words[1:4])
        if kind == "SCORES" and width != 9:
            raise FormatError(f"{width:g} statistics", path=name, line=number, expected="9")
        rows = [_row(lines, name, int(width), kind) for _ in range(int(count))]
        _, end = next(lines, (0, ""))
        if end.split() != [f"{kind}_TXT_END_0"]:
            found = f"more or fewer candidates than the {count:g} of list {key:g}"
            raise FormatError(
                found, path=name, line=number, expected=f"{kind}_TXT_END_0 after them"
            )
        yield _Block(int(key), number, tuple(words[4:]), rows)


def _row(lines: Iterator[tuple[int, str]], name: str, width: int, kind: str) -> list[float]:
    number, line = next(lines, (0, ""))
    words = line.split()
    if len(words) != width:
        raise FormatError(
            f"{len(words)} values", path=name, line=number, expected=f"{width} per candidate"
        )
    return [_number(word, name, number, whole=kind == "SCORES") for word in words]


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
