"""Pairs with unreachable references: hope and fear of k-best lists, and local updates.

Both against records of the search and Bleu+1 in plain Python.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demotic import _core
from demotic.search import SearchOptions
from demotic.train import Bitext, TrainOptions, find_parts
from tests.learn.untuned import untuned
from tests.near import near
from tests.oracle.bleu import counts, plus_one
from tests.oracle.hope_fear import HopeFear, hope_and_fear
from tests.search.record_checks import OpenedRecord
from tests.search.small_models import prepared_model
from tests.search.tiny_parts import sentences
from tests.search.tiny_phrase import TinyPhrase, tiny_phrase
from tests.train.test_training import bitext, models
from tests.train.violations import TRAINED, check_update, phrase_options, trainer_of

assert models  # a fixture


def survivors(
    model: TinyPhrase, options: SearchOptions, words: tuple[str, ...]
) -> list[tuple[str, float]]:
    """The texts and scores of the last bin."""
    (result,) = model.decoder(options).search([" ".join(words)], record="bins")
    brute = model.brute_force(words, options, fell_back=result.fell_back)
    record, bins = OpenedRecord.of(brute, result), result.bins
    return [
        (" ".join(brute.target(record.best[node])), float(bins.score[node] + bins.future[node]))
        for node in bins.members(len(words)).tolist()
        if bins.alive[node]
    ]


def no_forests(model: TinyPhrase, folder: Path) -> _core.GoldForests:
    nothing = _core.SourceSentences(model.native, [], [])
    _core.force_corpus(model.native, _core.ForceOptions(), nothing, str(folder / "gold"), 1, None)
    return _core.GoldForests.open(str(folder / "gold"), True)


@pytest.mark.parametrize("seed", range(40))
def test_phrases_move_towards_the_survivor_nearest_the_reference(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    model, options = tiny_phrase(rng, tmp_path), phrase_options(rng)
    train = TrainOptions(method=rng.choice(("max-violation", "early")), unreachable="local")
    trainer = trainer_of("phrase", model.native, options, train, model.weights)
    for words in filter(None, sentences(rng, 4, 6)):
        found = survivors(model, options, words)
        like = rng.choice(found)[0].split()
        reference = " ".join([*rng.sample(like, k=len(like) // 2), "elsewhere"])
        pair = _core.SourceSentences(model.native, [" ".join(words)], [reference])
        seen: dict[str, Any] = trainer.inspect(pair, no_forests(model, tmp_path), 0)
        gains = [plus_one(counts(text, [reference], "closest")) for text, _ in found]
        hope = max(s for g, (_, s) in zip(gains, found, strict=True) if g > max(gains) - 1e-12)
        best = max(score for _, score in found)
        if seen["bin"] < 0:
            assert hope == near(best, abs=1e-3)
            continue
        assert seen["bin"] == len(words)
        assert seen["violation"] == near(best - hope, abs=1e-3)
        check_update(model.weights.array, seen)


def test_hiero_moves_towards_a_candidate_with_a_better_gain(tmp_path: Path) -> None:
    model = untuned(prepared_model(tmp_path, "hiero"), tmp_path / "untuned")
    search = SearchOptions(pop_limit=30)
    text = bitext(model)
    (part,) = find_parts(model, text, TrainOptions(held_out="none"), search, tmp_path / "parts")
    decoder = model.decoder(search)
    made: Any = part.native(None, None)
    train = TrainOptions(unreachable="local")
    trainer = trainer_of("hiero", made, search, train, model.weights)
    references = [f"{target} elsewhere" for target in text.target]
    source = _core.SourceSentences(made, list(text.source), references)
    _core.force_corpus(made, _core.ForceOptions(), source, str(tmp_path / "gold"), 1, None)
    gold = _core.GoldForests.open(str(tmp_path / "gold"), True)
    assert len(gold) == 0
    updates = 0
    for i, (line, reference) in enumerate(zip(text.source, references, strict=True)):
        seen: dict[str, Any] = trainer.inspect(source, gold, i)
        if not seen["updates"]:
            continue
        updates += 1
        check_update(model.weights.array, seen)
        (result,) = decoder.search([line], record="forest")
        found = result.kbest(2_000)
        gains = [plus_one(counts(one.text, [reference], "closest")) for one in found]
        scores = np.array([one.score for one in found])
        near = np.flatnonzero(np.abs(scores[0] - scores - seen["violation"]) < 1e-3)
        assert max(gains[int(k)] for k in near) > gains[0]
    assert updates > len(references) / 4


SLACK = 2e-3  # of scores, which the search has in single precision


@pytest.mark.parametrize("kind", TRAINED)
def test_hope_and_fear_are_the_best_of_a_k_best_list(kind: str, tmp_path: Path) -> None:
    """With beams, for any length of the list; the list is taken from a record of the search."""
    updates = margins = deep = 0
    for seed in range(60):
        rng = random.Random(seed)
        model = TRAINED[kind].tiny(rng, tmp_path)
        beam = rng.choice((2, 5, 100))
        search = SearchOptions(beam_size=beam, pop_limit=200, rule_limit=0)
        k = rng.choice((2, 3, 10, 100))
        train = TrainOptions(unreachable="hope-fear", unreachable_k=k)
        scale = train.violations().gain_scale
        trainer = trainer_of(kind, model.native, search, train, model.weights)
        for words in filter(None, sentences(rng, 4, 4)):
            (result,) = model.decoder(search).search([" ".join(words)], record="forest")
            listed = result.kbest(k + 1)
            if len(listed) > k and listed[k - 1].score - listed[k].score < SLACK:
                continue  # which one is in the list depends on rounding
            reference = f"{rng.choice(listed).text} elsewhere"
            found = [(one.score, one.text) for one in listed[:k]]
            expected = hope_and_fear(found, reference, scale * len(reference.split()), SLACK)
            pair = _core.SourceSentences(model.native, [" ".join(words)], [reference])
            seen: dict[str, Any] = trainer.inspect(pair, no_forests(model, tmp_path), 0)
            if result.fell_back:
                assert not seen["updates"]
            else:
                check_hope_and_fear(seen, expected)
            check_update(model.weights.array, seen)
            updates += seen["updates"]
            margins += seen["updates"] and seen["violation"] < 0
            deep += seen["updates"] and listed[0].score - seen["bins"][-1][1] > SLACK
    assert updates > 50
    assert margins > 10  # hope scores higher, but not by enough
    assert deep > 3  # fear is not the 1-best


def check_hope_and_fear(seen: dict[str, Any], expected: HopeFear) -> None:
    """Equal up to ties."""
    fear = seen["bins"][-1][1]
    assert any(score == near(fear, abs=SLACK) for score, _ in expected.fears)
    if seen["updates"]:
        hope = fear - seen["violation"]
        assert any(score == near(hope, abs=SLACK) for score, _ in expected.hopes)
    else:
        least = min(gain for _, gain in expected.hopes)
        assert least <= max(gain for _, gain in expected.fears) + 1e-9


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
def test_unreachable_pairs_come_after_the_others(
    models: dict[str, Any],
    tmp_path: Path,
    kind: str,
) -> None:
    model = models[kind]
    text = bitext(model)
    target = [f"{line} elsewhere" if i % 2 else line for i, line in enumerate(text.target)]
    search = SearchOptions.for_model(model)
    parts = {
        how: find_parts(
            model,
            Bitext(text.source, target),
            TrainOptions(held_out="none", unreachable=how),  # type: ignore[arg-type]
            search,
            tmp_path / how,
        )[0].pairs
        for how in ("hope-fear", "local", "skip")
    }
    assert parts["hope-fear"].number.tolist() == parts["local"].number.tolist()
    assert len(parts["skip"]) == parts["skip"].reachable == parts["local"].reachable
    assert sorted(parts["local"].number) == list(range(len(text)))
    rest = parts["local"].number[parts["local"].reachable :]
    lengths = [len(text.source[i].split()) for i in rest]
    assert parts["local"].length[parts["local"].reachable :].tolist() == lengths
