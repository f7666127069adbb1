"""Forced decoding of tiny phrase models: drawn pairs, and forests in the oracle's terms."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from demotic import _core
from demotic.force import ForceOptions
from demotic.force.gold import GoldForests
from demotic.force.options import PREFIXES
from demotic.forest import Forest
from demotic.rules import RuleOptions, Rules
from tests.force.tiny import Pair, Task, TinyModel, Words
from tests.oracle.extraction import Sentence
from tests.oracle.phrase_force import Derivation, Forced, Piece, Space
from tests.rules.test_extraction import build, lines

__all__ = [
    "PhraseOracle",
    "ambiguous",
    "drawn",
    "drawn_pair",
    "extracted_model",
    "left_out",
    "many_rules",
    "oracle_of",
    "table_model",
]

SOURCE, TARGET = ("a", "b", "c"), ("x", "y", "z", "a")
PAIRS = 10  # per model
LONGEST = 5


class PhraseOracle(Forced):
    """The enumeration of derivations, and the forests of the decoder in its terms."""

    def spelled(self, model: TinyModel, gold: GoldForests, i: int, pair: Pair) -> list[Derivation]:
        forest = gold.forest(i)
        source, reference = pair[0][: gold[i].source_length], pair[1][: gold[i].target_length]
        every = forest.kbest(int(forest.number_of_derivations) + 1, [0.0] * forest.edges)
        vocabulary = _core.SourceSentences(model.native, [" ".join(pair[0])])
        found = []
        for edges, words in zip(every.edges, forest.yields(every), strict=True):
            assert tuple(vocabulary.word(word) for word in words.tolist()) == reference
            found.append(tuple(_pieces(model.rules, source, forest, edges.tolist())))
        return found


def _pieces(rules: Rules, source: Words, forest: Forest, edges: list[int]) -> Iterator[Piece]:
    for edge in reversed(edges[1:]):  # without the goal
        rule, begin, end = (
            int(getattr(forest, name)[edge]) for name in ("edge_rule", "edge_begin", "edge_end")
        )
        words = source[begin:end]
        if rule >= 0:
            words = tuple(map(rules.vocabulary.word, rules.store.target(rule)))
        yield begin, end, words, rule


def oracle_of(model: TinyModel, space: Space, left_out: int = -1) -> PhraseOracle:
    table: dict[Words, list[tuple[Words, int]]] = defaultdict(list)
    for number, rule in enumerate(model.rules):
        if left_out < 0 or model.rules.store.only_sentence(number) != left_out:
            table[tuple(rule.source)].append((tuple(rule.target), number))
    return PhraseOracle(table, space)


def drawn(rng: random.Random, folder: Path) -> Task:
    """A model of a random bitext, and pairs that it may derive; one has an unknown word."""
    model, _ = extracted_model(rng, folder)
    options = _options(rng)
    oracle = oracle_of(model, Space(options.distortion_limit, options.gap_test))
    pairs = [drawn_pair(rng, oracle, LONGEST) for _ in range(PAIRS)]
    source, reference = pairs[0]
    pairs[0] = (*source, "q"), reference
    return Task(model, options, pairs, [oracle] * PAIRS)


def left_out(rng: random.Random, folder: Path) -> Task:
    """The bitext itself, with leave-one-out."""
    model, bitext = extracted_model(rng, folder)
    options = _options(rng)
    space = Space(options.distortion_limit, options.gap_test)
    oracles = [oracle_of(model, space, i) for i in range(len(bitext))]
    return Task(model, options, bitext, oracles, leave_one_out=True)


def many_rules(rng: random.Random, folder: Path) -> Task:
    """Target sides may be longer than what the index hashes."""
    table = {
        (source, tuple(rng.choices(("x", "y"), k=rng.choice((1, 2, 3, 4, 5, 8, 9, 10)))))
        for source in (("a",), ("b",), ("a", "b"))
        for _ in range(150)
    }
    model = table_model(sorted(table), folder)
    pairs = [
        (tuple(rng.choices("ab", k=3)), tuple(rng.choices("xy", k=rng.randint(3, 12))))
        for _ in range(40)
    ]
    oracle = oracle_of(model, Space(2, True))
    return Task(model, ForceOptions(distortion_limit=2), pairs, [oracle] * len(pairs))


def ambiguous(folder: Path) -> TinyModel:
    """Derives `v v ...` from `a a ...` in any order."""
    return table_model([(("a",), ("v",))], folder)


def _options(rng: random.Random) -> ForceOptions:
    return ForceOptions(
        distortion_limit=rng.choice((-1, 0, 1, 2, 3, 6)),
        gap_test=rng.random() < 0.7,
        prefixes=rng.choice(PREFIXES),
        min_source_words=rng.randint(1, 3),
    )


def extracted_model(rng: random.Random, folder: Path) -> tuple[TinyModel, list[Pair]]:
    """A model of a random bitext, and the bitext."""
    bitext = []
    for _ in range(rng.randint(2, 5)):
        source, target = rng.choices(SOURCE, k=rng.randint(1, 4)), rng.choices(TARGET, k=4)
        target = target[: rng.randint(1, 4)]
        cells = [(i, j) for i in range(len(source)) for j in range(len(target))]
        bitext.append(Sentence(source, target, frozenset(rng.choices(cells, k=rng.randint(1, 5)))))
    rules, _ = build(bitext, folder / "rules.bin", "phrase", RuleOptions(max_phrase=3))
    return _model(rules, folder), [(tuple(s.source), tuple(s.target)) for s in bitext]


def table_model(table: Iterable[Pair], folder: Path) -> TinyModel:
    vocabulary = _core.VocabularyBuilder()
    rules = _core.RuleTable(vocabulary)
    reader = _core.read_table(rules, _core.TableFormat.moses_phrases, "table", "score_", 0)
    reader.add(lines([f"{' '.join(s)} ||| {' '.join(t)} ||| 1 1 1 1" for s, t in table]))
    rules.write(str(folder / "rules.bin"), _core.Duplicates.refuse, None)
    store = _core.RuleStore.open(str(folder / "rules.bin"), True)
    return _model(Rules(store, vocabulary.finish()), folder)


def _model(rules: Rules, folder: Path) -> TinyModel:
    native = _core.PhraseModel(rules.store, [], rules.vocabulary)
    return TinyModel(rules, native, folder, "phrase")


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
