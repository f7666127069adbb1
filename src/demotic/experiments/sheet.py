"""The sheet of an error analysis (Eidelman, Marton & Resnik 2013, section 6): random sentences,
their translations by every system, and empty columns to count errors by hand."""

from __future__ import annotations

import random
from pathlib import Path

from demotic.experiments.results import ExperimentResult
from demotic.lines import read_lines, write_text

__all__ = ["CATEGORIES", "SHEET_NAME", "write_sheet"]

CATEGORIES = (
    "function word dropped",
    "content word dropped",
    "syntactic error",
    "semantic error",
    "word order",
    "function word wrong",
)
SHEET_NAME = "errors.tsv"


def write_sheet(result: ExperimentResult, home: Path, text: Path) -> str:
    """Tab-separated, for a spreadsheet; systems of a sentence are in random order but named."""
    wanted = int(result.settings.get("sheet", 0))
    source, reference = (read_lines(text / name).tolist() for name in ("test.src", "test.tgt.0"))
    rng = random.Random(1)
    chosen = sorted(rng.sample(range(len(source)), min(wanted, len(source))))
    outputs = {
        row.name: read_lines(home / row.output).tolist() for row in result.rows if row.output
    }
    with write_text(home / SHEET_NAME) as file:
        header = ("sentence", "source", "reference", "system", "translation", *CATEGORIES)
        file.write("\t".join(header) + "\n")
        for i in chosen:
            systems = rng.sample(sorted(outputs), len(outputs))
            for name in systems:
                cells = (str(i + 1), source[i], reference[i], name, outputs[name][i])
                file.write("\t".join([*cells, *[""] * len(CATEGORIES)]) + "\n")
    return SHEET_NAME
