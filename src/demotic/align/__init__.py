"""Word alignment: which word of a sentence translates which word of its translation.

bitext = Bitext.read("train.es", "train.en")
alignments = align(bitext)                      # or, in two steps:
aligner = Aligner(AlignOptions(model="hmm")).fit(bitext)
alignments = aligner.align(bitext)
"""

from __future__ import annotations

from demotic._core import Alignments
from demotic.align.aligner import Aligner, align
from demotic.align.bitext import Bitext
from demotic.align.gold import Gold, read_gold
from demotic.align.links import read_links, symmetrize, write_links
from demotic.align.options import AlignOptions
from demotic.align.score import AlignmentScore, score_alignments

__all__ = [
    "AlignOptions",
    "Aligner",
    "AlignmentScore",
    "Alignments",
    "Bitext",
    "Gold",
    "align",
    "read_gold",
    "read_links",
    "score_alignments",
    "symmetrize",
    "write_links",
]
