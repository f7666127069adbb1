"""The models and texts that phrase search is measured on, and an independent scorer.

Models are built with the defaults (HMM alignment, 4-gram language model, phrases up to 7 words,
bidirectional reordering, untuned weights) into the folder in `DEMOTIC_BENCH_MODELS`, where later
runs find them, or into a temporary one.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean

from benchmarks.texts import data_folder
from demotic.align.options import AlignOptions
from demotic.lines import LineFile
from demotic.lm import LanguageModel
from demotic.metrics import Bleu, BleuOptions, References
from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.search import Decoder, SearchOptions, Step, Translations
from demotic.search.decoder import COPIED

__all__ = ["SOURCES", "Task", "decoder", "model_folder", "open_task", "rescored"]

SOURCES = {"zh-en-tatoeba": "zh", "es-en-news": "es"}


@dataclass(frozen=True)
class Task:
    """A model and the sentences it is measured on."""

    name: str
    model: Model
    source: list[str]
    reference: list[str]

    @property
    def words(self) -> int:
        return sum(len(line.split()) for line in self.source)

    def bleu(self, translations: Sequence[str]) -> float:
        references = References.from_streams([self.reference])
        return Bleu(references, BleuOptions(tokenize="none")).score(translations)


@contextmanager
def model_folder() -> Iterator[Path]:
    named = os.environ.get("DEMOTIC_BENCH_MODELS")
    if named:
        yield Path(named)
        return
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


def open_task(name: str, folder: Path, limit: int | None = None) -> Task:
    """Builds the model unless it exists; `limit` uses the first sentences of the test set."""
    text, language = data_folder() / name / "tok", SOURCES[name]
    options = BuildOptions(
        source=text / f"train.{language}.gz", target=text / "train.en.gz", align=(AlignOptions(),)
    )
    model = build(options, folder / name, threads=2).model
    sides = [list(LineFile(text / f"test.{side}.gz"))[:limit] for side in (language, "en")]
    return Task(name, model, *sides)


def decoder(model: Model, pop_limit: int, distortion_limit: int = 6) -> Decoder:
    """A new decoder, so that nothing is cached from an earlier run."""
    return model.decoder(
        SearchOptions(
            pop_limit=pop_limit,
            beam_size=max(pop_limit, 200),
            distortion_limit=distortion_limit,
            rule_limit=20,
        )
    )


def rescored(model: Model, language_model: LanguageModel, found: Translations) -> float:
    """The mean model score, recomputed from derivations and text without the search's code."""
    return fmean(
        _score(model, language_model, found.steps(i), text) for i, text in enumerate(found.text)
    )


def _score(model: Model, language_model: LanguageModel, steps: Sequence[Step], text: str) -> float:
    weights, store = model.weights, model.rules.store
    total = weights["language_model"] * language_model.score(text)
    total -= weights["word_penalty"] * len(text.split())
    for step in steps:
        if step.rule == COPIED:
            total -= 100 * weights["unknown_word"]
            continue
        total += weights["phrase_penalty"]
        for name, value in zip(store.score_names, store.scores(step.rule), strict=True):
            if not name.startswith("reordering"):
                total += weights[name] * value
    start = Step(COPIED, 0, 0)
    return total + sum(_jump(model, a, b) for a, b in pairwise([start, *steps]))


def _jump(model: Model, last: Step, step: Step) -> float:
    """Distortion, and the reordering scores of both phrases."""
    way = "discontinuous"
    if step.begin == last.end:
        way = "monotone"
    elif step.end == last.begin:
        way = "swap"
    total = -model.weights["distortion"] * abs(step.begin - last.end)
    for side, used in (("backward", step), ("forward", last)):
        name = f"reordering_{side}_{way}"
        if used.rule != COPIED:
            column = model.rules.store.score_names.index(name)
            total += model.weights[name] * model.rules.store.scores(used.rule)[column]
    return total
