"""The output for a translated line: columns, entries of an n-best list, or JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from demotic.lines import split_words
from demotic.search.decoder import COPIED, GIVEN, GLUE, Decoder
from demotic.search.nbest import FeatureGroups, NbestEntry, format_links
from demotic.search.sentence import constraints_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic.search.constraint import Constraint
    from demotic.search.record import Candidate, SearchResult
    from demotic.search.stream import TranslatedLine
    from demotic.search.text import RawText

__all__ = ["Confidences", "LineWriter", "constraint_values", "forest_words", "step_kind"]

Confidences = Callable[["SearchResult", "Candidate"], "NDArray[np.float64]"]
"""One number per word of a translation, from the record of the search that found it."""

_KINDS = {COPIED: "copied", GLUE: "glue"}


def step_kind(rule: int) -> str:
    """Of a step of a derivation: rule, copied, glue or given."""
    return "given" if rule <= GIVEN else _KINDS.get(rule, "rule")


class LineWriter:
    """Writes lines, whichever decoder found them."""

    def __init__(self, raw: RawText, confidences: Confidences | None = None) -> None:
        self._raw = raw
        self._confidences = confidences

    def columns(self, line: TranslatedLine, *, scores: bool, alignment: bool) -> str:
        """The text, preceded by score and links if requested, separated by tabs."""
        best = line.candidates[0]
        columns = [f"{best.score:.6f}"] if scores else []
        columns += [format_links(line.decoder.links(best.steps))] if alignment else []
        if self._confidences is not None:
            columns.append(" ".join(self._words_with_confidence(line)))
        return "\t".join([*columns, self._raw.restored(best.text, line.source)])

    def nbest(self, line: TranslatedLine, *, alignment: bool) -> list[NbestEntry]:
        """The entries of a list, with links and (for phrases) segments if requested."""
        flat = line.decoder.model.kind == "phrase"
        groups = FeatureGroups(line.decoder.weights.index)
        return [
            NbestEntry(
                line.number,
                self._raw.restored(one.text, line.source),
                groups.of(one.features),
                one.score,
                tuple(line.decoder.segments(one.steps)) if alignment and flat else None,
                tuple(line.decoder.links(one.steps)) if alignment else None,
            )
            for one in line.candidates
        ]

    def record(self, line: TranslatedLine, *, nbest: bool) -> dict[str, Any]:
        """As a dictionary for JSON."""
        record: dict[str, Any] = {"id": line.number, "source": split_words(line.source)}
        record |= self._candidate(line.decoder, line.candidates[0], line.source)
        if self._confidences is not None:
            record["confidences"] = [round(value, 4) for value in self._of_words(line)]
        if asked := constraints_of(line.source):
            record["constraints"] = [constraint_values(one) for one in asked]
        if line.fell_back:
            record["fell_back"] = True
        if nbest:
            record["nbest"] = [
                self._candidate(line.decoder, one, line.source) for one in line.candidates
            ]
        return record

    def _of_words(self, line: TranslatedLine) -> list[float]:
        """The confidence of each word of the best translation."""
        if self._confidences is None or line.result is None:
            raise ValueError("no record of the search to estimate confidences from")
        found: list[float] = self._confidences(line.result, line.candidates[0]).tolist()
        return found

    def _words_with_confidence(self, line: TranslatedLine) -> Iterator[str]:
        """A compound that was translated in parts is as doubtful as its most doubtful part."""
        words, values = line.candidates[0].words, self._of_words(line)
        side = self._raw.target_side
        if side is None or side.compounds is None:
            yield from (f"{word}/{value:.2f}" for word, value in zip(words, values, strict=True))
            return
        shown = zip(side.compounds.join(words), side.spans(words), strict=True)
        yield from (f"{word}/{min(values[i:end]):.2f}" for word, (i, end) in shown)

    def _candidate(self, decoder: Decoder, one: Candidate, source: str) -> dict[str, Any]:
        segments = zip(one.steps, decoder.segments(one.steps), strict=True)
        names = decoder.weights.index.names
        return {
            "text": self._raw.restored(one.text, source),
            "words": one.words,
            "score": one.score,
            "features": dict(zip(names, one.features.tolist(), strict=True)),
            "steps": [
                {
                    "source": segment.source,
                    "target": segment.target,
                    "rule": step.rule if step.rule >= 0 else None,
                    "kind": step_kind(step.rule),
                }
                for step, segment in segments
            ],
            "alignment": decoder.links(one.steps),
        }


def constraint_values(one: Constraint) -> dict[str, Any]:
    """What a user asked of a translation, as a dictionary for JSON."""
    record: dict[str, Any] = {"source": one.span, "mode": one.mode}
    if one.targets:
        record["targets"] = [text for text, _ in one.targets]
    if one.is_weighted:
        record["log_probabilities"] = [log_probability for _, log_probability in one.targets]
    return record | ({"origin": one.origin} if one.origin else {})


def forest_words(result: SearchResult) -> dict[str, str]:
    """The spelling of the words of a forest, by id."""
    symbols = sorted({word for word in result.forest.edge_target.values.tolist() if word >= 0})
    return dict(zip(map(str, symbols), result.spelled(symbols), strict=True))
