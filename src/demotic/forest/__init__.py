"""Forests: hypergraphs of the hypotheses that a search considered, and algorithms on them."""

from demotic.forest.derivations import Derivations, Envelope
from demotic.forest.forest import COPIED_WORD, GLUE, NO_RULE, Forest
from demotic.forest.json_lines import read_forests, write_forests
from demotic.forest.rows import FeatureRows, Rows

__all__ = [
    "COPIED_WORD",
    "GLUE",
    "NO_RULE",
    "Derivations",
    "Envelope",
    "FeatureRows",
    "Forest",
    "Rows",
    "read_forests",
    "write_forests",
]
