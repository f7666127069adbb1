"""Edges of chart search: no words, long sentences, odd grammars and weights, any threads."""

from __future__ import annotations

import random
import time
from pathlib import Path

import numpy as np
import pytest

from demotic.errors import ModelError
from demotic.features.weights import Weights
from demotic.formats.importing import import_plan
from demotic.formats.plan import ImportPlan
from demotic.formats.tables import TableFile
from demotic.search import SearchOptions
from tests.oracle.arpa import Arpa
from tests.oracle.hiero_search import HieroOracle, ScfgRule, Space, Tree
from tests.search.spaces import exhaustive, lines
from tests.search.test_limits import same
from tests.search.tiny_hiero import TinyHiero, built, tiny_hiero

UNIFORM = Arpa({(w,): (-1.0, 0.0) for w in ("<s>", "</s>", "<unk>", "v", "w", "x")})


def model_of(seed: int, folder: Path, **kind: object) -> TinyHiero:
    return tiny_hiero(random.Random(seed), folder, **kind)  # type: ignore[arg-type]


def usual(model: TinyHiero) -> TinyHiero:
    rng = random.Random(7)
    return model.weighted(Weights.of({name: rng.uniform(0.1, 1) for name in model.weights}))


def rules(*texts: str) -> list[ScfgRule]:
    found = []
    for text in texts:
        lhs, source, target = (tuple(side.split()) for side in text.split("|"))
        found.append(ScfgRule(*lhs, source, target, {"p": -1.0, "q": -0.5}))
    return found


def grammar_of(folder: Path, *texts: str, **space: object) -> TinyHiero:
    made = built(random.Random(1), folder, rules(*texts), Space(**space), [UNIFORM])  # type: ignore[arg-type]
    return usual(made)


def long_text(seed: int, length: int) -> tuple[str, ...]:
    return tuple(random.Random(seed).choices("abcdz", weights=(9, 9, 9, 9, 1), k=length))


def tree_of(model: TinyHiero, steps: list[object], oracle: HieroOracle) -> Tree:
    """The tree that pre-order steps stand for, which are checked to nest."""
    by_key = {rule.key: rule for rule in model.grammar}
    todo = list(model.key(steps))  # type: ignore[arg-type]

    def next_tree() -> Tree:
        name, begin, end = todo.pop(0)  # type: ignore[misc]
        rule = name if isinstance(name, str) else by_key[name]
        if isinstance(rule, str):
            gaps = 0 if rule == "copy" else 1 if todo[0][2] == end else 2  # type: ignore[index]
        else:
            gaps = sum(symbol.startswith("[") for symbol in rule.source)
        return Tree(rule, begin, end, tuple(next_tree() for _ in range(gaps)))

    tree = next_tree()
    assert not todo
    return tree


def check_again(model: TinyHiero, options: SearchOptions, words: tuple[str, ...]) -> Tree:
    found = model.decoder(options).translate(lines([words]))
    oracle = model.oracle(words, options)
    tree = tree_of(model, found.steps(0), oracle)  # type: ignore[arg-type]
    ours = dict(zip(model.weights, found.features[0].tolist(), strict=True))
    values = oracle.features(tree)
    assert ours == pytest.approx(values, rel=1e-6, abs=1e-5)
    assert found.scores[0] == pytest.approx(oracle.score(values), rel=1e-6, abs=1e-5)
    assert found.scores[0] == pytest.approx(model.weights.array @ found.features[0], rel=1e-9)
    assert found.text[0] == " ".join(tree.words(words))
    return tree


def test_nothing_to_translate(folder: Path) -> None:
    for seed in range(20):
        model = model_of(seed, folder)
        decoder = model.decoder(SearchOptions())
        assert decoder.translate([]).features.shape == (0, len(model.weights))
        assert decoder.search([]) == []
        found = decoder.translate(["", "  "])
        assert (found.text, found.steps(0), found.links(0)) == (["", ""], [], [])
        values = model.oracle((), SearchOptions()).features(None)
        ours = dict(zip(model.weights, found.features[0].tolist(), strict=True))
        assert ours == pytest.approx(values, rel=1e-6)
        (result,) = decoder.search([""], record="bins")
        assert result.best.words == ()
        assert result.best.score == pytest.approx(found.scores[0])
        assert (result.forest.nodes, len(result.bins)) == (1, 0)


@pytest.mark.parametrize("language_models", [0, 1, 2])
def test_unknown_words_alone(language_models: int, folder: Path) -> None:
    model = model_of(11, folder, goal=False, language_models=language_models)
    words = ("z", "<unk>", "</s>", "z")
    tree = check_again(model, SearchOptions(), words)
    assert tree.words(words) == words
    found = model.decoder(SearchOptions()).translate(lines([words]))
    assert found.links(0) == [(i, i) for i in range(4)]
    values = dict(zip(model.weights, found.features[0].tolist(), strict=True))
    assert (values["unknown_word"], values["pass_through"], values["glue"]) == (-400, 4, 3)


def test_a_word_inside_longer_rules_only_is_unknown(folder: Path) -> None:
    model = grammar_of(folder, "X | a b | v w", "X | a [X,1] | v [X,1]", "X | c | x")
    tree = check_again(model, SearchOptions(), ("a", "c"))
    assert [step.rule for step in tree.steps()].count("copy") <= 1
    found = model.decoder(SearchOptions()).translate(["b a", "a b", "c"])
    column = list(model.weights).index("unknown_word")
    assert found.features[:, column].tolist() == [-200, 0, 0]


def test_a_known_word_without_the_nonterminal_is_glued_as_what_it_is(folder: Path) -> None:
    model = grammar_of(folder, "X | a | v", "Y | b | w", "Y | b a | x x")
    found = model.decoder(SearchOptions()).translate(["a b a", "a a"])
    assert found.fell_back == [0]
    assert found.text[0] in ("v w v", "v x x")
    check_again(model, SearchOptions(), ("a", "b", "a"))


def test_a_goal_that_is_not_reached(folder: Path) -> None:
    model = grammar_of(folder, "S | a [X,1] | v [X,1]", "X | b | w", "X | a | x", goal="S")
    found = model.decoder(SearchOptions()).translate(["a b", "b a"])
    assert (found.text, found.fell_back) == (["v w", "w x"], [1])
    for words in (("a", "b"), ("b", "a"), ("b", "z")):
        check_again(model, SearchOptions(), words)


def test_a_grammar_without_the_default_nonterminal(folder: Path) -> None:
    model = grammar_of(folder, "S | [NP,1] a | v [NP,1]", "NP | b | w", nonterminal="Q", goal="S")
    found = model.decoder(SearchOptions()).translate(["b a", "z", "b z a"])
    assert (found.text[:2], found.fell_back) == (["v w", "z"], [1, 2])
    assert sorted(found.text[2].split()) in (["a", "w", "z"], ["v", "w", "z"])
    with pytest.raises(ModelError, match="no rule with the nonterminal Q"):
        grammar_of(folder, "NP | b | w", nonterminal="Q")
    with pytest.raises(ModelError, match="no rule with the nonterminal T"):
        grammar_of(folder, "NP | b | w", goal="T")


def test_circles_of_unary_rules_end(folder: Path) -> None:
    model = grammar_of(
        folder, "X | a | v", "Y | [X,1] | [X,1] w", "X | [Y,1] | [Y,1] x", "X | [X,1] | [X,1] v",
        "Z | [Y,1] | x [Y,1]", "Y | [Z,1] | [Z,1]", "X | [Z,1] b | [Z,1] v",
    )  # fmt: skip
    for text in ("a", "a a", "a b", "a b b a"):
        check_again(model, SearchOptions(), tuple(text.split()))
        check_again(model, exhaustive(SearchOptions(rule_limit=0)), tuple(text.split()))


@pytest.mark.parametrize("goal", [False, True])
@pytest.mark.parametrize("span_limit", [1, 10, 20])
def test_long_sentences(span_limit: int, goal: bool, folder: Path) -> None:
    model = usual(model_of(5, folder, goal=goal, language_models=1))
    options = SearchOptions(span_limit=span_limit, beam_size=10, pop_limit=20)
    tree = check_again(model, options, long_text(1, 300))
    widths = [
        step.end - step.begin
        for step in tree.steps()
        if step.rule != "glue" and (isinstance(step.rule, str) or step.rule.lhs != "S")
    ]
    assert max(widths) <= span_limit


def test_long_line_takes_time_in_proportion(folder: Path) -> None:
    model = usual(model_of(3, folder, goal=False, language_models=1))
    decoder = model.decoder(SearchOptions(beam_size=5, pop_limit=10, span_limit=5))
    words = long_text(2, 10_000)
    decoder.translate(lines([words[:500]]))
    times = []
    for length in (1_000, 10_000):
        begin = time.process_time()
        found = decoder.translate(lines([words[:length]]))
        times.append(time.process_time() - begin)
        assert (found.steps(0)[0].begin, found.steps(0)[0].end) == (0, length)
        assert found.fell_back == []
    assert times[1] < 30 * max(times[0], 0.01)


def test_limits_are_lowered_for_a_line_of_too_many_spans(folder: Path) -> None:
    model = usual(model_of(3, folder, goal=False, language_models=1))
    decoder = model.decoder(SearchOptions(beam_size=2, pop_limit=2, span_limit=0))
    found = decoder.translate(lines([long_text(2, 5), long_text(2, 1_100)]))
    assert found.fell_back == [1]


@pytest.mark.parametrize("weight", [0.0, 1e4, -1e4, 1e12])
def test_odd_weights(weight: float, folder: Path) -> None:
    model = model_of(2, folder, language_models=2)
    model = model.weighted(Weights.of(dict.fromkeys(model.weights, weight)))
    for options in (SearchOptions(), SearchOptions(beam_size=1, pop_limit=1)):
        check_again(model, options, long_text(4, 15))


def test_weights_beyond_all_bounds_are_refused(folder: Path) -> None:
    model = model_of(2, folder)
    model = model.weighted(model.weights.replace({"glue": float("1e39")}))
    with pytest.raises(ModelError, match="between -1e12 and 1e12"):
        model.decoder(SearchOptions()).translate(["a b"])


def test_rules_beyond_all_bounds_are_refused(tmp_path: Path) -> None:
    rules = "[X] ||| a ||| x ||| f=3e38\n[X] ||| b ||| y ||| f=-3e38\n"
    (tmp_path / "grammar").write_text(rules, encoding="utf-8")
    tables = [TableFile(tmp_path / "grammar", "scfg")]
    plan = ImportPlan(kind="hiero", toolkit="cdec", tables=tables, weights={"f": 10.0})
    model = import_plan(plan, tmp_path / "model").model
    with pytest.raises(ModelError, match="between -1e30 and 1e30"):
        model.decoder().translate(["a b a b"])


@pytest.mark.parametrize("cubes", [True, False])
@pytest.mark.parametrize("language_models", [0, 1, 2])
def test_threads_change_nothing(cubes: bool, language_models: int, folder: Path) -> None:
    rng = random.Random(1)
    model = usual(model_of(9, folder, language_models=language_models))
    decoder = model.decoder(SearchOptions(cube_pruning=cubes, beam_size=5, pop_limit=30))
    texts = lines([long_text(i, rng.randint(0, 20)) for i in range(40)])
    one, four = decoder.translate(texts, threads=1), decoder.translate(texts, threads=4)
    assert one.text == four.text
    assert np.array_equal(one.scores, four.scores)
    assert np.array_equal(one.features, four.features)
    assert [one.steps(i) for i in range(40)] == [four.steps(i) for i in range(40)]
    for kind in ("bins", "forest"):
        records = [decoder.search(texts, record=kind, threads=n) for n in (1, 4)]  # type: ignore[arg-type]
        assert all(same(a, b) for a, b in zip(*records, strict=True))


def test_a_sentence_does_not_depend_on_those_before(folder: Path) -> None:
    decoder = usual(model_of(9, folder, language_models=2)).decoder(SearchOptions(beam_size=10))
    texts = lines([long_text(i, 12) for i in range(20)])
    together = decoder.search(texts, record="bins")
    for i, text in enumerate(texts):
        assert same(together[i], decoder.search([text], record="bins")[0])


def test_wider_beam_is_not_worse_on_average(folder: Path) -> None:
    model = usual(model_of(9, folder, goal=False, language_models=1))
    texts = lines([long_text(i, 12) for i in range(30)])
    means = [
        model.decoder(SearchOptions(rule_limit=0, beam_size=beam, pop_limit=beam))
        .translate(texts)
        .scores.mean()
        for beam in (1, 5, 50, 500)
    ]
    assert means == sorted(means)
    assert means[0] < means[-1]


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
    texts = rules(
        "X | yu [X,1] juxing [X,2] | held [X,2] with [X,1]",
        "X | shalong | Sharon", "X | huitan | a meeting", "X | bushi | Bush",
    )  # fmt: skip
    model = usual(built(random.Random(1), folder, texts, Space(), [BUSH]))
    (result,) = model.decoder(SearchOptions()).search(
        ["bushi yu shalong juxing huitan"], record="bins"
    )
    assert result.best.text == "Bush held a meeting with Sharon"
    bins = result.bins
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
