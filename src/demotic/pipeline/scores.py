"""Compares the stages on the test set: translations, scores, significance tests, examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from demotic.metrics.chrf import Chrf
from demotic.metrics.evaluation import evaluate
from demotic.metrics.options import EvaluateOptions
from demotic.metrics.references import References
from demotic.pipeline.result import Example, Score, StageResult
from demotic.text.languages import base_language

if TYPE_CHECKING:
    from demotic.metrics.tokens import TokenizeName
    from demotic.model import Model
    from demotic.pipeline.split import HeldOut
    from demotic.search.options import SearchOptions

__all__ = ["TestSet", "translated"]

_CHARACTERS = ("ja", "th", "lo", "km", "my", "bo")  # languages scored by characters, beside Chinese
_BATCH = 250  # lines per progress update
_EXAMPLES = 5
_LENGTHS = (15, 140)  # characters of references suitable as examples


def translated(
    model: Model,
    lines: Sequence[str],
    options: SearchOptions,
    threads: int,
    advance: Callable[[int, int], None],
) -> list[str]:
    """Raw text to raw text."""
    found: list[str] = []
    for begin in range(0, len(lines), _BATCH):
        found += model.translate(lines[begin : begin + _BATCH], options=options, threads=threads)
        advance(len(found), len(lines))
    return found


def tokenization(language: str) -> TokenizeName:
    """The BLEU tokenisation of a language: characters where words are not separated by spaces."""
    base = base_language(language)
    if base == "zh":
        return "zh"
    return "char" if base in _CHARACTERS else "13a"


def scoring(language: str) -> tuple[list[str], EvaluateOptions]:
    """The metrics for text in a language; TER only where its words can be told apart."""
    asian = base_language(language) in ("zh", "ja")
    has_words = asian or tokenization(language) == "13a"
    options = EvaluateOptions(tokenize=tokenization(language), ter_asian=asian)
    return ["bleu", "chrf", *(["ter"] if has_words else [])], options


@dataclass(frozen=True)
class TestSet:
    """Raw sentences and references, and how they are scored."""

    held_out: HeldOut
    language: str

    @property
    def references(self) -> References:
        return References.from_streams(self.held_out.references)

    def scored(
        self, stages: Sequence[StageResult], outputs: Sequence[Sequence[str]], threads: int
    ) -> tuple[list[StageResult], dict[str, str]]:
        """The stages with their scores, each compared with the previous one of its kind, and the
        signature of each metric."""
        references, signatures = self.references, {}
        metrics, options = scoring(self.language)
        filled = []
        for i, stage in enumerate(stages):
            before = _before(stages, i)
            result = evaluate(
                outputs[i],
                references,
                name="after",
                baselines={} if before is None else {"before": outputs[before]},
                metrics=metrics,
                options=options,
                threads=threads,
            )
            signatures = {name: one.signature for name, one in result.metrics.items()}
            scores = {
                name: Score(first.score, first.interval.low, first.interval.high)
                for name, one in result.metrics.items()
                for first in one.systems[:1]
            }
            test = result["bleu"].systems[0].against.get("before")
            filled.append(
                replace(
                    stage,
                    scores=scores,
                    compared_with="" if before is None else stages[before].name,
                    p_value=None if test is None else test.p_bootstrap,
                )
            )
        return filled, signatures

    def examples(
        self, before: Sequence[str], after: Sequence[str]
    ) -> tuple[list[Example], list[Example]]:
        """The best and worst translations, among sentences of ordinary length."""
        metric = Chrf(self.references)
        scores = [
            metric.corpus_scores(metric.statistics(list(lines)).astype(np.float64))
            for lines in (before, after)
        ]
        references = self.held_out.references
        shown = [
            Example(source, tuple(refs), old, new, float(was), float(now))
            for source, refs, old, new, was, now in zip(
                self.held_out.source,
                zip(*references, strict=True),
                before,
                after,
                *scores,
                strict=True,
            )
            if _LENGTHS[0] <= len(refs[0]) <= _LENGTHS[1]
        ]
        ranked = sorted(_distinct(shown), key=lambda one: (-one.score_after, one.source))
        good = sorted(ranked[: 4 * _EXAMPLES], key=_improved)[:_EXAMPLES]
        bad = [one for one in reversed(ranked) if one not in good][:_EXAMPLES]
        return good, bad


def _improved(one: Example) -> tuple[float, str]:
    return one.score_before - one.score_after, one.source


def _distinct(examples: Sequence[Example]) -> list[Example]:
    return list({one.source: one for one in examples}.values())


def _before(stages: Sequence[StageResult], i: int) -> int | None:
    """The previous stage of the same kind as stage i; a stage for comparison has the first."""
    earlier = [j for j in range(i) if stages[j].kind == stages[i].kind and not stages[j].story]
    if not earlier:
        return None
    return earlier[0] if stages[i].story else earlier[-1]
