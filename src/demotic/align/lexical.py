"""Lexical tables of a trained aligner, as Moses and bicleaner read them.

`NAME.f2e` has lines `e f p(e|f)` and `NAME.e2f` lines `f e p(f|e)`, where f is a source word and e
a target word; the empty word is written NULL.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from demotic.align.aligner import Aligner
from demotic.lines import PathLike, write_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["lexical_paths", "write_lexical_tables"]

NULL = "NULL"


def lexical_paths(name: str) -> tuple[str, str]:
    """The files of the two directions; compressed if the name ends in .gz."""
    stem, packed = name.removesuffix(".gz"), ".gz" * name.endswith(".gz")
    return f"{stem}.f2e{packed}", f"{stem}.e2f{packed}"


def write_lexical_tables(aligner: Aligner, name: str, minimum: float = 1e-4) -> tuple[int, int]:
    """Writes entries of at least `minimum`; returns their numbers in the two files.

    Sorted by the word that is translated, then by falling probability.
    """
    import numpy as np

    native = aligner.native_
    sources = np.repeat(
        np.arange(len(native.row_offsets) - 1, dtype=np.int32), np.diff(native.row_offsets)
    )
    targets = native.row_targets
    probabilities = native.probabilities
    forward, backward = lexical_paths(name)
    return (
        _write(
            forward, aligner, (sources, targets, probabilities[:, 0], native.forward_null), minimum
        ),
        _write(
            backward,
            aligner,
            (targets, sources, probabilities[:, 1], native.backward_null),
            minimum,
        ),
    )


_Table = tuple[
    "NDArray[np.int32]", "NDArray[np.int32]", "NDArray[np.float32]", "NDArray[np.float32]"
]


def _write(path: PathLike, aligner: Aligner, table: _Table, minimum: float) -> int:
    """`table`: conditioning words, explained words, probabilities, those of the empty word."""
    import numpy as np

    given, explained, probability, null = table
    kept = np.flatnonzero(probability >= minimum)
    kept = kept[np.lexsort((explained[kept], -probability[kept], given[kept]))]
    by_null = np.flatnonzero(null >= minimum)
    by_null = by_null[np.lexsort((by_null, -null[by_null]))]
    words = aligner.vocabulary_.words()
    with write_text(path) as file:
        for word, p in zip(by_null.tolist(), null[by_null].tolist(), strict=True):
            _line(file, words[word], NULL, p)
        columns = (explained[kept].tolist(), given[kept].tolist(), probability[kept].tolist())
        for word, other, p in zip(*columns, strict=True):
            _line(file, words[word], words[other], p)
    return len(kept) + len(by_null)


def _line(file: IO[str], word: str, given: str, probability: float) -> None:
    file.write(f"{word} {given} {min(probability, 1.0):.7f}\n")
