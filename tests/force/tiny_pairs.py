"""Tiny models with extracted or artificial rules, and pairs for forced decoding."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from demotic import _core
from demotic.features.dense import dense_features
from demotic.features.weights import Weights
from demotic.force import ForceOptions, Reachability, force
from demotic.force.gold import GoldForests
from demotic.rules import RuleOptions, Rules
from tests.oracle.extraction import Sentence
from tests.oracle.phrase_force import Derivation, Forced, Space, Words
from tests.rules.test_extraction import build, lines

__all__ = ["Pair", "TinyForce", "drawn_pair", "extracted_model", "found_by_search", "table_model"]

Pair = tuple[Words, Words]

SOURCE, TARGET = ("a", "b", "c"), ("x", "y", "z", "a")


@dataclass(frozen=True)
class TinyForce:
    """What `force` needs of a model."""

    rules: Rules
    native: _core.PhraseModel
    path: Path
    kind: str = "phrase"

    @classmethod
    def of(cls, rules: Rules, path: Path) -> TinyForce:
        return cls(rules, _core.PhraseModel(rules.store, [], rules.vocabulary), path)

    @property
    def settings(self) -> dict[str, int]:
        return {}

    @cached_property
    def weights(self) -> Weights:
        names = dense_features("phrase", self.rules.store.score_names, 0)
        return Weights.of(dict.fromkeys(names, 0.0))

    def oracle(self, space: Space, left_out: int = -1) -> Forced:
        table: dict[Words, list[tuple[Words, int]]] = defaultdict(list)
        for number, rule in enumerate(self.rules):
            if left_out < 0 or self.rules.store.only_sentence(number) != left_out:
                table[tuple(rule.source)].append((tuple(rule.target), number))
        return Forced(table, space)

    def force(
        self, pairs: Sequence[Pair], options: ForceOptions, path: Path | None, **more: bool
    ) -> Reachability:
        sources = [" ".join(source) for source, _ in pairs]
        references = [[" ".join(target)] for _, target in pairs]
        return force(self, sources, references, options, path=path, **more)  # type: ignore[arg-type]

    def gold(self, path: Path, pairs: Sequence[Pair]) -> GoldForests:
        return GoldForests.open(path, self, [" ".join(s) for s, _ in pairs])  # type: ignore[arg-type]


def extracted_model(rng: random.Random, folder: Path) -> tuple[TinyForce, list[Pair]]:
    """A model of a random bitext, and the bitext."""
    bitext = []
    for _ in range(rng.randint(2, 5)):
        source, target = rng.choices(SOURCE, k=rng.randint(1, 4)), rng.choices(TARGET, k=4)
        target = target[: rng.randint(1, 4)]
        cells = [(i, j) for i in range(len(source)) for j in range(len(target))]
        bitext.append(Sentence(source, target, frozenset(rng.choices(cells, k=rng.randint(1, 5)))))
    rules, _ = build(bitext, folder / "rules.bin", "phrase", RuleOptions(max_phrase=3))
    return TinyForce.of(rules, folder), [(tuple(s.source), tuple(s.target)) for s in bitext]


def table_model(table: Iterable[Pair], folder: Path) -> TinyForce:
    vocabulary = _core.VocabularyBuilder()
    rules = _core.RuleTable(vocabulary)
    reader = _core.read_table(rules, _core.TableFormat.moses_phrases, "table", "score_", 0)
    reader.add(lines([f"{' '.join(s)} ||| {' '.join(t)} ||| 1 1 1 1" for s, t in table]))
    rules.write(str(folder / "rules.bin"), _core.Duplicates.refuse, None)
    store = _core.RuleStore.open(str(folder / "rules.bin"), True)
    return TinyForce.of(Rules(store, vocabulary.finish()), folder)


def drawn_pair(rng: random.Random, oracle: Forced, longest: int) -> Pair:
    """Mostly a reference yielded by some order of some phrases, sometimes with an extra word."""
    source = tuple(rng.choices((*SOURCE, *SOURCE, *SOURCE, "u"), k=rng.randint(0, longest)))
    pieces, chosen, place = oracle.pieces(source), [], 0
    while place < len(source):
        ways = [piece for piece in pieces if piece[0] == place]
        if not ways:
            return source, tuple(rng.choices((*TARGET, "u"), k=rng.randint(0, longest)))
        chosen.append(rng.choice(ways))
        place = chosen[-1][1]
    if rng.random() < 0.7:
        rng.shuffle(chosen)
    target = [word for _, _, words, _ in chosen for word in words]
    if rng.random() < 0.3:
        target.insert(rng.randint(0, len(target)), rng.choice((*TARGET, "u", "v")))
    return source, tuple(target)


def found_by_search(model: TinyForce, gold: GoldForests, i: int, pair: Pair) -> set[Derivation]:
    """Every derivation of a gold forest, in the oracle's terms; each yields its reference."""
    forest = gold.forest(i)
    source, reference = pair[0][: gold[i].source_length], pair[1][: gold[i].target_length]
    count = int(forest.number_of_derivations)
    every = forest.kbest(count + 1, [0.0] * forest.edges)
    assert len(every) == count
    vocabulary = _core.SourceSentences(model.native, [" ".join(pair[0])])
    found = set()
    for edges, words in zip(every.edges, forest.yields(every), strict=True):
        assert tuple(vocabulary.word(word) for word in words.tolist()) == reference
        found.add(tuple(_pieces(model, source, forest, edges.tolist())))
    assert len(found) == count
    return found


def _pieces(model: TinyForce, source: Words, forest: object, edges: list[int]) -> list[object]:
    pieces = []
    for edge in reversed(edges[1:]):  # without the goal
        rule, begin, end = (
            int(getattr(forest, name)[edge]) for name in ("edge_rule", "edge_begin", "edge_end")
        )
        words = source[begin:end]
        if rule >= 0:
            words = tuple(map(model.rules.vocabulary.word, model.rules.store.target(rule)))
        pieces.append((begin, end, words, rule))
    return pieces
