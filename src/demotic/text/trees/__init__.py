"""Parse trees of a text: read from Penn brackets or CoNLL-U, joined to the tokens of its sentences.

trees = read_trees("dev.trees", read_lines("dev.tok").tolist())
for begin, end, label in trees.constituents(0):
    print(begin, end, label)
"""

from __future__ import annotations

from demotic.text.trees.reader import TreeFormat, TreeStream, read_trees
from demotic.text.trees.trees import Constituent, TreeCounts, Trees

__all__ = ["Constituent", "TreeCounts", "TreeFormat", "TreeStream", "Trees", "read_trees"]
