"""Families of features in search, training and tuning: sums equal those of the definition."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demotic import _core
from demotic.learn import DevSet
from demotic.learn.methods import find_method
from demotic.learn.options import TuneOptions
from demotic.learn.runs import TuneRequest, tune_model
from demotic.lines import split_words
from demotic.model import Model
from demotic.search import SearchOptions, Step
from demotic.search.sentence import AnnotatedSentence, constituent_spans
from demotic.train import TrainOptions, find_parts
from demotic.train.features import FeatureSet, training_features
from demotic.train.pairs import Bitext
from demotic.train.run import TrainRequest, train_model
from tests.learn.untuned import dev_set, untuned
from tests.near import near
from tests.oracle.families import FamilyUse, families_of
from tests.search.small_models import prepared_model
from tests.train.test_training import OPTIONS, bitext
from tests.train.violations import check_update, trainer_of

FAMILIES = """family syntax-coarse labels=NP,VP
family syntax-fine min-count=1
family distortion
family shape
family length
family word-translation top=8
family word-context top=20
family insertion top=5
family deletion top=5
family target-bigrams top=12
"""
COPIED = "unbekannt"


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder, kind = tmp_path_factory.mktemp("families"), request.param
    return untuned(prepared_model(folder, kind), folder / "untuned")


def parsed(lines: Sequence[str], seed: int) -> list[str]:
    """Random bracketings, some of them with overlaps and unary chains; some sentences have none."""
    rng = random.Random(seed)
    return [_parsed(line, rng) if rng.random() < 0.8 else line for line in lines]


def _parsed(line: str, rng: random.Random) -> str:
    words, found = len(split_words(line)), []
    for _ in range(rng.randint(0, 2 * words)):
        begin = rng.randrange(words)
        end = rng.randint(begin + 1, words)
        found.append(f"{begin}-{end}-{rng.choice(('NP', 'VP', 'IP', 'a-b', 'FRAG'))}")
    return AnnotatedSentence(line, constituents=" ".join(found))


def parsed_bitext(model: Model) -> Bitext:
    text = bitext(model)
    return replace(text, source=parsed(text.source, 1))


def features(model: Model, text: Bitext, folder: Path) -> FeatureSet:
    folder.mkdir(exist_ok=True)
    (folder / "own.templates").write_text(FAMILIES)
    found = training_features(model, folder / "own.templates", text, folder / "classes")
    assert found is not None
    assert not any(one.missing for one in found.templates.native)
    return found


def parsed_dev(model: Model) -> DevSet:
    dev = dev_set(model)
    return DevSet(parsed(dev.source, 2), dev.references)


def trained(model: Model, folder: Path, threads: int = 1) -> Model:
    text = parsed_bitext(model)
    request = TrainRequest(options=OPTIONS, features=features(model, text, folder))
    out = folder / "out"
    return train_model(model, text, parsed_dev(model), out, request, threads=threads).model


def uses(model: Model, line: str, steps: Sequence[Step]) -> list[FamilyUse]:
    """The rules of a derivation, whose steps are in target order or in pre-order."""
    words, found, last = tuple(split_words(line)), [], "<s>"
    rules = list(model.rules)
    for place, (number, begin, end) in enumerate(steps):
        if number < -1:
            continue
        rule = None if number < 0 else rules[number]
        gaps: tuple[tuple[bool, int], ...] = ()
        if rule is not None and model.kind == "hiero":
            sizes = [j - i for _, i, j in _children(steps, place)]
            gaps = tuple(zip(rule.reordered, sizes, strict=True))
        found.append(
            FamilyUse(
                rule.source if rule else (),
                rule.target if rule else (),
                rule.links if rule else (),
                words,
                begin,
                end,
                tree=constituent_spans(line),
                last=last if model.kind == "phrase" else "",
                gaps=gaps,
            )
        )
        last = (rule.target if rule else (words[begin],))[-1]
    return found


def _children(steps: Sequence[Step], place: int) -> list[Step]:
    """The steps that fill the gaps of a step: in pre-order, the maximal spans inside of it."""
    found: list[Step] = []
    _, begin, end = steps[place]
    for step in steps[place + 1 :]:
        if not begin <= step[1] < step[2] <= end:
            break
        if not any(one[1] <= step[1] and step[2] <= one[2] for one in found):
            found.append(step)
    return sorted(found, key=lambda step: step[1])


def sparse_value(model: Model, line: str, steps: Sequence[Step]) -> float:
    """The sum of the weights of all features of a derivation."""
    assert model.sparse is not None
    keys, weights = model.sparse.weights.arrays()
    by_name: dict[tuple[int, str], float] = {}
    for key, weight in zip(keys.tolist(), weights.tolist(), strict=True):
        template = model.sparse.features.template_of(key)
        by_name[template, model.sparse.features.name(key)] = weight
    return sum(
        by_name.get((number, name), 0.0)
        for use in uses(model, line, steps)
        for number, text in enumerate(model.sparse.templates)
        for name in families_of(text, use)
    )


def test_search_sums_the_features_of_its_derivations(model: Model, tmp_path: Path) -> None:
    made = trained(model, tmp_path)
    assert made.sparse is not None
    assert made.sparse.features.has_constituents
    assert made.sparse.features.has_gaps == (model.kind == "hiero") or model.kind == "phrase"
    lines = [f"{line} {COPIED}" for line in sorted(set(bitext(model).source))]
    decoder, values = made.decoder(), []
    place = list(made.weights).index("sparse")
    for given in (lines, parsed(lines, 3)):
        found = decoder.translate(given)
        for i, result in enumerate(decoder.search(given)):
            expected = sparse_value(made, given[i], found.steps(i))
            assert found.features[i][place] == near(expected, abs=1e-4)
            for one in result.kbest(3):
                expected = sparse_value(made, given[i], one.steps)
                assert one.features[place] == near(expected, abs=1e-4)
                assert one.score == near(float(made.weights.array @ one.features), abs=1e-3)
        values.append(found.features[:, place])
    assert not np.allclose(values[0], values[1])  # the trees matter
    fired = {one.family for one in made.sparse.templates.native} - _families_seen(made)
    assert fired <= ({"distortion"} if model.kind == "phrase" else set())


def _families_seen(model: Model) -> set[str]:
    assert model.sparse is not None
    keys, _ = model.sparse.weights.arrays()
    native = model.sparse.templates.native
    return {native[i].family for i in model.sparse.features.templates_of(keys).tolist()}


@pytest.mark.parametrize("beam", [1, 200])
def test_gold_and_search_agree(model: Model, beam: int, tmp_path: Path) -> None:
    """The violation is the difference of the features of gold and bad derivations."""
    text = parsed_bitext(model)
    made = features(model, text, tmp_path)
    learnt = trained(model, tmp_path)
    assert learnt.sparse is not None
    table = _core.SparseTable(made.native.layout)
    keys, values = learnt.sparse.weights.arrays()
    table.add(keys, values, 0)
    weights = learnt.weights.replace(dict(model.weights))  # bad ones, which need updates
    options = TrainOptions(held_out="none", compare_by="score")
    search = SearchOptions(beam_size=beam, pop_limit=beam)
    (part,) = find_parts(model, text, options, search, tmp_path / "parts")
    native: Any = part.native(made, table)
    trainer = trainer_of(model.kind, native, search, options, weights, table)
    source = part.pairs.sentences(native)
    updates = 0
    for sentence in range(len(part.pairs)):
        seen = trainer.inspect(source, part.pairs.gold, sentence)
        check_update(weights.array, seen)
        if seen["updates"]:
            updates += 1
            change = sum(v * table.weight(k) for k, v in seen["sparse"])
            place = list(weights).index("sparse")
            assert seen["dense"][place] == near(change, abs=1e-3)
    assert updates > 5


@pytest.mark.parametrize("method", ["mira", "pro", "rampion", "rm", "forest-mira"])
def test_tuners_learn_them(model: Model, method: str, tmp_path: Path) -> None:
    """The tuned model is the same for any number of threads, and its sums are right."""
    dev, found = parsed_dev(model), []
    made = features(model, replace(bitext(model), source=dev.source), tmp_path)
    for threads in (1, 3):
        request = TuneRequest(
            method=method,
            learner=find_method(method).parsed({}),
            options=TuneOptions(rounds=2),
            features=made,
        )
        out = tmp_path / f"tuned-{threads}"
        found.append(tune_model(model, dev, out, request, threads=threads).model)
    one, three = found
    assert one.sparse is not None
    assert three.sparse is not None
    assert one.sparse.weights.arrays()[1].tolist() == three.sparse.weights.arrays()[1].tolist()
    assert len(one.sparse) > 0
    place = list(one.weights).index("sparse")
    best = one.decoder().translate(dev.source)
    for i, line in enumerate(dev.source):
        expected = sparse_value(one, line, best.steps(i))
        assert best.features[i][place] == near(expected, abs=1e-3)


def test_constituents_are_checked() -> None:
    assert AnnotatedSentence("a b", constituents="0-2-NP 1-2-a-b").constituents == "0-2-NP 1-2-a-b"
    for wrong in ("0-3-NP", "1-1-NP", "2-1-NP", "0-1-", "NP", "-1-1-NP"):
        with pytest.raises(ValueError, match=r"expected constituents like 0-2-NP within the 2"):
            AnnotatedSentence("a b", constituents=wrong)
