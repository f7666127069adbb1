"""What holds for every decoder at its limits: ties, threads, odd sentences, odd weights."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from demotic.errors import ModelError
from demotic.features.weights import Weights
from demotic.formats.importing import import_plan
from demotic.formats.plan import ImportPlan
from demotic.formats.tables import MOSES_SCORES, TableFile
from demotic.search import Decoder, SearchOptions
from tests.oracle.arpa import Arpa
from tests.oracle.hiero_search import Space
from tests.search.decoder_checks import check_translations, same_records
from tests.search.kinds import Kind, TinyModel, by_kind, enumerable, exhaustive, seeds, usual
from tests.search.tiny_hiero import scfg_rules, with_grammar
from tests.search.tiny_parts import lines, long_text, sentences
from tests.search.tiny_phrase import with_table

# Determinism.


def tied_model(kind: Kind, folder: Path) -> TinyModel:
    """All derivations have a score of zero, and the language model tells most of them apart."""
    rng, words = random.Random(1), ("v", "w", "x", "<s>", "</s>", "<unk>")
    entries = {(word,): (-1.0, -0.5) for word in words}
    arpa = Arpa({**entries, **{(a, b): (-0.5, 0.0) for a in "vwx" for b in "vwx"}})
    rules = ["X | a | v", "X | a | w", "X | b | x", "X | b | v", "X | a b | w x"]
    model: TinyModel
    if kind.name == "phrase":
        table: dict[tuple[str, ...], list[tuple[tuple[str, ...], dict[str, float]]]] = {}
        for rule in scfg_rules(*rules):
            scores = dict.fromkeys(MOSES_SCORES, -1.0)
            table.setdefault(rule.source, []).append((rule.target, scores))
        model = with_table(rng, folder, table, [arpa])
    else:
        rules += ["X | a [X,1] | [X,1] v", "X | a [X,1] | v [X,1]"]
        model = with_grammar(rng, folder, scfg_rules(*rules), Space(), [arpa])
    return model.weighted(Weights.of(dict.fromkeys(model.weights, 0.0)))


@by_kind
@pytest.mark.parametrize("cubes", [True, False])
def test_ties_go_to_the_hypothesis_that_was_proposed_first(
    kind: Kind, cubes: bool, folder: Path
) -> None:
    """Which one that is must not change by accident: it changes the outputs of many models."""
    model = tied_model(kind, folder)
    whole = {"phrase": "v w x", "hiero": "w x v"}[kind.name]
    for beam, expected in ((1, "w x v"), (200, whole)):
        options = SearchOptions(beam_size=beam, pop_limit=30, cube_pruning=cubes)
        found = model.decoder(options).translate(["a", "b a", "a b a"])
        assert found.text == ["v", "v v", expected]


@by_kind
@pytest.mark.parametrize("cubes", [True, False])
@pytest.mark.parametrize("language_models", [0, 1, 2])
@pytest.mark.parametrize("zero", [False, True], ids=["weights", "zero"])
def test_threads_change_nothing(
    kind: Kind, cubes: bool, language_models: int, zero: bool, folder: Path
) -> None:
    """Not even with weights of zero, under which all derivations tie."""
    model = usual(kind, 9, folder, language_models=language_models)
    if zero:
        model = model.weighted(Weights.of(dict.fromkeys(model.weights, 0.0)))
    options = SearchOptions(cube_pruning=cubes, beam_size=5, pop_limit=30, distortion_limit=3)
    decoder, monotone = model.decoder(options), kind.name == "phrase"
    texts = lines(long_text(i, i % 20) for i in range(30))
    one, four = decoder.translate(texts, threads=1), decoder.translate(texts, threads=4)
    assert one.text == four.text
    assert np.array_equal(one.scores, four.scores)
    assert np.array_equal(one.features, four.features)
    assert [one.steps(i) for i in range(30)] == [four.steps(i) for i in range(30)]
    for record in ("bins", "forest"):
        few, many = (
            decoder.search(texts, record=record, monotone=monotone, threads=n)  # type: ignore[arg-type]
            for n in (1, 4)
        )
        assert same_records(few, many)


@by_kind
def test_a_sentence_does_not_depend_on_those_before(kind: Kind, folder: Path) -> None:
    decoder = usual(kind, 9, folder, language_models=2).decoder(SearchOptions(beam_size=10))
    texts = lines(long_text(i, 12) for i in range(20))
    together = decoder.search(texts, record="bins")
    assert same_records(together, [decoder.search([t], record="bins")[0] for t in texts])
    assert same_records(together, decoder.search(texts[::-1], record="bins")[::-1])


# Sentences and weights at the limits.


@by_kind
def test_nothing_to_translate(kind: Kind, folder: Path) -> None:
    for seed in range(20):
        model, options = kind.tiny(random.Random(seed), folder), SearchOptions()
        decoder = model.decoder(options)
        assert decoder.translate([]).features.shape == (0, len(model.weights))
        assert decoder.search([]) == []
        found = decoder.translate(["", "  "])
        assert (found.text, found.steps(0), found.links(0)) == (["", ""], [], [])
        check_translations(model, options, [()])
        (result,) = decoder.search([""], record="bins")
        assert result.best.words == ()
        assert result.best.score == pytest.approx(found.scores[0])
        assert (result.forest.nodes, len(result.bins)) == (1, 0)
        kbest, bins = decoder.candidates(decoder.sentences(["", ""]), k=3, bins="potential")
        assert (kbest.offsets.tolist(), len(bins.bin)) == ([0, 1, 2], 0)


ODD = ["z", "<unk>", "</s>", "|||", "[X,1]", "\u3000", "e\u0301\u0308", "\U0001f9d1\u200d", "z"]


@by_kind
@pytest.mark.parametrize("language_models", [0, 1, 2, 3])
def test_unknown_words_are_copied(kind: Kind, language_models: int, folder: Path) -> None:
    model = kind.tiny(random.Random(11), folder, language_models=language_models, **kind.plain)
    options, texts = SearchOptions(distortion_limit=0), [ODD, *([word] for word in ODD)]
    check_translations(model, options, [tuple(words) for words in texts])
    found = model.decoder(options).translate(lines(texts))
    assert found.text == lines(texts)
    assert found.links(0) == [(i, i) for i in range(len(ODD))]
    column = list(model.weights).index("unknown_word")
    assert found.features[:, column].tolist() == [-100 * len(words) for words in texts]


@by_kind
@pytest.mark.parametrize("language_models", [0, 1, 2, 3])
def test_repeated_and_single_words(kind: Kind, language_models: int, folder: Path) -> None:
    options = SearchOptions(beam_size=3, pop_limit=5)
    for seed in range(10):
        model = kind.tiny(random.Random(seed), folder, language_models=language_models)
        check_translations(model, options, [(w,) * n for w in "abcdvz" for n in (1, 2, 9)])


@by_kind
@settings(max_examples=60, deadline=None)
@given(seed=seeds)
def test_segments_and_links(kind: Kind, seed: int, folder: Path) -> None:
    """A step's segment holds the words that it yields; links are those of its rule."""
    rng = random.Random(seed)
    model, options = kind.tiny(rng, folder), exhaustive(SearchOptions(rule_limit=0))
    for words, result in enumerable(model, options, sentences(rng, kind.longest, 3)):
        brute = model.brute_force(words, options)
        for one in result.kbest(20):
            derivation = brute.of_steps(one.steps)
            parts = brute.parts(derivation)
            segments = result.decoder.segments(one.steps)
            assert [s.source for s in segments] == [(part.begin, part.end) for part in parts]
            targets = [one.words[slice(*segment.target)] for segment in segments]
            assert targets == [part.words for part in parts]
            assert result.decoder.links(one.steps) == sorted(brute.links(derivation))


@by_kind
@pytest.mark.parametrize("weight", [0.0, 1e4, -1e4, 1e12])
def test_odd_weights(kind: Kind, weight: float, folder: Path) -> None:
    model = kind.tiny(random.Random(2), folder, language_models=2)
    model = model.weighted(Weights.of(dict.fromkeys(model.weights, weight)))
    narrow = SearchOptions(beam_size=1, pop_limit=1, distortion_limit=-1)
    for options in (SearchOptions(), narrow):
        check_translations(model, options, [long_text(4, 15)])


@by_kind
@pytest.mark.parametrize("weight", [1e39, -1e13])
def test_weights_beyond_the_range_are_refused(kind: Kind, weight: float, folder: Path) -> None:
    model = kind.tiny(random.Random(2), folder)
    decoder = model.weighted(model.weights.replace({"word_penalty": weight})).decoder(
        SearchOptions()
    )
    for call in calls(decoder):
        with pytest.raises(ModelError, match="between -1e12 and 1e12"):
            call()


@by_kind
def test_a_wrong_number_of_weights_is_refused(kind: Kind, folder: Path) -> None:
    model = kind.tiny(random.Random(2), folder)
    count = len(model.weights)
    few = dict(list(model.weights.items())[1:])
    for weights in (few, {**model.weights, "other": 1.0}):
        decoder = model.weighted(Weights.of(weights)).decoder(SearchOptions())
        message = rf"expected {count} weights \(one per feature\), got {len(weights)}"
        for call in calls(decoder):
            with pytest.raises(ValueError, match=message):
                call()


def calls(decoder: Decoder) -> list[Callable[[], object]]:
    """The calls that search."""
    return [
        lambda: decoder.translate(["a b"]),
        lambda: decoder.search(["a b"]),
        lambda: decoder.candidates(decoder.sentences(["a b"]), k=3),
        lambda: decoder.candidates(decoder.sentences(["a b"]), bins="partial"),
    ]


@by_kind
def test_rules_beyond_the_range_are_refused(kind: Kind, tmp_path: Path) -> None:
    table_kind, rules = kind.too_large
    (tmp_path / "table").write_text(rules, encoding="utf-8")
    tables = [TableFile(tmp_path / "table", table_kind)]
    plan = ImportPlan(kind=kind.name, toolkit="moses", tables=tables, weights={"f": 10.0})
    model = import_plan(plan, tmp_path / "model").model
    with pytest.raises(ModelError, match="between -1e30 and 1e30"):
        model.decoder().translate(["a b a b"])


@by_kind
def test_the_time_is_linear_in_the_length_of_a_sentence(kind: Kind, folder: Path) -> None:
    decoder = usual(kind, 3, folder, language_models=1, **kind.plain).decoder(kind.linear)
    words = long_text(2, 10_000)
    decoder.translate(lines([words[:500]]))
    times = []
    for length in (1_000, 10_000):
        begin = time.process_time()
        found = decoder.translate(lines([words[:length]]))
        times.append(time.process_time() - begin)
        assert {i for step in found.steps(0) for i in range(step.begin, step.end)} == {
            *range(length)
        }
        assert found.fell_back == []
    assert times[1] < 30 * max(times[0], 0.01)


@by_kind
def test_a_sentence_that_is_too_long_is_decoded_with_a_fallback(kind: Kind, folder: Path) -> None:
    options, length = kind.falls_back
    decoder = usual(kind, 3, folder, language_models=1, **kind.plain).decoder(options)
    texts = lines([long_text(2, 5), long_text(1, length)])
    assert decoder.translate(texts).fell_back == [1]
    assert [result.fell_back for result in decoder.search(texts)] == [False, True]
