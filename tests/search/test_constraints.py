"""Constrained search agrees with enumeration, for phrases and Hiero."""

from __future__ import annotations

import math
import pickle
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from demotic import _core
from demotic.errors import InputError, ModelError
from demotic.features.dense import OPERATION_FEATURES, dense_features
from demotic.features.weights import Weights
from demotic.lm import LanguageModel
from demotic.search import Candidate, SearchOptions
from demotic.search.constraint import Constraint, wall, zone
from demotic.search.decoder import GIVEN
from demotic.search.sentence import AnnotatedSentence, described
from tests.near import near
from tests.oracle.arpa import ClassArpa
from tests.oracle.constraints import (
    ConstrainedHieroOracle,
    ConstrainedPhraseOracle,
    breaks_order,
    given_phrase,
    scores_of,
)
from tests.oracle.hiero_search import ScfgRule, Tree
from tests.oracle.phrase_search import Phrase, PhraseOracle
from tests.search.brute_force import Words
from tests.search.decoder_checks import same_records
from tests.search.hiero_brute_force import HieroBruteForce
from tests.search.kinds import KINDS, Kind, by_kind, exhaustive, seeds, unlimited_cubes
from tests.search.phrase_brute_force import PhraseBruteForce
from tests.search.tiny_hiero import TinyHiero, tiny_hiero
from tests.search.tiny_parts import (
    TARGET,
    lines,
    native_classes,
    native_language_model,
    sentences,
)
from tests.search.tiny_phrase import TinyPhrase, drawn_phrase, tiny_phrase

MOST = 3000  # derivations of a sentence that are enumerated


def with_given(model: TinyPhrase | TinyHiero, weight: float) -> TinyPhrase | TinyHiero:
    """The model with the feature of probabilities."""
    store, optional = model.rules.store, ["given"]
    parts = store, [native_language_model(arpa) for arpa in model.arpas], model.rules.vocabulary
    if isinstance(model, TinyPhrase):
        native: _core.PhraseModel | _core.HieroModel = _core.PhraseModel(
            *parts,
            unknown_phrase_penalty=model.unknown_phrase_penalty,
            operations=model.operations.lm.native if model.operations else None,
            given=True,
        )
        optional += OPERATION_FEATURES if model.operations else []
    else:
        space, grammar = model.space, _core.HieroGrammar()
        grammar.nonterminal, grammar.goal = space.nonterminal, space.goal
        grammar.pass_through_all = space.pass_through_all
        counts = _core.DistortionCounts(*map(list, space.distortion)) if space.distortion else None
        optional += ["structural_distortion"] if counts else []
        native = _core.HieroModel(
            *parts,
            grammar,
            unknown_phrase_penalty=space.unknown_phrase_penalty,
            distortion=counts,
            given=True,
        )
    kind = "phrase" if isinstance(model, TinyPhrase) else "hiero"
    names = dense_features(kind, store.score_names, len(model.arpas), optional=optional)
    weights = Weights.of({**model.weights, "given": weight}).ordered(names)
    return replace(model, native=native, weights=weights)  # type: ignore[arg-type]


def by_class(rng: random.Random, model: TinyPhrase) -> TinyPhrase:
    """The model with classes of words in some of its language models, or of operations."""
    arpas = [
        ClassArpa(one.entries, {word: rng.choice(TARGET) for word in (*TARGET, "b")})
        if rng.random() < 0.4
        else one
        for one in model.arpas
    ]
    operations = model.operations
    if operations and rng.random() < 0.5:
        native = operations.lm.native
        names = [native.vocabulary.word(i) for i in range(len(native.vocabulary))]
        names = names[_core.RESERVED_WORDS :]
        classes = {name: rng.choice(names) if rng.random() < 0.5 else name for name in names}
        by_operation = LanguageModel(native=native_classes(native, classes))
        operations = replace(operations, lm=by_operation)
    return replace(model, arpas=arpas, operations=operations)


def drawn(rng: random.Random, words: Words) -> tuple[Constraint, ...]:
    """Random constraints that can be obeyed together."""
    for _ in range(100):
        found = [_one(rng, len(words)) for _ in range(rng.randint(1, 4))]
        try:
            AnnotatedSentence(" ".join(words), constraints=found)
        except InputError:
            continue
        return tuple(found)
    return ()


def _one(rng: random.Random, length: int) -> Constraint:
    mode = rng.choice(
        ("exclusive", "exclusive", "inclusive", "constraint", "forbidden", "wall", "zone")
    )
    begin = rng.randrange(length)
    end = min(length, begin + rng.choice((1, 1, 2, 2, 3)))
    if mode == "wall":
        return wall(begin)
    if mode == "zone":
        return zone(begin, end)
    count = rng.choice((1, 1, 2))
    texts = [" ".join(rng.choices((*TARGET, "q"), k=rng.choice((1, 1, 2)))) for _ in range(count)]
    logs = [0.0 if rng.random() < 0.5 else math.log(rng.uniform(0.1, 1)) for _ in texts]
    if mode == "forbidden":
        logs = [0.0 for _ in texts]
    return Constraint((begin, end), list(zip(texts, logs, strict=True)), mode)  # type: ignore[arg-type]


class Case:
    """A constrained sentence, its model, and the enumeration of its derivations."""

    def __init__(self, kind: Kind, seed: int, options: SearchOptions, folder: Path) -> None:
        rng = random.Random(seed)
        phrases = kind.name == "phrase"
        tiny = by_class(rng, drawn_phrase(rng, folder)) if phrases else tiny_hiero(rng, folder)
        self.model = with_given(tiny, rng.choice((1.0, 0.3, 0.0)))
        self.options = options
        words = next((one for one in sentences(rng, kind.longest, 20) if len(one) > 1), ("a", "b"))
        self.words, self.constraints = words, drawn(rng, words)
        self.line = AnnotatedSentence(" ".join(words), constraints=self.constraints)

    def brute_force(self) -> PhraseBruteForce | HieroBruteForce:
        if isinstance(self.model, TinyPhrase):
            oracle = ConstrainedPhraseOracle(
                self.model.table,
                self.model.arpas,
                self.model.weights,
                self.options,
                unknown_phrase_penalty=self.model.unknown_phrase_penalty,
                operations=self.model.operations,
            )
            oracle.constraints = self.constraints
            return PhraseBruteForce(self.model, oracle, self.words)
        space = replace(self.model.space, span_limit=self.options.span_limit)
        parts = self.model.grammar, self.model.arpas, self.model.weights, space, self.words
        trees = ConstrainedHieroOracle(*parts)
        trees.constraints = self.constraints
        return HieroBruteForce(self.model, trees, fell_back=False)


def check_obeyed(case: Case, one: Candidate) -> None:
    """The constraints that a translation shows by itself."""
    decoder = case.model.decoder(case.options)
    segments = decoder.segments(one.steps)
    for constraint in case.constraints:
        if constraint.mode != "exclusive":
            continue
        (text,) = (
            " ".join(one.words[slice(*segment.target)])
            for step, segment in zip(one.steps, segments, strict=True)
            if step.rule <= GIVEN and segment.source == constraint.span
        )
        assert text in [target for target, _ in constraint.targets]
    if isinstance(case.model, TinyPhrase):
        spans = [(step.begin, step.end) for step in one.steps]
        assert not breaks_order(spans, case.constraints, len(case.words))


@by_kind
@settings(max_examples=400, deadline=None)
@given(seed=seeds, spaces=KINDS["phrase"].spaces, limits=KINDS["hiero"].spaces)
def test_constrained_search_equals_enumeration(
    kind: Kind, seed: int, spaces: SearchOptions, limits: SearchOptions, folder: Path
) -> None:
    options = exhaustive(spaces if kind.name == "phrase" else limits)
    case = Case(kind, seed, options, folder)
    decoder = case.model.decoder(options)
    (result,) = decoder.search([case.line])
    if result.forest.number_of_derivations > MOST:
        return
    brute = case.brute_force()
    derivations, fell_back = brute.derivations()
    scores = sorted((brute.score(one) for one in derivations), reverse=True)
    assert result.fell_back == fell_back
    assert result.forest.number_of_derivations == len(scores)
    listed = result.kbest(len(scores))
    assert [one.score for one in listed] == near(scores, rel=1e-4, abs=1e-4)
    found = decoder.translate([case.line])
    assert found.scores[0] == near(scores[0], rel=1e-4, abs=1e-4)
    for one in [*listed[:20], found[0]]:
        check_obeyed(case, one)
        assert one.score == near(case.model.weights.array @ one.features, rel=1e-9, abs=1e-9)


@by_kind
@settings(max_examples=100, deadline=None)
@given(seed=seeds, spaces=KINDS["phrase"].spaces, limits=KINDS["hiero"].spaces)
def test_features_are_those_of_the_steps(
    kind: Kind, seed: int, spaces: SearchOptions, limits: SearchOptions, folder: Path
) -> None:
    case = Case(kind, seed, unlimited_cubes(spaces if kind.name == "phrase" else limits), folder)
    decoder, brute = case.model.decoder(case.options), case.brute_force()
    found = decoder.translate([case.line])[0]
    if isinstance(brute, PhraseBruteForce):
        expected = brute.features(_phrases(case, brute, found))
    else:
        segments = decoder.segments(found.steps)
        rest = list(zip(found.steps, segments, strict=True))
        expected = brute.features(_tree(case, brute, found, rest))
        assert not rest
    values = dict(zip(case.model.weights, found.features.tolist(), strict=True))
    assert values == near(expected, rel=1e-6, abs=1e-5)


def _log(case: Case, span: tuple[int, int], text: str) -> set[float]:
    return {
        log
        for one in case.constraints
        if one.span == span and one.mode in ("exclusive", "inclusive", "constraint")
        for target, log in one.targets
        if target == text
    }


def _phrases(case: Case, brute: PhraseBruteForce, found: Candidate) -> tuple[Phrase, ...]:
    phrases, segments = [], case.model.decoder(case.options).segments(found.steps)
    values = dict(zip(case.model.weights, found.features.tolist(), strict=True))
    for step, segment in zip(found.steps, segments, strict=True):
        if step.rule > GIVEN:
            phrases.append(brute._phrase(step))
            continue
        target = found.words[slice(*segment.target)]
        logs = sorted(_log(case, segment.source, " ".join(target)))
        best = max(logs) if case.model.weights["given"] > 0 or len(logs) == 1 else values["given"]
        phrases.append(given_phrase(case.words, segment.source, target, best))
    return tuple(phrases)


def _tree(case: Case, brute: HieroBruteForce, found: Candidate, rest: list) -> Tree | None:  # type: ignore[type-arg]
    if not rest:
        return None
    step, segment = rest.pop(0)
    if step.rule <= GIVEN:
        target = found.words[slice(*segment.target)]
        logs = sorted(_log(case, segment.source, " ".join(target)))
        values = dict(zip(case.model.weights, found.features.tolist(), strict=True))
        best = max(logs) if case.model.weights["given"] > 0 or len(logs) == 1 else values["given"]
        rule = ScfgRule("X", case.words[step.begin : step.end], target, scores_of(best))
        return Tree(rule, step.begin, step.end)
    rule = brute._rule(step)
    if isinstance(rule, str):
        tails = 0 if rule == "copy" else 1 if rest[0][0].end == step.end else 2
    else:
        tails = sum(symbol.startswith("[") for symbol in rule.source)
    below = tuple(_tree(case, brute, found, rest) for _ in range(tails))
    return Tree(rule, step.begin, step.end, below)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [34, 211, 386, 811])
def test_only_a_goal_at_the_beginning_is_longer_than_the_span_limit(
    seed: int, folder: Path
) -> None:
    """A given translation that is longer makes the cells larger, but not other rules."""
    options = exhaustive(SearchOptions(span_limit=1))
    case = Case(KINDS["hiero"], seed, options, folder)
    (result,) = case.model.decoder(options).search([case.line])
    derivations, _ = case.brute_force().derivations()
    assert result.forest.number_of_derivations == len(derivations)


@by_kind
@settings(max_examples=60, deadline=None)
@given(seed=seeds)
def test_a_small_beam_obeys_too(kind: Kind, seed: int, folder: Path) -> None:
    case = Case(kind, seed, SearchOptions(beam_size=1, pop_limit=1), folder)
    check_obeyed(case, case.model.decoder(case.options).translate([case.line])[0])


@by_kind
@settings(max_examples=30, deadline=None)
@given(seed=seeds)
def test_no_constraint_changes_no_bit(kind: Kind, seed: int, folder: Path) -> None:
    rng = random.Random(seed)
    model, texts = kind.tiny(rng, folder), lines(sentences(rng, 8, 3))
    decoder = model.decoder(SearchOptions())
    # Unknown words are numbered in the order of the batch, so it begins with those of `between`.
    first = "q a b c"
    _, *plain = decoder.search([first, *texts], record="bins")
    # A constrained sentence in between leaves nothing behind.
    between = AnnotatedSentence("a b c", constraints=[Constraint((0, 2), ["q q"]), wall(2)])
    with_others = [line for text in texts for line in (text, between)]
    _, *mixed = decoder.search([first, *with_others], record="bins")
    assert same_records(plain, mixed[::2])
    _, *annotated = decoder.search([first, *map(AnnotatedSentence, texts)], record="bins")
    assert same_records(plain, annotated)


def test_words_of_a_given_translation_come_out_as_written(folder: Path) -> None:
    for kind in KINDS.values():
        model = kind.tiny(random.Random(3), folder)
        for text in ("<unk>", "<s> </s>", "Ω≈ \U0001f600", "[X,1]", "|||"):
            line = AnnotatedSentence("a b z", constraints=[Constraint((1, 2), [text])])
            for one in model.decoder(SearchOptions()).search([line])[0].kbest(5):
                assert f" {text} " in f" {' '.join(one.words)} "


def test_links_of_a_given_translation(folder: Path) -> None:
    for model in (tiny_phrase(random.Random(1), folder), tiny_hiero(random.Random(1), folder)):
        line = AnnotatedSentence("z z z", constraints=[Constraint((0, 2), ["p q r"]), wall(2)])
        found = model.decoder(SearchOptions()).translate([line])
        assert found.text == ["p q r z"]
        assert found.links(0) == [*((s, t) for s in (0, 1) for t in (0, 1, 2)), (2, 3)]


def test_a_forbidden_word_is_copied_if_nothing_else_is_left(folder: Path) -> None:
    for model in (tiny_phrase(random.Random(1), folder), tiny_hiero(random.Random(1), folder)):
        line = AnnotatedSentence("z", constraints=[Constraint((0, 1), ["z"], "forbidden")])
        assert model.decoder(SearchOptions()).translate([line]).text == ["z"]


def test_probabilities_need_their_feature(folder: Path) -> None:
    model = tiny_phrase(random.Random(1), folder)
    line = AnnotatedSentence("a", constraints=[Constraint((0, 1), [("v", -1.0)])])
    object.__setattr__(model, "path", folder)
    with pytest.raises(ModelError, match="given"):
        model.decoder(SearchOptions()).translate([line])


@pytest.mark.parametrize(
    ("constraints", "named"),
    [
        ([Constraint((0, 4), ["v"])], "[0:4]"),
        ([Constraint((0, 2), ["v"]), Constraint((1, 3), ["w"])], "[1:3] w"),
        ([Constraint((0, 2), ["v"]), Constraint((1, 2), ["w"], "inclusive")], "inclusive [1:2]"),
        ([Constraint((0, 2), ["v"]), wall(1)], "wall [1:1]"),
        ([Constraint((0, 2), ["v"]), zone(1, 3)], "zone [1:3]"),
        ([zone(0, 2), zone(1, 3)], "zone [1:3]"),
    ],
)
def test_constraints_that_cannot_be_obeyed_are_refused_by_name(
    constraints: Sequence[Constraint], named: str
) -> None:
    with pytest.raises(InputError) as caught:
        AnnotatedSentence("a b c", constraints=constraints)
    assert named in str(caught.value)


@pytest.mark.parametrize(
    "arguments",
    [
        ((0, 0), ["v"]),
        ((-1, 1), ["v"]),
        ((0, 1), []),
        ((0, 1), [""]),
        ((0, 1), [" "]),
        ((0, 1), [("v", 0.5)]),
        ((0, 1), [("v", math.nan)]),
        ((0, 1), [" ".join(["v"] * 256)]),
        ((0, 1), ["v"], "wall"),
        ((0, 1), ["v"], "other"),
    ],
)
def test_odd_constraints_are_refused(arguments: tuple[object, ...]) -> None:
    with pytest.raises(InputError):
        Constraint(*arguments)  # type: ignore[arg-type]


def test_annotated_sentences_are_values() -> None:
    line = AnnotatedSentence("a b", tags="A B", constraints=[Constraint((0, 1), "v w")])
    copy = pickle.loads(pickle.dumps(line))  # noqa: S301
    assert (copy, copy.tags, copy.constraints) == (line, line.tags, line.constraints)
    assert described(line) != described(AnnotatedSentence("a b", tags="A B"))


def test_oracle_of_phrases_without_constraints_is_the_usual_one(folder: Path) -> None:
    model = tiny_phrase(random.Random(2), folder)
    options = SearchOptions(rule_limit=0)
    usual = PhraseOracle(model.table, model.arpas, model.weights, options)
    constrained = ConstrainedPhraseOracle(model.table, model.arpas, model.weights, options)
    words = ("a", "b", "c")
    assert len(list(usual.derivations(words))) == len(list(constrained.derivations(words)))
