"""Forced decoding of a corpus: forests as files, and as forests of the package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from demotic.errors import ModelError
from demotic.force import ForceOptions, force
from demotic.force.gold import GoldForests
from demotic.model import Model
from tests.search.small_models import pairs, prepared_model


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Model:
    return prepared_model(tmp_path_factory.mktemp("models"), request.param)


def texts(model: Model) -> tuple[list[str], list[list[str]]]:
    text = model.raw_text
    chosen = [*pairs()[:20], ("Das Xylophon ist alt.", "The Xylophon is old.")]
    sources = [text.prepared(source) for source, _ in chosen]
    return sources, [[text.prepared_reference(target)] for _, target in chosen]


def test_every_derivation_yields_the_reference(model: Model, tmp_path: Path) -> None:
    sources, references = texts(model)
    found = force(model, sources, references, path=tmp_path / "gold.bin", threads=2)
    gold = GoldForests.open(tmp_path / "gold.bin", model, sources)
    assert found.reachable.sum() == len(gold) >= 20
    for i in range(len(gold)):
        forest, pair = gold.forest(i), gold[i].pair
        assert forest.number_of_derivations == found.derivations[pair]
        some = forest.kbest(50, np.zeros(forest.edges))
        words = {tuple(row) for row in forest.yields(some)}
        source = model.decoder().sentences([sources[pair]])
        assert {" ".join(map(source.word, row)) for row in words} == {references[pair][0]}
        assert len({*forest.node_bin[:-1].tolist()}) == len(bins(gold, i, model.kind))


def bins(gold: GoldForests, i: int, kind: str) -> set[tuple[int, ...]]:
    """By numbers of covered words, or by labels and spans; the start of phrases is in none."""
    one = gold[i]
    if kind == "phrase":
        return {(covered,) for covered in one.source_begin.tolist()[1:]}
    return {
        *zip(one.label.tolist(), one.source_begin.tolist(), one.source_end.tolist(), strict=True)
    }


def test_prefixes_are_for_phrases(model: Model) -> None:
    if model.kind == "phrase":
        return
    sources, references = texts(model)
    with pytest.raises(ModelError, match="prefixes of pairs for a Hiero model"):
        force(model, sources, references, ForceOptions(prefixes="longest"))
