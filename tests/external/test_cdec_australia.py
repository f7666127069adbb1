"""cdec's Australia test: the forest without a language model has its nodes, edges and paths.

cdec counts one node for each nonterminal over each span, including S and the goal, and one edge for
each use of a rule, including glue and goal rules, as far as the goal uses them.  So do our forests:
without a language model all hypotheses of a bin are recombined.
"""

from __future__ import annotations

import pytest

from demotic.formats.importing import import_model
from demotic.model import Model
from demotic.search import SearchOptions
from tests.external.where import models
from tests.search.tiny_parts import HUGE

pytestmark = pytest.mark.external


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    config = models() / "cdec" / "australia" / "cdec.ini"
    return import_model(config, tmp_path_factory.mktemp("cdec") / "model").model


def gold() -> dict[str, str]:
    text = (models() / "cdec" / "australia" / "gold.statistics").read_text(encoding="utf-8")
    return dict(line.split() for line in text.splitlines())


def source() -> str:
    text = (models() / "cdec" / "australia" / "input.txt").read_text(encoding="utf-8")
    return text.split(" ||| ")[0]


@pytest.mark.parametrize("cubes", [True, False])
def test_forest_without_language_model(model: Model, cubes: bool) -> None:
    effort = {"cube_pruning": cubes, "pop_limit": HUGE, "beam_size": HUGE, "rule_limit": 0}
    options = SearchOptions.for_model(model, effort)
    assert options.span_limit == 10  # cdec's default
    (result,) = model.decoder(options).search([source()])
    forest, wanted = result.forest, gold()
    assert not result.fell_back
    assert forest.nodes == int(wanted["-lm_nodes"])
    assert forest.edges == int(wanted["-lm_edges"])
    assert f"{float(forest.number_of_derivations):.6g}" == wanted["-lm_paths"]
