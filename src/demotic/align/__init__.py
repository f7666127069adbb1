"""Word alignment: which word of a sentence translates which word of its translation.

corpus = ParallelCorpus.read("train.es", "train.en")
alignments = align(corpus)                      # or, in two steps:
aligner = Aligner(AlignOptions(model="hmm")).fit(corpus)
alignments = aligner.align(corpus)
"""

from __future__ import annotations

from demotic._core import Alignments
from demotic.align.aligner import Aligner, align
from demotic.align.gold import Gold, read_gold
from demotic.align.joined import read_joined
from demotic.align.links import read_links, symmetrize, write_links
from demotic.align.options import AlignOptions
from demotic.align.score import AlignmentScore, score_alignments

__all__ = [
    "AlignOptions",
    "Aligner",
    "AlignmentScore",
    "Alignments",
    "Gold",
    "align",
    "read_gold",
    "read_joined",
    "read_links",
    "score_alignments",
    "symmetrize",
    "write_links",
]
