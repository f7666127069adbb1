"""Forced Hiero search against the enumeration of all derivations of tiny sentences."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from demotic import _core
from demotic.rules import RuleOptions
from demotic.search import SearchOptions
from tests.oracle import extraction
from tests.oracle.hiero_force import cause, space_of
from tests.oracle.hiero_search import ScfgRule, Space, Tree, Words
from tests.rules.test_extraction import build
from tests.search.forced_hiero import COPIED, PASSED, Forced, forced
from tests.search.kinds import enumerable, exhaustive
from tests.search.tiny_hiero import TinyHiero, grammar_of, tiny_hiero, with_grammar
from tests.search.tiny_parts import TARGET, sentences

SPAN_LIMITS = (0, 0, 1, 2, 3)
ALL = exhaustive(SearchOptions(rule_limit=0, span_limit=0))


def tiny(rng: random.Random, folder: Path) -> TinyHiero:
    """Some rules say nothing."""
    model = tiny_hiero(rng, folder, language_models=0)
    if rng.random() < 0.8:
        return model
    grammar: dict[object, ScfgRule] = {}
    for rule in model.grammar:
        gaps = tuple(symbol for symbol in rule.target if symbol.startswith("["))
        changed = replace(rule, target=gaps) if rng.random() < 0.3 else rule
        grammar.setdefault(changed.key, changed)
    return with_grammar(rng, folder, list(grammar.values()), model.space, [])


def references(rng: random.Random, trees: Sequence[Tree], source: Words) -> list[Words]:
    """What some derivations say, the same with a change, and anything."""
    said = sorted({tree.words(source) for tree in trees})
    found = rng.sample(said, min(3, len(said)))
    for words in found[:2]:
        changed = list(words) or ["v"]
        changed[rng.randrange(len(changed))] = rng.choice(TARGET)
        found.append(tuple(changed))
    return [*found, tuple(rng.choices((*TARGET, "z"), k=rng.randint(0, 5)))]


def check(found: Forced, rules: Sequence[ScfgRule], space: Space) -> None:
    """The forest has exactly the derivations that say the reference."""
    trees = space_of(rules, space, found.source)
    wanted = Counter(tree.key for tree in trees if tree.words(found.source) == found.reference)
    assert Counter(found.derivations()) == wanted
    assert found.reached == ("whole" if wanted else "not")
    if wanted:
        assert found.cause == "none"
        known = {rule.source for rule in rules}
        assert COPIED not in found.special or any((w,) not in known for w in found.source)
        assert PASSED not in found.special or space.pass_through_all
    else:
        assert found.cause == cause(rules, space, found.source, found.reference)


@pytest.mark.parametrize("wanted", [1_500, pytest.param(10_000, marks=pytest.mark.long)])
def test_forests_hold_what_enumeration_finds(wanted: int, folder: Path) -> None:
    rng = random.Random(wanted)
    seen: Counter[str] = Counter()
    while seen.total() < wanted:
        model, limit = tiny(rng, folder), rng.choice(SPAN_LIMITS)
        space = replace(model.space, span_limit=limit)
        drawn = replace(space, span_limit=rng.choice((0, limit)))
        texts = [words for words, _ in enumerable(model, ALL, sentences(rng, 5, 3))]
        pairs = [
            (words, reference)
            for words in texts
            for reference in references(rng, space_of(model.grammar, drawn, words), words)
        ]
        for found in forced(model.native, model.rules, pairs, span_limit=limit):
            check(found, model.grammar, space)
            seen[found.cause] += 1
    assert seen["none"] > wanted / 4
    assert all(seen[kind] > wanted / 100 for kind in ("unknown_word", "uncovered_word", "other"))
    assert seen["limit"] > 0


@pytest.mark.parametrize("wanted", [200, pytest.param(1_500, marks=pytest.mark.long)])
def test_forests_are_the_part_of_the_searched_space_that_says_the_reference(
    wanted: int, folder: Path
) -> None:
    rng = random.Random(wanted)
    for _ in range(wanted):
        model, limit = tiny(rng, folder), rng.choice(SPAN_LIMITS)
        options = replace(ALL, span_limit=limit)
        for words, result in enumerable(model, options, sentences(rng, 6, 1)):
            if not words or result.fell_back:
                continue
            listed = result.kbest(result.forest.number_of_derivations + 1)
            said = sorted({one.words for one in listed})
            pairs = [(words, reference) for reference in rng.sample(said, min(4, len(said)))]
            for found in forced(model.native, model.rules, pairs, span_limit=limit):
                keys = [model.key(one.steps) for one in listed if one.words == found.reference]
                assert Counter(found.derivations()) == Counter(keys)


def bitext(rng: random.Random) -> list[extraction.Sentence]:
    made = []
    for _ in range(rng.randint(2, 4)):
        source = rng.choices("abc", k=rng.randint(1, 5))
        target = rng.choices("xyza", k=rng.randint(1, 5))
        cells = [(i, j) for i in range(len(source)) for j in range(len(target))]
        links = rng.sample(cells, min(len(cells), rng.randint(1, 5)))
        made.append(extraction.Sentence(source, target, frozenset(links)))
    return made


@pytest.mark.parametrize("wanted", [150, pytest.param(1_500, marks=pytest.mark.long)])
def test_rules_of_the_pair_alone_are_left_out(wanted: int, folder: Path) -> None:
    rng = random.Random(wanted)
    fewer = 0
    for _ in range(wanted):
        text = bitext(rng)
        rules, _ = build(text, folder / "bitext.bin", "hiero", RuleOptions(max_initial=4))
        if len(rules) == 0:
            continue
        settings = _core.HieroGrammar()
        settings.pass_through_all = rng.random() < 0.2
        model = _core.HieroModel(rules.store, [], rules.vocabulary, settings)
        space = Space(pass_through_all=settings.pass_through_all, span_limit=rng.choice((0, 3)))
        pairs = [(tuple(one.source), tuple(one.target)) for one in text]
        numbers = [rng.choice((i, i, -1)) for i in range(len(text))]
        results = forced(model, rules, pairs, numbers=numbers, span_limit=space.span_limit)
        for number, found in zip(numbers, results, strict=True):
            left = [
                ScfgRule(rule.lhs, rule.source, rule.target, {})
                for rule in rules
                if number < 0 or rule.only_sentence != number
            ]
            fewer += len(left) < len(rules)
            check(found, left, space)
    assert fewer > wanted


def test_the_index_of_many_rules_loses_none(folder: Path) -> None:
    """Source sides with so many rules that these are found by their words."""
    rng = random.Random(3)
    words = [f"t{i}" for i in range(12)]
    texts = {f"X | a | {' '.join(rng.choices(words, k=rng.randint(1, 3)))}" for _ in range(60)}
    texts |= {f"X | b [X,1] | {' '.join(rng.choices(words, k=2))} [X,1]" for _ in range(50)}
    model = grammar_of(folder, *sorted(texts), "X | b [X,1] | [X,1]", "X | c | ")
    pairs = []
    for source in (("a",), ("b", "a"), ("b", "c"), ("a", "c"), ("b", "a", "c")):
        said = sorted({tree.words(source) for tree in space_of(model.grammar, Space(), source)})
        pairs += [(source, reference) for reference in rng.sample(said, min(30, len(said)))]
    results = forced(model.native, model.rules, pairs)
    assert sum(found.reached == "whole" for found in results) == len(pairs) > 100
    for found in results[::5]:
        check(found, model.grammar, Space())


# The grammar of Zhao et al. (2014), table 1, with the words that its example needs.
BUSH = (
    "X | bushi | Bush",
    "X | shalong | Sharon",
    "X | huitan | a meeting",
    "X | yu [X,1] juxing [X,2] | held [X,2] with [X,1]",
)


def test_the_example_of_the_paper(folder: Path) -> None:
    """Zhao et al. (2014), section 3.2: Bush held a meeting with Sharon."""
    model = grammar_of(folder, *BUSH)
    source = tuple("bushi yu shalong juxing huitan".split())
    (found,) = forced(model.native, model.rules, [(source, tuple(REFERENCE.split()))])
    assert len(found.derivations()) == 1
    spans = {node[1:] for node in found.nodes if node.label >= 0}
    assert spans == {(0, 1, 0, 1), (2, 3, 5, 6), (4, 5, 2, 4), (1, 5, 1, 6)}
    assert {node[1:] for node in found.nodes if node.label < 0} == {(0, 1, 0, 1), (0, 5, 0, 6)}


REFERENCE = "Bush held a meeting with Sharon"


def test_repeated_words_are_told_apart(folder: Path) -> None:
    """Bigrams of "a b a b c" accept "a b c" (Zhao et al. 2014, footnote 2); positions do not."""
    model = grammar_of(folder, "X | p | a b", "X | q | c", "X | r | a b a b")
    texts = (("p p q", 1), ("r q", 1), ("p q", 0), ("p p p q", 0), ("p r q", 0))
    pairs = [(tuple(text.split()), ("a", "b", "a", "b", "c")) for text, _ in texts]
    found = forced(model.native, model.rules, pairs)
    assert [len(one.derivations()) for one in found] == [count for _, count in texts]
    starts = {node[1:] for node in found[0].nodes if node.label >= 0}
    assert starts == {(0, 1, 0, 2), (1, 2, 2, 4), (2, 3, 4, 5)}


def test_nothing_to_derive(folder: Path) -> None:
    model = grammar_of(folder, "X | a | v", "X | b | ")
    pairs: list[tuple[Words, Words]] = [((), ()), ((), ("v",)), (("a",), ()), (("b",), ())]
    found = forced(model.native, model.rules, pairs)
    assert [one.reached for one in found] == ["not", "not", "not", "whole"]
    assert [one.cause for one in found] == ["other", "uncovered_word", "uncovered_word", "none"]
    assert len(found[3].derivations()) == 1


def test_too_large_is_undecided(folder: Path) -> None:
    model = grammar_of(folder, "X | a | v", "X | [X,1] [X,2] | [X,1] [X,2]")
    pairs = [(("a",) * 12, ("v",) * 12), (("a",) * 70_000, ("v",)), (("a",) * 1_100, ("v",))]
    assert [one.reached for one in forced(model.native, model.rules, pairs, max_nodes=100)] == [
        "undecided"
    ] * 3
    (found,) = forced(model.native, model.rules, pairs[:1])
    assert found.reached == "whole"


def test_sentences_need_references(folder: Path) -> None:
    model = grammar_of(folder, "X | a | v")
    force = _core.HieroForce(model.native, span_limit=0, max_nodes=10, find_cause=True)
    with pytest.raises(ValueError, match="without references"):
        force.run(_core.SourceSentences(model.native, ["a"]), 0)
    with pytest.raises(IndexError):
        force.run(_core.SourceSentences(model.native, ["a"], ["v"]), 1)
