"""Phrase search compared with decoders that can be installed from PyPI; indicative only.

NLTK's stack decoder has no distortion limit, no lexicalised reordering and no recombination, and
estimates future costs from source words. It gets our rules (the 20 best per source side, with their
weighted scores) and our language model's scores, so its time includes calls to our model. Its table
is pruned before the clock starts; a new decoder of ours scores its rules within the measured time,
a used one has them cached.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from benchmarks.pairing import compare
from benchmarks.phrase_models import Task
from demotic.lm import LanguageModel
from demotic.model import Model
from demotic.search import SearchOptions

__all__ = ["compare_with_nltk", "compare_with_thot"]

SENTENCES, LONGEST = 10, 6
STACK = 100


def compare_with_nltk(task: Task) -> None:
    if find_spec("nltk") is None:
        print("\nnltk: not measured (not installed; `make .venv/.bench`)")
        return
    from nltk.translate.stack_decoder import StackDecoder

    lines = _short_known(task)
    options = SearchOptions(beam_size=STACK, cube_pruning=False, distortion_limit=-1, rule_limit=20)
    weights = task.model.weights
    still = weights.replace({name: 0.0 for name in weights if name.startswith("reordering")})
    scores = _Scores(LanguageModel.load(task.model.language_models[0]), weights["language_model"])
    theirs = StackDecoder(_table(task.model, lines), scores)
    theirs.stack_size = STACK
    theirs.distortion_factor = math.exp(-weights["distortion"])

    used = task.model.decoder(options, weights=still)

    def anew() -> None:
        task.model.decoder(options, weights=still).translate(lines)

    settings = f"all of a bin's candidates, stack {STACK}, no distortion limit, no reordering model"
    for name, ours in (
        ("demotic, new decoder", anew),
        ("demotic, used decoder", lambda: used.translate(lines)),
    ):
        pairing = compare(
            (name, ours),
            ("nltk", lambda: [theirs.translate(line.split()) for line in lines]),
            pairs=3,
        )
        print()
        work = f"{len(lines)} sentences of 3 to {LONGEST} words (indicative)"
        print(pairing.report(work, settings), flush=True)


def compare_with_thot() -> None:
    print(
        "sil-thot: not measured. Its decoder opens models from files in Thot's own formats; the"
        " package writes alignment models and phrase tables, but no language model and no segment"
        " lengths. Training a model without files, pair by pair (3.5.3), ended in a crash.",
        flush=True,
    )


def _short_known(task: Task) -> list[str]:
    """Short sentences whose words all have rules, because NLTK does not copy words."""
    known = (
        line
        for line in task.source
        if 3 <= len(line.split()) <= LONGEST and all(map(task.model.rules.find, line.split()))
    )
    return [line for line, _ in zip(known, range(SENTENCES), strict=False)]


def _table(model: Model, lines: list[str]) -> Any:
    from nltk.translate import PhraseTable

    table = PhraseTable()
    for phrase in {phrase for line in lines for phrase in _phrases(line.split())}:
        rules = [
            (_weighted(model, rule.scores, len(rule.target)), rule.target)
            for rule in model.rules.find(" ".join(phrase))
        ]
        for score, target in sorted(rules, reverse=True)[:20]:
            table.add(phrase, target, score)
    return table


def _phrases(words: list[str]) -> list[tuple[str, ...]]:
    ends = range(1, len(words) + 1)
    return [tuple(words[begin:end]) for end in ends for begin in range(end)]


def _weighted(model: Model, scores: dict[str, float], words: int) -> float:
    weights = model.weights
    plain = [name for name in scores if not name.startswith("reordering")]
    total = sum(weights[name] * scores[name] for name in plain)
    return total + weights["phrase_penalty"] - weights["word_penalty"] * words


@dataclass(frozen=True)
class _Scores:
    """Our language model with the interface that NLTK expects."""

    model: LanguageModel
    weight: float

    def probability(self, phrase: tuple[str, ...]) -> float:
        return self.weight * self.model.score(phrase, begin=False, end=False)

    def probability_change(self, hypothesis: Any, phrase: tuple[str, ...]) -> float:
        before = hypothesis.translation_so_far()[1 - self.model.order :]
        scores = self.model.word_scores([*before, *phrase], begin=False, end=False)
        return self.weight * sum(scores[len(before) :])
