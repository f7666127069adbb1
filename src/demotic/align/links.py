"""Reading, writing and symmetrising links."""

from __future__ import annotations

from demotic._core import Alignments, Symmetrization
from demotic._core import symmetrize as _symmetrize
from demotic.align.options import SymmetrizationName
from demotic.lines import EncodingPolicy, PathLike, read_lines, write_text

__all__ = ["read_links", "symmetrize", "write_links"]


def read_links(path: PathLike, *, encoding_errors: EncodingPolicy = "refuse") -> Alignments:
    """Pharaoh format: one line like `0-0 1-2` per sentence pair, positions from 0, source first."""
    lines = read_lines(path, encoding_errors=encoding_errors)
    return Alignments.parse(lines, str(path))


def write_links(path: PathLike, alignments: Alignments) -> None:
    """Pharaoh format; compressed if the name ends in .gz."""
    with write_text(path) as file:
        for line in alignments.format().tolist():
            file.write(line + "\n")


def symmetrize(
    forward: Alignments, backward: Alignments, kind: SymmetrizationName = "gdfa"
) -> Alignments:
    """One set of links per pair from those of p(target | source) and p(source | target).

    `gd`, `gdf` and `gdfa` are grow-diag, grow-diag-final and grow-diag-final-and, with exactly
    the links that Moses produces.
    """
    return _symmetrize(Symmetrization[kind], forward, backward)
