"""Tags of tokens in training and search: features of the sentence's own tags, everywhere."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demotic import _core
from demotic.learn import DevSet
from demotic.lines import split_words
from demotic.model import Model
from demotic.search import SearchOptions
from demotic.search.sentence import AnnotatedSentence
from demotic.train import TrainOptions, find_parts
from demotic.train.features import FeatureSet, TagFiles, training_features
from demotic.train.pairs import Bitext
from demotic.train.run import TrainRequest, inputs_key, train_model
from tests.learn.untuned import dev_set, untuned
from tests.search.small_models import prepared_model
from tests.train.test_training import OPTIONS, bitext
from tests.train.violations import check_update, trainer_of

TEMPLATES = """rule
source.first:tag target.first:word
source.first:tag source.last:tag
source.before:tag source.first:tag
source.last:tag source.after:tag target.last:tag
source.after:tag rule
source.length source.last:tag target.first:tag target.last:word
"""
COPIED = "unbekannt"


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder, kind = tmp_path_factory.mktemp("tags"), request.param
    return untuned(prepared_model(folder, kind), folder / "untuned")


def tagged(lines: Sequence[str], seed: int) -> list[str]:
    """Random tags, so that those of a word differ from token to token."""
    rng = random.Random(seed)
    return [
        AnnotatedSentence(line, tags=" ".join(rng.choices("NVA", k=len(line.split()))))
        for line in lines
    ]


def tagged_bitext(model: Model, seed: int = 1) -> Bitext:
    text = bitext(model)
    return replace(text, source=tagged(text.source, seed))


def features(model: Model, text: Bitext, folder: Path) -> FeatureSet:
    (folder / "own.templates").write_text(TEMPLATES)
    (folder / "tags").write_text("house\tNN\nis\tVB\n")
    files = TagFiles(target=folder / "tags")
    found = training_features(
        model, folder / "own.templates", text, folder / "classes", None, files
    )
    assert found is not None
    return found


def trained(model: Model, folder: Path) -> Model:
    text = tagged_bitext(model)
    request = TrainRequest(options=OPTIONS, features=features(model, text, folder))
    dev = dev_set(model)
    dev = DevSet(tagged(dev.source, 2), dev.references)
    return train_model(model, text, dev, folder / "out", request).model


def sparse_value(model: Model, line: str, steps: Sequence[tuple[int, int, int]]) -> float:
    """The sum of the weights of all features of a derivation."""
    assert model.sparse is not None
    compiled, weights = model.sparse.features, model.sparse.weights
    source = _core.SourceSentences(model.native, [line])
    words, end = source.words(0), _core.SENTENCE_END
    tags = [compiled.token_tag(t) for t in split_words(line.tags)] if hasattr(line, "tags") else []
    keys: list[int] = []
    for rule, begin, stop in steps:
        at = (words, end, begin, stop, tags)
        if rule >= -1:
            keys += compiled.span_keys(*at).tolist()
        if rule >= 0:
            keys += compiled.rule_keys(rule).tolist() + compiled.mixed_keys(rule, *at).tolist()
    return sum(weights.weight(key) for key in keys)


def test_search_sums_the_features_of_its_derivations(model: Model, tmp_path: Path) -> None:
    made = trained(model, tmp_path)
    assert made.sparse is not None
    assert made.sparse.features.has_token_tags
    assert "source.token_tag" in [layer.name for layer in made.sparse.layers]
    lines = [f"{line} {COPIED}" for line in sorted(set(bitext(model).source))]
    decoder, values = made.decoder(), []
    for given in (lines, tagged(lines, 3)):
        found = decoder.translate(given)
        place = list(made.weights).index("sparse")
        for i, result in enumerate(decoder.search(given)):
            expected = sparse_value(made, given[i], found.steps(i))
            assert found.features[i][place] == pytest.approx(expected, abs=1e-4)
            for one in result.kbest(3):
                expected = sparse_value(made, given[i], one.steps)
                assert one.features[place] == pytest.approx(expected, abs=1e-4)
        values.append(found.features[:, place])
    assert not np.allclose(values[0], values[1])  # the tags matter


def test_sentences_without_tags_have_the_most_frequent_ones(model: Model, tmp_path: Path) -> None:
    made = trained(model, tmp_path)
    assert made.sparse is not None
    (layer,) = (one for one in made.sparse.layers if one.name == "source.token_tag")
    lines = sorted(set(bitext(model).source))
    usual = [
        AnnotatedSentence(
            line,
            tags=" ".join(
                layer.class_name(layer[made.vocabulary.find(word)]) for word in split_words(line)
            ),
        )
        for line in lines
    ]
    decoder = made.decoder()
    bare, same = decoder.translate(lines), decoder.translate(usual)
    assert bare.text == same.text
    assert bare.scores.tolist() == same.scores.tolist()


@pytest.mark.parametrize("beam", [1, 200])
def test_gold_and_search_agree(model: Model, beam: int, tmp_path: Path) -> None:
    """The violation is the difference of the features of gold and bad derivations."""
    text = tagged_bitext(model)
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
            assert seen["dense"][place] == pytest.approx(change, abs=1e-3)
    assert updates > 5


def test_other_tags_are_another_training_run(model: Model) -> None:
    search = SearchOptions.for_model(model)
    texts = [bitext(model), tagged_bitext(model), tagged_bitext(model, 2)]
    dev = dev_set(model)
    devs = [dev, DevSet(tagged(dev.source, 1), dev.references)]
    keys = {inputs_key(model, t, d, TrainRequest(), search) for t in texts for d in devs}
    assert len(keys) == 6


def test_one_tag_per_token() -> None:
    with pytest.raises(ValueError, match=r"expected 2 tags \(one per token\), got 1"):
        AnnotatedSentence("a b", tags="N")
    copied = copy.deepcopy(AnnotatedSentence("a b", tags="N V"))
    assert (copied, copied.tags) == ("a b", "N V")
