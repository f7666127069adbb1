"""Tiny random phrase models, with the parts that brute force needs."""

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
from demotic.features.dense import OPERATION_FEATURES, dense_features
from demotic.features.weights import Weights
from demotic.formats.tables import MOSES_SCORES
from demotic.lm import LanguageModel, LmOptions, estimate_lm
from demotic.lm.text import EncodedText
from demotic.rules import Rules
from demotic.search import SearchOptions
from demotic.search.decoder import Decoder
from demotic.search.kinds import KINDS
from tests.oracle.arpa import Arpa, Words
from tests.oracle.operations import Operations, Piece, generated
from tests.oracle.phrase_search import ORIENTATIONS, PhraseOracle
from tests.search.phrase_brute_force import PhraseBruteForce
from tests.search.tiny_parts import (
    SOURCE,
    TARGET,
    native_language_model,
    random_arpa,
    random_weights,
)

__all__ = ["TinyPhrase", "drawn_phrase", "tiny_phrase", "with_table"]

DIRECTIONS: Mapping[str, tuple[str, ...]] = {
    "none": (),
    "backward": ("backward",),
    "forward": ("forward",),
    "bidirectional": ("backward", "forward"),
}

Links = dict[tuple[Words, Words], frozenset[tuple[int, int]]]
Table = dict[Words, list[tuple[Words, dict[str, float]]]]


@dataclass(frozen=True)
class TinyPhrase:
    """A phrase model and its parts in Python."""

    table: Table
    arpas: list[Arpa]
    native: _core.PhraseModel
    rules: Rules
    weights: Weights
    unknown_phrase_penalty: bool = False
    kind: str = "phrase"
    operations: Operations | None = None

    def decoder(self, options: SearchOptions) -> Decoder:
        return Decoder(self, self.native, KINDS["phrase"], options, self.weights)  # type: ignore[arg-type]

    def oracle(self, options: SearchOptions) -> PhraseOracle:
        return PhraseOracle(
            self.table,
            self.arpas,
            self.weights,
            options,
            unknown_phrase_penalty=self.unknown_phrase_penalty,
            operations=self.operations,
        )

    def brute_force(
        self, words: Words, options: SearchOptions, *, fell_back: bool = False
    ) -> PhraseBruteForce:
        space = replace(options, distortion_limit=0) if fell_back else options
        return PhraseBruteForce(self, self.oracle(space), words)

    def weighted(self, weights: Weights) -> TinyPhrase:
        return replace(self, weights=weights)

    @cached_property
    def scores(self) -> Mapping[tuple[Words, Words], Mapping[str, float]]:
        return {
            (source, target): scores
            for source, rules in self.table.items()
            for target, scores in rules
        }


def tiny_phrase(
    rng: random.Random,
    folder: Path,
    *,
    reordering: str | None = None,
    language_models: int = -1,
    operations: bool = False,
) -> TinyPhrase:
    """A random model; `language_models` of -1 draws their number."""
    reordering = rng.choice(list(DIRECTIONS)) if reordering is None else reordering
    count = rng.choice((0, 1, 1, 1, 2, 3)) if language_models < 0 else language_models
    family = rng.choice(("", "hierarchical_"))
    directions = [family + side for side in DIRECTIONS[reordering]]
    table = _table(rng, directions)
    arpas = [random_arpa(rng) for _ in range(count)]
    return with_table(rng, folder, table, arpas, directions, operations=operations)


def drawn_phrase(
    rng: random.Random, folder: Path, *, operations: bool | None = None, **given: Any
) -> TinyPhrase:
    """The same, sometimes with an operation sequence model."""
    operations = rng.random() < 0.4 if operations is None else operations
    return tiny_phrase(rng, folder, operations=operations, **given)


def with_table(
    rng: random.Random,
    folder: Path,
    table: Table,
    arpas: list[Arpa],
    directions: Sequence[str] = (),
    *,
    operations: bool = False,
) -> TinyPhrase:
    """A model of the given rules, with random weights."""
    vocabulary = _core.VocabularyBuilder()
    links = random_links(rng, table) if operations else {}
    store = _store(table, vocabulary, folder / "rules.bin", directions, links)
    words = vocabulary.finish()
    counted = rng.random() < 0.5
    ordered = Operations(operation_lm(rng, links), links) if operations else None
    native = _core.PhraseModel(
        store,
        [native_language_model(arpa) for arpa in arpas],
        words,
        unknown_phrase_penalty=counted,
        operations=ordered.lm.native if ordered else None,
    )
    names = dense_features(
        "phrase",
        store.score_names,
        len(arpas),
        optional=OPERATION_FEATURES if ordered else (),
    )
    weights = random_weights(rng, names)
    return TinyPhrase(
        table, arpas, native, Rules(store, words), weights, counted, operations=ordered
    )


def random_links(rng: random.Random, table: Table) -> Links:
    """One to four links for each rule."""
    return {
        (source, target): frozenset(
            (rng.randrange(len(source)), rng.randrange(len(target)))
            for _ in range(rng.randint(1, 4))
        )
        for source, rules in table.items()
        for target, _ in rules
    }


def operation_lm(rng: random.Random, links: Links) -> LanguageModel:
    """Estimated from random sequences of rules in random orders."""
    text: list[list[str]] = []
    for _ in range(30):
        chosen = rng.choices(list(links), k=rng.randint(1, 4))
        begins = [sum(len(source) for source, _ in chosen[:i]) for i in range(len(chosen))]
        pieces = [
            Piece(begin, source, target, links[source, target])
            for begin, (source, target) in zip(begins, chosen, strict=True)
        ]
        rng.shuffle(pieces)
        text.append([one for one in generated(pieces).operations if one is not None])
    names = _core.VocabularyBuilder()
    rows = [[names.add(one) for one in line] for line in text]
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    corpus = _core.Corpus(offsets, np.array([one for row in rows for one in row], np.int32))
    return estimate_lm(EncodedText(corpus, names.finish()), LmOptions(order=rng.randint(1, 4)))


def _table(rng: random.Random, directions: Sequence[str]) -> Table:
    """Some of all short source sides, each with one to three target sides; sometimes with ties."""
    ties = rng.random() < 0.3
    names = [f"reordering_{side}_{o}" for side in directions for o in ORIENTATIONS]
    table: Table = {}
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
    table: Table,
    vocabulary: _core.VocabularyBuilder,
    path: Path,
    directions: Sequence[str],
    links: Links,
) -> _core.RuleStore:
    rules = _core.RuleTable(vocabulary)
    names = [f"reordering_{side}_{o}" for side in directions for o in ORIENTATIONS]
    first = _core.read_table(rules, _core.TableFormat.moses_phrases, "table", "score_", 0)
    first.add(_lines(table, MOSES_SCORES, links))
    if names:
        second = _core.read_reordering(rules, "reordering", names, [0.0] * len(names))
        second.add(_lines(table, names, {}))
    rules.write(str(path), _core.Duplicates.refuse, None)
    return _core.RuleStore.open(str(path), True)


def _lines(table: Table, names: Sequence[str], links: Links) -> _core.Lines:
    lines = _core.Lines()
    for source, rules in table.items():
        for target, scores in rules:
            values = " ".join(f"{math.exp(scores[name]):.17g}" for name in names)
            line = f"{' '.join(source)} ||| {' '.join(target)} ||| {values}"
            if links:
                pairs = sorted(links[source, target])
                line += " ||| " + " ".join(f"{s}-{t}" for s, t in pairs)
            lines.append(line)
    return lines
