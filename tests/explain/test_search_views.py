"""Beams and forests of real searches: complete, ranked, consistent with the translation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from demotic.explain.beam import beam_of, columns_of
from demotic.explain.forest_view import drawn_forest, forest_values, likely_part
from demotic.features.dense import Kind
from demotic.search.options import SearchOptions
from tests.search.small_models import prepared_model

LINE = "heute sehe ich das haus ."


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
@pytest.mark.parametrize("beam", [1, 3, 100])
def test_the_beam_is_ranked_and_holds_the_winner(kind: Kind, beam: int, tmp_path: Path) -> None:
    model = prepared_model(tmp_path, kind)
    decoder = model.decoder(SearchOptions(beam_size=beam, pop_limit=beam))
    (record,) = decoder.search([LINE], record="bins")
    found = beam_of(record, "i see the house today .", rows=4)
    assert found.translation == record.best.words
    for one in found.bins:
        shown = [hypothesis.member.rank for hypothesis in one.hypotheses]
        assert shown == sorted(set(shown))
        assert shown[: min(4, one.entered)] == list(range(1, min(4, one.entered) + 1))
        assert one.survived <= one.entered
        assert all(hypothesis.behind >= 0 for hypothesis in one.hypotheses)
        assert all(hypothesis.merged >= 1 for hypothesis in one.hypotheses)
    winners = [h for one in found.bins for h in one.hypotheses if h.member.winner]
    assert winners
    assert len(columns_of(found)) == len(found.bins)
    if kind == "phrase":
        last = found.bins[-1].hypotheses[0]
        assert last.agrees == (last.member.text == "i see the house today .")


def test_all_derivations_of_a_node_are_counted(tmp_path: Path) -> None:
    (record,) = prepared_model(tmp_path).decoder().search([LINE], record="bins")
    found = beam_of(record, rows=10_000)
    merged = sum(h.merged for one in found.bins for h in one.hypotheses)
    goal_edges = int(np.diff(record.forest.edge_offsets)[-1])
    assert merged == record.forest.edges - goal_edges


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
def test_the_likely_part_of_a_forest(kind: Kind, tmp_path: Path) -> None:
    model = prepared_model(tmp_path, kind)
    (record,) = model.decoder().search([LINE])
    small, large = likely_part(record, 1), likely_part(record, 100)
    best = record.forest.viterbi(record.edge_scores)
    assert small.edges == len(best[0])
    assert small.edges < large.edges <= 100
    values = forest_values(record, large)
    assert values["shown_edges"] == large.edges
    assert values["derivations"] == record.forest.number_of_derivations
    drawing = drawn_forest(record, large)
    assert drawing.count('class="flow') == large.edges
    assert drawing.count("<circle") == large.nodes
