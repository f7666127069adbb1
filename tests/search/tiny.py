"""Tiny random models, made in memory but for their rules, and an oracle of each."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from demotic import _core
from demotic.features.dense import dense_features
from demotic.features.weights import Weights
from demotic.formats.tables import MOSES_SCORES
from demotic.rules import Rules
from demotic.search import SearchOptions, Step
from demotic.search.decoder import Decoder
from demotic.search.kinds import KINDS
from tests.oracle.arpa import Arpa, Entry, Words
from tests.oracle.phrase_search import ORIENTATIONS, Phrase, PhraseOracle

__all__ = ["HUGE", "Tiny", "phrases_of", "sentences", "tiny_model"]

SOURCE = ("a", "b", "c", "d")
TARGET = ("v", "w", "x", "a")
DIRECTIONS: Mapping[str, tuple[str, ...]] = {
    "none": (),
    "backward": ("backward",),
    "forward": ("forward",),
    "bidirectional": ("backward", "forward"),
}
HUGE = 2**31 - 1

TableOf = dict[Words, list[tuple[Words, dict[str, float]]]]


@dataclass(frozen=True)
class Tiny:
    """A model whose parts are known in Python too."""

    table: TableOf
    arpas: list[Arpa]
    native: _core.PhraseModel
    rules: Rules
    weights: Weights
    kind: str = "phrase"
    unknown_phrase_penalty: bool = False

    def decoder(self, options: SearchOptions) -> Decoder:
        return Decoder(self, self.native, KINDS["phrase"], options, self.weights)  # type: ignore[arg-type]

    def oracle(self, options: SearchOptions) -> PhraseOracle:
        return PhraseOracle(
            self.table,
            self.arpas,
            self.weights,
            options,
            unknown_phrase_penalty=self.unknown_phrase_penalty,
        )

    def weighted(self, weights: Weights) -> Tiny:
        return replace(self, weights=weights)

    @cached_property
    def scores(self) -> Mapping[tuple[Words, Words], Mapping[str, float]]:
        return {
            (source, target): scores
            for source, rules in self.table.items()
            for target, scores in rules
        }


def phrases_of(
    model: Tiny, words: Words, steps: Sequence[Step], *, dropped: bool = False
) -> tuple[Phrase, ...]:
    """The steps of a derivation in the oracle's terms."""
    found = []
    for rule, begin, end in steps:
        source = words[begin:end]
        if rule < 0:
            found.append(Phrase(begin, end, () if dropped else source, None))
        else:
            target = tuple(map(model.rules.vocabulary.word, model.rules.store.target(rule)))
            found.append(Phrase(begin, end, target, model.scores[source, target]))
    return tuple(found)


def sentences(rng: random.Random, longest: int, count: int) -> list[Words]:
    """Words repeat; z and <s> are unknown, v is known as a target word only."""
    words = (*SOURCE, *SOURCE, *SOURCE, "z", "v", "<s>")
    return [tuple(rng.choices(words, k=rng.randint(0, longest))) for _ in range(count)]


def tiny_model(
    rng: random.Random, folder: Path, *, reordering: str | None = None, language_models: int = -1
) -> Tiny:
    reordering = rng.choice(list(DIRECTIONS)) if reordering is None else reordering
    count = rng.choice((0, 1, 1, 1, 2, 3)) if language_models < 0 else language_models
    table = _table(rng, DIRECTIONS[reordering])
    arpas = [_arpa(rng) for _ in range(count)]
    vocabulary = _core.VocabularyBuilder()
    store = _store(table, vocabulary, folder / "rules.bin", DIRECTIONS[reordering])
    words = vocabulary.finish()
    counted = rng.random() < 0.5
    native = _core.PhraseModel(
        store, [_native(arpa) for arpa in arpas], words, unknown_phrase_penalty=counted
    )
    names = dense_features("phrase", store.score_names, count)
    return Tiny(
        table,
        arpas,
        native,
        Rules(store, words),
        _weights(rng, names),
        unknown_phrase_penalty=counted,
    )


def _table(rng: random.Random, directions: Sequence[str]) -> TableOf:
    """Each possible source side or not, with one to three target sides, also empty-looking ties."""
    ties = rng.random() < 0.3
    names = [f"reordering_{side}_{o}" for side in directions for o in ORIENTATIONS]
    table: TableOf = {}
    for size, share in ((1, 0.8), (2, 0.5), (3, 0.15)):
        for source in product(SOURCE, repeat=size):
            if rng.random() > share:
                continue
            targets = {
                tuple(rng.choices(TARGET, k=rng.choice((1, 1, 2, 3))))
                for _ in range(rng.randint(1, 3 if size == 1 else 2))
            }
            table[source] = [
                (target, {name: _log(rng, ties) for name in (*MOSES_SCORES, *names)})
                for target in sorted(targets)
            ]
    return table or {("a",): [(("v",), dict.fromkeys((*MOSES_SCORES, *names), -1.0))]}


def _log(rng: random.Random, ties: bool) -> float:
    probability = rng.choice((1.0, 0.5, 0.25)) if ties else rng.uniform(0.01, 1)
    return float(np.float32(math.log(probability)))


def _store(
    table: TableOf, vocabulary: _core.VocabularyBuilder, path: Path, directions: Sequence[str]
) -> _core.RuleStore:
    rules = _core.RuleTable(vocabulary)
    names = [f"reordering_{side}_{o}" for side in directions for o in ORIENTATIONS]
    first = _core.read_table(rules, _core.TableFormat.moses_phrases, "table", "score_", 0)
    first.add(_lines(table, MOSES_SCORES))
    if names:
        second = _core.read_reordering(rules, "reordering", names, [0.0] * len(names))
        second.add(_lines(table, names))
    rules.write(str(path), _core.Duplicates.refuse, None)
    return _core.RuleStore.open(str(path), True)


def _lines(table: TableOf, names: Sequence[str]) -> _core.Lines:
    lines = _core.Lines()
    for source, rules in table.items():
        for target, scores in rules:
            values = " ".join(f"{math.exp(scores[name]):.17g}" for name in names)
            lines.append(f"{' '.join(source)} ||| {' '.join(target)} ||| {values}")
    return lines


def _arpa(rng: random.Random) -> Arpa:
    """Of order 1 to 3; an n-gram is there only with what it begins and ends with."""
    order = rng.randint(1, 3)
    words = [word for word in (*TARGET, "b") if rng.random() < 0.9]
    grams = [{("<s>",), ("</s>",), ("<unk>",), *((word,) for word in words)}]
    for _ in range(1, order):
        longer = {
            (*left, right[-1])
            for left, right in product(sorted(grams[-1]), repeat=2)
            if left[1:] == right[:-1] and right[-1] != "<s>" and left[-1] != "</s>"
        }
        grams.append({gram for gram in sorted(longer) if rng.random() < 0.4})
    entries: dict[Words, Entry] = {}
    for gram in (gram for level in grams for gram in sorted(level)):
        backs_off = len(gram) < order and gram[-1] != "</s>" and rng.random() < 0.8
        backoff = rng.uniform(-1, 0.3) if backs_off else 0.0
        entries[gram] = float(np.float32(rng.uniform(-3, 0))), float(np.float32(backoff))
    return Arpa(entries)


def _native(arpa: Arpa) -> _core.LanguageModel:
    levels: list[list[Words]] = [[] for _ in range(arpa.order)]
    for gram in arpa.entries:
        levels[len(gram) - 1].append(gram)
    text = ["", "\\data\\", *(f"ngram {i + 1}={len(grams)}" for i, grams in enumerate(levels))]
    for i, grams in enumerate(levels):
        text += ["", f"\\{i + 1}-grams:"]
        for gram in grams:
            log, backoff = arpa.entries[gram]
            end = f"\t{backoff!r}" if backoff and i + 1 < arpa.order else ""
            text.append(f"{log!r}\t{' '.join(gram)}{end}")
    reader = _core.ArpaReader("tiny", False)
    reader.feed("\n".join([*text, "", "\\end\\", ""]).encode())
    return _core.LanguageModel.build(reader.finish())


def _weights(rng: random.Random, names: Sequence[str]) -> Weights:
    """Mostly positive ones; sometimes all 0, some 0, negative ones, or equal ones."""
    kinds: dict[str, Any] = {
        "usual": lambda: rng.uniform(0.05, 1),
        "some": lambda: rng.choice((0.0, rng.uniform(0, 1))),
        "any": lambda: rng.uniform(-1, 1),
        "equal": lambda: 0.5,
        "zero": lambda: 0.0,
    }
    draw = kinds[rng.choices(list(kinds), weights=(5, 2, 2, 1, 1))[0]]
    return Weights.of({name: draw() for name in names})
