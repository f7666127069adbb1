"""Test sentences on which two systems differ most, with the translations of all systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from demotic.experiments.results import ExperimentResult, ResultRow
from demotic.lines import read_lines, split_words
from demotic.metrics.chrf import Chrf
from demotic.metrics.references import References

if TYPE_CHECKING:
    from demotic.explain import Explanation

__all__ = ["ExampleSentence", "compared_rows", "examples_of", "explained"]

_GAINED, _LOST = 3, 2
_WORDS = (4, 22)  # source words of a sentence that is easy to look at


@dataclass(frozen=True)
class ExampleSentence:
    """A sentence, its first reference, and (system, translation, sentence chrF) of each system."""

    source: str
    reference: str
    translations: tuple[tuple[str, str, float], ...]


def compared_rows(result: ExperimentResult) -> list[ResultRow]:
    """The translated systems at one point of the axes, the last, where beams are largest."""
    rows = [row for row in result.rows if row.output]
    return [row for row in rows if row.point == rows[-1].point] if rows else []


def two_systems(result: ExperimentResult, rows: Sequence[ResultRow]) -> tuple[ResultRow, ResultRow]:
    """The baseline or else the first, and the best other one on the dev set."""
    named = result.settings.get("baseline", "")
    base = next((row for row in rows if row.system == named), rows[0])
    others = [row for row in rows if row is not base] or [base]
    return base, result.best(others)


def examples_of(result: ExperimentResult, home: Path) -> list[ExampleSentence]:
    """Where the second system gains most by sentence chrF, and where it loses most."""
    rows, text = compared_rows(result), home / result.text
    if not rows or not (text / "test.src").exists():
        return []
    source = read_lines(text / "test.src").tolist()
    streams = [read_lines(path).tolist() for path in sorted(text.glob("test.tgt.*"))]
    metric = Chrf(References.from_streams(streams))
    outputs = {row.name: read_lines(home / row.output).tolist() for row in rows}
    scores = {
        name: metric.corpus_scores(metric.statistics(lines).astype(np.float64))
        for name, lines in outputs.items()
    }
    base, best = two_systems(result, rows)
    gains = scores[best.name] - scores[base.name]
    short = [i for i, line in enumerate(source) if _WORDS[0] <= len(split_words(line)) <= _WORDS[1]]
    ranked = sorted(short, key=lambda i: (-gains[i], i))
    chosen = [i for i in ranked[:_GAINED] if gains[i] > 0]
    chosen += [i for i in ranked[-_LOST:] if gains[i] < 0]
    return [
        ExampleSentence(
            source[i],
            streams[0][i],
            tuple((name, lines[i], float(scores[name][i])) for name, lines in outputs.items()),
        )
        for i in chosen or short[:_GAINED]
    ]


def explained(result: ExperimentResult, home: Path, sentence: str) -> list[tuple[str, Explanation]]:
    """The sentence by the two systems; empty if their models are gone."""
    from demotic.explain import explain
    from demotic.model import Model
    from demotic.model.file import MODEL_NAME
    from demotic.options import declared
    from demotic.search.options import SearchOptions

    found = []
    for row in dict.fromkeys(row.name for row in two_systems(result, compared_rows(result))):
        (one,) = (other for other in result.rows if other.name == row)
        if not (home / one.model / MODEL_NAME).exists():
            return []
        model = Model.load(home / one.model)
        if model.sparse is not None and model.sparse.features.has_constituents:
            return []  # its trees belong to the test set, not to the sentence alone
        kinds = {option.name: option.kind for option in declared(SearchOptions)}
        search = {
            name: value for name, value in one.search.items() if kinds[name] in ("", model.kind)
        }
        options = SearchOptions.for_model(model, search)
        found.append((row, explain(model, sentence, options=options)))
    return found
