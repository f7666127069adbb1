"""What only chart search has: spans, glue, nonterminals, unary rules, two-sided states."""

from __future__ import annotations

import math
import random
import re
from collections import defaultdict
from collections.abc import Hashable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from demotic.errors import ModelError
from demotic.search import SearchOptions, SearchResult
from tests.oracle.arpa import Arpa
from tests.oracle.hiero_search import GLUE, Space, Tree
from tests.search.brute_force import Words
from tests.search.decoder_checks import check_translations
from tests.search.kinds import enumerable, exhaustive, seeds
from tests.search.record_checks import edges_into
from tests.search.tiny_hiero import TinyHiero, grammar_of, scfg_rules, tiny_hiero, with_grammar
from tests.search.tiny_parts import lines, long_text, positive_weights, sentences


def best_tree(model: TinyHiero, options: SearchOptions, words: Words) -> Tree:
    """The best derivation, whose features and score are checked."""
    check_translations(model, options, [words])
    found = model.decoder(options).translate(lines([words]))
    tree = model.brute_force(words, options).of_steps(found.steps(0))
    assert tree is not None
    return tree


@settings(max_examples=80, deadline=None)
@given(seed=seeds)
def test_bins_are_those_of_the_parse(seed: int, folder: Path) -> None:
    """Without pruning: all N[i:j] that the grammar derives, each with all its derivations."""
    rng = random.Random(seed)
    model, options = tiny_hiero(rng, folder), exhaustive(SearchOptions(rule_limit=0, span_limit=3))
    for words, _ in enumerable(model, options, sentences(rng, 5, 2)):
        (result,) = model.decoder(options).search(lines([words]), record="bins")
        brute = model.brute_force(words, options)
        names = brute.bin_names(result)
        found: dict[Hashable, int] = defaultdict(int)
        for node, count in enumerate(derivations_by_node(result)):
            found[names[int(result.bins.bin[node])]] += count
        labels, places = model.rules.store.labels, range(len(words) + 1)
        expected = {
            (label, begin, end): len(trees)
            for label, begin, end in product(labels, places, places)
            if begin < end and (trees := brute.oracle.of(label, begin, end))
        }
        glue = {name for name in found if name[0] == "glue"}  # type: ignore[index]
        assert {name: n for name, n in found.items() if name not in glue} == expected


def derivations_by_node(result: SearchResult) -> list[int]:
    counts: list[int] = []
    for node in range(result.forest.nodes - 1):
        edges = edges_into(result, node)
        counts.append(sum(int(np.prod([counts[t] for t in tails])) for _, tails in edges))
    return counts


def test_unknown_words_pass_through_and_are_glued(folder: Path) -> None:
    model = tiny_hiero(random.Random(11), folder, goal=False)
    found = model.decoder(SearchOptions()).translate(["z <unk> </s> z"])
    values = dict(zip(model.weights, found.features[0].tolist(), strict=True))
    assert (values["unknown_word"], values["pass_through"], values["glue"]) == (-400, 4, 3)


def test_a_word_inside_longer_rules_only_is_unknown(folder: Path) -> None:
    model = grammar_of(folder, "X | a b | v w", "X | a [X,1] | v [X,1]", "X | c | x")
    tree = best_tree(model, SearchOptions(), ("a", "c"))
    assert [step.rule for step in tree.steps()].count("copy") <= 1
    found = model.decoder(SearchOptions()).translate(["b a", "a b", "c"])
    column = list(model.weights).index("unknown_word")
    assert found.features[:, column].tolist() == [-200, 0, 0]


def test_a_known_word_without_the_nonterminal_is_glued_as_what_it_is(folder: Path) -> None:
    model = grammar_of(folder, "X | a | v", "Y | b | w", "Y | b a | x x")
    found = model.decoder(SearchOptions()).translate(["a b a", "a a"])
    assert found.fell_back == [0]
    assert found.text[0] in ("v w v", "v x x")
    best_tree(model, SearchOptions(), ("a", "b", "a"))


def test_a_goal_that_is_not_reached(folder: Path) -> None:
    model = grammar_of(folder, "S | a [X,1] | v [X,1]", "X | b | w", "X | a | x", goal="S")
    found = model.decoder(SearchOptions()).translate(["a b", "b a"])
    assert (found.text, found.fell_back) == (["v w", "w x"], [1])
    check_translations(model, SearchOptions(), [("a", "b"), ("b", "a"), ("b", "z")])


def test_a_grammar_without_the_default_nonterminal(folder: Path) -> None:
    model = grammar_of(folder, "S | [NP,1] a | v [NP,1]", "NP | b | w", nonterminal="Q", goal="S")
    found = model.decoder(SearchOptions()).translate(["b a", "z", "b z a"])
    assert (found.text[:2], found.fell_back) == (["v w", "z"], [1, 2])
    assert sorted(found.text[2].split()) in (["a", "w", "z"], ["v", "w", "z"])
    with pytest.raises(ModelError, match="no rule with the nonterminal Q"):
        grammar_of(folder, "NP | b | w", nonterminal="Q")
    with pytest.raises(ModelError, match="no rule with the nonterminal T"):
        grammar_of(folder, "NP | b | w", goal="T")


def test_cycles_of_unary_rules_end(folder: Path) -> None:
    model = grammar_of(
        folder, "X | a | v", "Y | [X,1] | [X,1] w", "X | [Y,1] | [Y,1] x", "X | [X,1] | [X,1] v",
        "Z | [Y,1] | x [Y,1]", "Y | [Z,1] | [Z,1]", "X | [Z,1] b | [Z,1] v",
    )  # fmt: skip
    texts = [tuple(text.split()) for text in ("a", "a a", "a b", "a b b a")]
    for options in (SearchOptions(), exhaustive(SearchOptions(rule_limit=0))):
        check_translations(model, options, texts)


def test_gaps_of_all_sizes(folder: Path) -> None:
    """In the only tree without glue the gap covers 1, 2, ... 13 words; 10 is the last size."""
    counts = ([9, 8, 0, 6, 5, 4, 3, 2, 1, 7], [1, 2, 0, 4, 5, 6, 7, 8, 9, 2])
    model = grammar_of(folder, "X | a | v", "X | [X,1] a | w [X,1]", distortion=counts)
    model = model.weighted(model.weights.replace({"glue": -1e3}))
    tree = best_tree(model, SearchOptions(), ("a",) * 14)
    steps = [one for one in tree.steps() if one.rule != GLUE]
    sizes = [tail.end - tail.begin for one in steps for tail in one.tails]
    assert sizes == list(range(13, 0, -1))
    logs = [math.log((count + 0.5) / 11) for count in (9, 8, 8, 6, 5, 4, 3, 2, 1)]
    logs += [math.log(7.5 / 10)] * 4
    found = model.decoder(SearchOptions()).translate(["a " * 14])
    value = found.features[0, list(model.weights).index("structural_distortion")]
    assert value == pytest.approx(sum(logs), rel=1e-12)


@pytest.mark.parametrize("goal", [False, True])
@pytest.mark.parametrize("span_limit", [1, 10, 20])
def test_the_span_limit_of_long_sentences(span_limit: int, goal: bool, folder: Path) -> None:
    model = tiny_hiero(random.Random(5), folder, goal=goal, language_models=1)
    model = model.weighted(positive_weights(model.weights))
    options = SearchOptions(span_limit=span_limit, beam_size=10, pop_limit=20)
    tree = best_tree(model, options, long_text(1, 300))
    widths = [
        step.end - step.begin
        for step in tree.steps()
        if step.rule != "glue" and (isinstance(step.rule, str) or step.rule.lhs != "S")
    ]
    assert max(widths) <= span_limit


BUSH = Arpa(
    {
        **{(w,): (-2.0 - 0.1 * i, -0.3) for i, w in enumerate(
            ("<s>", "</s>", "<unk>", "Bush", "held", "a", "meeting", "with", "Sharon")
        )},
        ("held", "a"): (-0.25, 0.0),
        ("with", "Sharon"): (-0.5, 0.0),
        ("a", "meeting"): (-0.125, 0.0),
    }
)  # fmt: skip


def test_the_deductive_step_adds_what_the_joints_change(folder: Path) -> None:
    """X -> (yu X1 juxing X2, held X2 with X1), the example of Zhao et al. (2014), section 2."""
    rules = scfg_rules(
        "X | yu [X,1] juxing [X,2] | held [X,2] with [X,1]",
        "X | shalong | Sharon", "X | huitan | a meeting", "X | bushi | Bush",
    )  # fmt: skip
    model = with_grammar(random.Random(1), folder, rules, Space(), [BUSH])
    model = model.weighted(positive_weights(model.weights))
    (result,) = model.decoder(SearchOptions()).search(
        ["bushi yu shalong juxing huitan"], record="bins"
    )
    assert result.best.text == "Bush held a meeting with Sharon"
    bins = result.bins
    assert re.fullmatch(r"Bins\(\d+ bins, \d+ hypotheses, \d+ kept\)", repr(bins))
    best = {
        (int(bins.label[n]), int(bins.begin[n]), int(bins.end[n])): bins.score[bins.members(n)[0]]
        for n in bins.numbers
    }
    joined = best[0, 1, 5] - best[0, 2, 3] - best[0, 4, 5]
    weights = model.weights

    def lm(*words: str) -> float:
        return BUSH.score(words, begin=False, end=False)

    changed = lm("held", "a") - lm("a") + lm("meeting", "with", "Sharon") - lm("meeting")
    changed -= lm("Sharon")
    local = -1.0 * weights["p"] - 0.5 * weights["q"] + weights["phrase_penalty"]
    local -= 2 * weights["word_penalty"]
    assert joined == pytest.approx(weights["language_model"] * changed + local, abs=1e-5)


def test_monotone_translations_of_spans_belong_to_phrases(folder: Path) -> None:
    decoder = tiny_hiero(random.Random(1), folder).decoder(SearchOptions())
    with pytest.raises(ValueError, match="only phrase search"):
        decoder.search(["a"], monotone=True)
