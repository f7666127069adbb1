"""The violations of one pair are those that a trainer of the whole bitext finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from demotic.features.dense import Kind
from demotic.search.options import SearchOptions
from demotic.train.options import TrainOptions
from demotic.train.parts import find_parts
from demotic.train.sentence_violations import ViolationFinder
from tests.search.small_models import prepared_model
from tests.train.test_violations import bitext
from tests.train.violations import TRAINED, trainer_of


@pytest.mark.parametrize("kind", TRAINED)
@pytest.mark.parametrize("beam", [1, 20])
def test_one_pair_is_seen_as_in_training(kind: Kind, beam: int, tmp_path: Path) -> None:
    model = prepared_model(tmp_path, kind)
    text, search = bitext(model), SearchOptions(beam_size=beam, pop_limit=beam)
    options = TrainOptions(held_out="none")
    (part,) = find_parts(model, text, options, search, tmp_path / "parts")
    native: Any = part.native(None, None)
    trainer = trainer_of(kind, native, search, options, model.weights)
    source = part.pairs.sentences(native)
    finder = ViolationFinder(model, search)
    for sentence in range(0, part.pairs.reachable, 5):
        expected: dict[str, Any] = trainer.inspect(source, part.pairs.gold, sentence)
        pair = int(part.pairs.number[sentence])
        found = finder.find(text.source[pair], text.target[pair])
        assert found is not None
        assert [(one.gold, one.bad, one.holds_gold) for one in found.bins] == expected["bins"]
        assert (found.chosen, found.correct) == (expected["bin"], expected["correct"])
        assert found.violation == expected["violation"]


def test_an_unreachable_reference_has_none(tmp_path: Path) -> None:
    model = prepared_model(tmp_path)
    finder = ViolationFinder(model, SearchOptions())
    assert finder.find("das haus ist alt .", "something else entirely") is None
    assert finder.find("das haus ist alt .", "") is None


def test_the_search_can_be_stopped(tmp_path: Path) -> None:
    class Enough(Exception):  # noqa: N818
        pass

    def stop(_done: int, _total: int) -> None:
        raise Enough

    model = prepared_model(tmp_path)
    line = " ".join(["das haus ist alt ."] * 400)
    finder = ViolationFinder(model, SearchOptions(beam_size=1000, pop_limit=1000))
    with pytest.raises(Enough):
        finder.find(line, line.replace("das haus ist alt", "the house is old"), stop)
