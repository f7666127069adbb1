"""Tiny random grammars, with the parts that brute force needs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from demotic import _core
from demotic.features.dense import dense_features
from demotic.features.weights import Weights
from demotic.rules import Rules
from demotic.search import SearchOptions, Step
from demotic.search.decoder import Decoder
from demotic.search.kinds import KINDS
from tests.oracle.arpa import Arpa
from tests.oracle.hiero_search import COPY, GLUE, HieroOracle, ScfgRule, Space, Words
from tests.search.hiero_brute_force import HieroBruteForce
from tests.search.tiny_parts import (
    SOURCE,
    TARGET,
    native_language_model,
    positive_weights,
    random_arpa,
    random_weights,
)

__all__ = ["TinyHiero", "grammar_of", "scfg_rules", "tiny_hiero", "with_grammar"]

SCORES = ("p", "q")
UNIFORM = Arpa({(w,): (-1.0, 0.0) for w in ("<s>", "</s>", "<unk>", "v", "w", "x")})


@dataclass(frozen=True)
class TinyHiero:
    """A Hiero model and its parts in Python."""

    grammar: list[ScfgRule]
    arpas: list[Arpa]
    space: Space
    native: _core.HieroModel
    rules: Rules
    weights: Weights
    kind: str = "hiero"

    def decoder(self, options: SearchOptions) -> Decoder:
        return Decoder(self, self.native, KINDS["hiero"], options, self.weights)  # type: ignore[arg-type]

    def oracle(self, words: Words, options: SearchOptions) -> HieroOracle:
        space = replace(self.space, span_limit=options.span_limit)
        return HieroOracle(self.grammar, self.arpas, self.weights, space, words)

    def brute_force(
        self, words: Words, options: SearchOptions, *, fell_back: bool = False
    ) -> HieroBruteForce:
        return HieroBruteForce(self, self.oracle(words, options), fell_back=fell_back)

    def weighted(self, weights: Weights) -> TinyHiero:
        return replace(self, weights=weights)

    def key(self, steps: Sequence[Step]) -> tuple[object, ...]:
        """The steps of a derivation in the oracle's terms."""
        return tuple((self.names[rule], begin, end) for rule, begin, end in steps)

    @cached_property
    def names(self) -> dict[int, object]:
        """The key of every rule in the oracle's terms, by the number of the rule."""
        names: dict[int, object] = {-1: COPY, -2: GLUE}
        for number, rule in enumerate(self.rules):
            assert self.rules.store.lhs(number) == self.rules.store.labels.index(rule.lhs)
            names[number] = (rule.lhs, rule.source, rule.target)
        return names

    @cached_property
    def rules_by_key(self) -> dict[object, ScfgRule]:
        return {rule.key: rule for rule in self.grammar}


def tiny_hiero(
    rng: random.Random, folder: Path, *, goal: bool | None = None, language_models: int = -1
) -> TinyHiero:
    count = rng.choice((0, 1, 1, 1, 2)) if language_models < 0 else language_models
    own_goal = rng.random() < 0.4 if goal is None else goal
    labels = ["X", "Y", "Z"][: rng.choice((1, 1, 2, 3))]
    grammar = _grammar(rng, labels, "S" if own_goal else "")
    space = Space(
        goal="S" if own_goal else "",
        pass_through_all=rng.random() < 0.2,
        # Not drawn from `rng`, whose other draws would have spaces too large to enumerate.
        unknown_phrase_penalty=len(grammar) % 2 == 1,
        distortion=_distortion(grammar) if len(grammar) // 2 % 2 == 1 else None,
    )
    return with_grammar(rng, folder, grammar, space, [random_arpa(rng) for _ in range(count)])


def with_grammar(
    rng: random.Random, folder: Path, grammar: list[ScfgRule], space: Space, arpas: list[Arpa]
) -> TinyHiero:
    vocabulary = _core.VocabularyBuilder()
    store = _store(grammar, vocabulary, folder / "grammar.bin")
    words = vocabulary.finish()
    settings = _core.HieroGrammar()
    settings.nonterminal, settings.goal = space.nonterminal, space.goal
    settings.pass_through_all = space.pass_through_all
    native = _core.HieroModel(
        store,
        [native_language_model(arpa) for arpa in arpas],
        words,
        settings,
        unknown_phrase_penalty=space.unknown_phrase_penalty,
        distortion=_counts(space),
    )
    optional = ["structural_distortion"] if space.distortion else []
    names = dense_features("hiero", store.score_names, len(arpas), optional=optional)
    return TinyHiero(grammar, arpas, space, native, Rules(store, words), random_weights(rng, names))


def _counts(space: Space) -> _core.DistortionCounts | None:
    return _core.DistortionCounts(*map(list, space.distortion)) if space.distortion else None


def scfg_rules(*texts: str) -> list[ScfgRule]:
    """Of rules as in "X | a [X,1] | v [X,1]", all with the same scores."""
    found = []
    for text in texts:
        lhs, source, target = (tuple(side.split()) for side in text.split("|"))
        found.append(ScfgRule(*lhs, source, target, {"p": -1.0, "q": -0.5}))
    return found


def grammar_of(folder: Path, *texts: str, **space: Any) -> TinyHiero:
    """A model of the given rules, with positive weights and a uniform language model."""
    rng = random.Random(1)
    model = with_grammar(rng, folder, scfg_rules(*texts), Space(**space), [UNIFORM])
    return model.weighted(positive_weights(model.weights))


def _grammar(rng: random.Random, labels: list[str], goal: str) -> list[ScfgRule]:
    ties = rng.random() < 0.3
    heads = [*labels, goal] if goal else labels
    found: dict[object, ScfgRule] = {}
    sides = [(label, side) for label in labels for side in _sides(rng, labels)]
    # Heads come after their tails in the list of labels, so that there is no cycle of unary rules.
    for i, head in enumerate(heads):
        sides += [(head, (f"[{tail},1]",)) for tail in heads[:i] if rng.random() < 0.5]
    if goal:
        sides += [(goal, ("[X,1]",)), (goal, ("[S,1]", "[X,2]"))]
        sides += [(goal, side) for side in _sides(rng, heads)[:2]]
    for head, side in sides:
        for _ in range(rng.randint(1, 2)):
            target = _target(rng, side)
            rule = ScfgRule(head, side, target, _scores(rng, ties), _links(side, target))
            found.setdefault(rule.key, rule)
    return list(found.values())


def _sides(rng: random.Random, labels: Sequence[str]) -> list[Words]:
    """Words, words around gaps, and two gaps without words; unary rules are added elsewhere."""
    sides: list[Words] = [(word,) for word in SOURCE if rng.random() < 0.6]
    for _ in range(rng.randint(1, 4)):
        gaps = rng.choice((0, 1, 1, 2))
        words = rng.choices(SOURCE, k=rng.randint(0 if gaps == 2 else 1, 2))
        symbols = [*words, *[""] * gaps]
        rng.shuffle(symbols)
        numbers = iter(range(1, gaps + 1))
        sides.append(tuple(s or f"[{rng.choice(labels)},{next(numbers)}]" for s in symbols))
    return list(dict.fromkeys(sides))


def _target(rng: random.Random, side: Words) -> Words:
    gaps = [symbol for symbol in side if symbol.startswith("[")]
    words = rng.choices(TARGET, k=rng.randint(0 if gaps else 1, 2))
    symbols = [*gaps, *words]
    rng.shuffle(symbols)
    return tuple(symbols)


def _links(source: Words, target: Words) -> tuple[tuple[int, int], ...]:
    """Some links between words, not drawn from the generator of the rest; see `tiny_hiero`."""
    rng = random.Random(f"{source} {target}")
    places = [[i for i, s in enumerate(side) if not s.startswith("[")] for side in (source, target)]
    return tuple((s, t) for s in places[0] for t in places[1] if rng.random() < 0.4)


def _distortion(grammar: list[ScfgRule]) -> tuple[list[int], list[int]]:
    """Counts by size, among them sizes that were never seen."""
    rng = random.Random(str(grammar[0].key))
    seen = [rng.random() < 0.7 for _ in range(10)]
    in_order, reordered = ([rng.randint(0, 9) * one for one in seen] for _ in range(2))
    return in_order, reordered


def _scores(rng: random.Random, ties: bool) -> dict[str, float]:
    draw = (lambda: rng.choice((0.0, -1.0))) if ties else lambda: rng.uniform(-4, 0)
    return {name: float(np.float32(draw())) for name in SCORES}


def _store(
    grammar: list[ScfgRule], vocabulary: _core.VocabularyBuilder, path: Path
) -> _core.RuleStore:
    lines = _core.Lines()
    for rule in grammar:
        scores = " ".join(f"{name}={value!r}" for name, value in rule.scores.items())
        sides = f"{' '.join(rule.source)} ||| {' '.join(rule.target)}"
        links = " ".join(f"{s}-{t}" for s, t in rule.links)
        lines.append(f"[{rule.lhs}] ||| {sides} ||| {scores} ||| {links}")
    rules = _core.RuleTable(vocabulary)
    _core.read_table(rules, _core.TableFormat.scfg, "grammar", "score_", 0).add(lines)
    rules.write(str(path), _core.Duplicates.refuse, None)
    return _core.RuleStore.open(str(path), True)
