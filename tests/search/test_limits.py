"""Edges of the search: no words, no limits, long sentences, odd weights; same on any threads."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from demotic.errors import ModelError
from demotic.features.weights import Weights
from demotic.formats.importing import import_plan
from demotic.formats.plan import ImportPlan
from demotic.formats.tables import TableFile
from demotic.search import SearchOptions, SearchResult
from demotic.search.decoder import Decoder
from tests.search.spaces import lines
from tests.search.tiny import Tiny, phrases_of, tiny_model

ARRAYS = (
    "edge_offsets tail_offsets tails edge_rule edge_begin edge_end target_offsets target_symbols "
    "feature_offsets feature_ids feature_values node_bin node_score node_future node_alive "
    "node_reaches monotone_offsets monotone_words monotone_score"
).split()


def model_of(seed: int, folder: Path, **kind: object) -> Tiny:
    return tiny_model(random.Random(seed), folder, **kind)  # type: ignore[arg-type]


def usual(model: Tiny) -> Tiny:
    """With weights that make reordering worth while."""
    rng = random.Random(7)
    return model.weighted(Weights.of({name: rng.uniform(0.1, 1) for name in model.weights}))


def long_text(seed: int, length: int) -> tuple[str, ...]:
    return tuple(random.Random(seed).choices("abcdz", weights=(9, 9, 9, 9, 1), k=length))


def check_again(model: Tiny, decoder: Decoder, words: tuple[str, ...]) -> list[int]:
    """The reported features and score are those of the steps, which cover each word once."""
    found = decoder.translate(lines([words]))
    steps = found.steps(0)
    assert sorted(i for step in steps for i in range(step.begin, step.end)) == list(
        range(len(words))
    )
    values = model.oracle(decoder.options).features(phrases_of(model, words, steps))
    ours = dict(zip(model.weights, found.features[0].tolist(), strict=True))
    assert ours == pytest.approx(values, rel=1e-6, abs=1e-5)
    assert found.scores[0] == pytest.approx(model.weights.array @ found.features[0], rel=1e-9)
    return [step.begin for step in steps]


def distances_allowed(model: Tiny, decoder: Decoder, words: tuple[str, ...]) -> bool:
    oracle, found = model.oracle(decoder.options), decoder.translate(lines([words]))
    phrases = phrases_of(model, words, found.steps(0))
    return all(
        oracle.may_follow(len(words), phrases[:i], phrase) for i, phrase in enumerate(phrases)
    )


@pytest.mark.parametrize("length", [63, 64, 65, 100, 200])
@pytest.mark.parametrize("limit", [-1, 0, 6, 62, 63, 64, 90])
def test_sentences_wider_than_a_machine_word(length: int, limit: int, folder: Path) -> None:
    model = usual(model_of(5, folder, reordering="bidirectional", language_models=1))
    # Distortion is rewarded, so that the search goes as far as it may.
    model = model.weighted(model.weights.replace({"distortion": -0.05}))
    options = SearchOptions(distortion_limit=limit, beam_size=20, pop_limit=40)
    decoder, words = model.decoder(options), long_text(length, length)
    starts = check_again(model, decoder, words)
    assert distances_allowed(model, decoder, words)
    assert (starts == sorted(starts)) == (limit == 0)


def test_without_gap_test_masks_are_wide(folder: Path) -> None:
    model = usual(model_of(5, folder, reordering="backward", language_models=1))
    decoder = model.decoder(SearchOptions(distortion_limit=5, gap_test=False, beam_size=50))
    words = long_text(1, 90)
    check_again(model, decoder, words)
    assert distances_allowed(model, decoder, words) or decoder.translate(lines([words])).fell_back


def test_long_line_takes_time_in_proportion(folder: Path) -> None:
    model = usual(model_of(3, folder, reordering="bidirectional", language_models=1))
    decoder = model.decoder(SearchOptions(beam_size=5, pop_limit=10))
    words = long_text(2, 10_000)
    decoder.translate(lines([words[:500]]))
    times = []
    for length in (1_000, 10_000):
        begin = time.process_time()
        found = decoder.translate(lines([words[:length]]))
        times.append(time.process_time() - begin)
        assert sum(step.end - step.begin for step in found.steps(0)) == length
        assert found.fell_back == []
    assert times[1] < 30 * max(times[0], 0.01)


def test_too_long_for_unlimited_reordering(folder: Path) -> None:
    model = usual(model_of(3, folder, reordering="bidirectional", language_models=1))
    decoder = model.decoder(SearchOptions(distortion_limit=-1, beam_size=5, pop_limit=10))
    found = decoder.translate(lines([long_text(1, 2001), long_text(1, 20)]))
    assert found.fell_back == [0]
    starts = [step.begin for step in found.steps(0)]
    assert starts == sorted(starts)


def test_nothing_to_translate(folder: Path) -> None:
    for seed in range(20):
        model = model_of(seed, folder)
        decoder = model.decoder(SearchOptions())
        assert decoder.translate([]).features.shape == (0, len(model.weights))
        assert decoder.search([]) == []
        found = decoder.translate(["", "  "])
        assert found.text == ["", ""]
        assert found.steps(0) == []
        values = model.oracle(SearchOptions()).features(())
        ours = dict(zip(model.weights, found.features[0].tolist(), strict=True))
        assert ours == pytest.approx(values, rel=1e-6)
        (result,) = decoder.search([""], record="bins", monotone=True)
        assert result.best.words == ()
        assert result.best.score == pytest.approx(found.scores[0])
        assert (result.forest.nodes, len(result.bins), result.monotone(0, 0)) == (1, 0, ())


def test_unknown_words_alone(folder: Path) -> None:
    model = model_of(11, folder, language_models=1)
    words = ("z", "<unk>", "</s>", "z")
    kept = model.decoder(SearchOptions(distortion_limit=0)).translate(lines([words]))
    assert kept.text == [" ".join(words)]
    assert kept.links(0) == [(i, i) for i in range(4)]
    dropped = model.decoder(SearchOptions(drop_unknown=True)).translate(lines([words]))
    assert (dropped.text, dropped.links(0)) == ([""], [])
    column = list(model.weights).index("unknown_word")
    assert kept.features[0][column] == dropped.features[0][column] == -400


@pytest.mark.parametrize("weight", [1e39, -1e13])
def test_weights_beyond_all_bounds_are_refused(weight: float, folder: Path) -> None:
    model = model_of(2, folder)
    model = model.weighted(model.weights.replace({"word_penalty": weight}))
    decoder = model.decoder(SearchOptions())
    with pytest.raises(ModelError, match="between -1e12 and 1e12"):
        decoder.translate(["a b"])
    with pytest.raises(ModelError, match="between -1e12 and 1e12"):
        decoder.search(["a b"])


def test_rules_beyond_all_bounds_are_refused(tmp_path: Path) -> None:
    rules = "a ||| x ||| 1 1 1 1 ||| ||| ||| f 3e38\nb ||| y ||| 1 1 1 1 ||| ||| ||| f -3e38\n"
    (tmp_path / "table").write_text(rules, encoding="utf-8")
    tables = [TableFile(tmp_path / "table", "moses_phrases")]
    plan = ImportPlan(kind="phrase", toolkit="moses", tables=tables, weights={"f": 10.0})
    model = import_plan(plan, tmp_path / "model").model
    with pytest.raises(ModelError, match="between -1e30 and 1e30"):
        model.decoder().translate(["a b a b"])


@pytest.mark.parametrize("weight", [0.0, 1e4, -1e4, 1e12])
def test_odd_weights(weight: float, folder: Path) -> None:
    model = model_of(2, folder, reordering="bidirectional", language_models=2)
    model = model.weighted(Weights.of(dict.fromkeys(model.weights, weight)))
    for options in (SearchOptions(), SearchOptions(beam_size=1, pop_limit=1, distortion_limit=-1)):
        check_again(model, model.decoder(options), long_text(4, 15))


def same(a: SearchResult, b: SearchResult) -> bool:
    return all(np.array_equal(getattr(a._native, n), getattr(b._native, n)) for n in ARRAYS)


@pytest.mark.parametrize("cubes", [True, False])
@pytest.mark.parametrize("language_models", [1, 2])
def test_threads_change_nothing(cubes: bool, language_models: int, folder: Path) -> None:
    rng = random.Random(1)
    model = model_of(9, folder, reordering="bidirectional", language_models=language_models)
    decoder = usual(model).decoder(
        SearchOptions(cube_pruning=cubes, beam_size=10, pop_limit=30, distortion_limit=3)
    )
    texts = lines([long_text(i, rng.randint(0, 25)) for i in range(60)])
    one, four = decoder.translate(texts, threads=1), decoder.translate(texts, threads=4)
    assert one.text == four.text
    assert np.array_equal(one.scores, four.scores)
    assert np.array_equal(one.features, four.features)
    assert [one.steps(i) for i in range(60)] == [four.steps(i) for i in range(60)]
    for kind in ("bins", "forest"):
        records = [
            decoder.search(texts, record=kind, monotone=True, threads=n)  # type: ignore[arg-type]
            for n in (1, 4)
        ]
        assert all(same(a, b) for a, b in zip(*records, strict=True))


def test_a_sentence_does_not_depend_on_those_before(folder: Path) -> None:
    decoder = usual(model_of(9, folder, language_models=3)).decoder(SearchOptions(beam_size=10))
    texts = lines([long_text(i, 12) for i in range(20)])
    together = decoder.search(texts, record="bins")
    for i, text in enumerate(texts):
        assert same(together[i], decoder.search([text], record="bins")[0])


def test_best_of_the_record_is_the_translation(folder: Path) -> None:
    for seed in range(10):
        decoder = model_of(seed, folder).decoder(SearchOptions(beam_size=5, pop_limit=20))
        texts = lines([long_text(seed * 10 + i, 9) for i in range(5)])
        found = decoder.translate(texts)
        for i, result in enumerate(decoder.search(texts)):
            assert result.best.score == pytest.approx(found.scores[i], rel=1e-5, abs=1e-5)


def test_wider_beam_is_not_worse_on_average(folder: Path) -> None:
    model = usual(model_of(9, folder, reordering="bidirectional", language_models=1))
    texts = lines([long_text(i, 15) for i in range(30)])
    means = [
        model.decoder(replace(SearchOptions(rule_limit=0), cube_pruning=False, beam_size=beam))
        .translate(texts)
        .scores.mean()
        for beam in (1, 5, 50, 500)
    ]
    assert means == sorted(means)
    assert means[0] < means[-1]
