"""Models of other toolkits lose nothing when imported, exported and imported again."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.errors import ModelError
from demotic.formats.exporting import ExportFormat, export_model
from demotic.formats.importing import import_model
from demotic.model import Model
from tests.external.where import models

pytestmark = pytest.mark.external

RULES = {
    "moses/tests/phrase.lexicalized-reordering/moses.ini": 41_915,
    "moses/tests/phrase.nbest-with-alignment/moses.ini": 4_813,
    "joshua/bn-en-hiero/joshua.config": 15_917,
    "joshua/lattice-short/joshua.config": 3,
    "cdec/australia/cdec.ini": 33_737,
    "cdec/lattice/cdec.ini": 7,
}
CONFIGURATIONS = {"moses": "moses.ini", "cdec": "cdec.ini"}
CASES = [
    *((config, "moses") for config in RULES),
    *((config, "cdec") for config in RULES if not config.startswith("moses")),
]


# Moses holds logarithms as probabilities, and near 1 a double has steps of this size.
STEP = 2.3e-16

Sides = tuple[object, ...]


def by_sides(model: Model) -> dict[Sides, tuple[dict[str, float], tuple[float, ...]]]:
    """Scores and counts of every rule."""
    store = model.rules.store
    return {
        (rule.source, rule.target, rule.links): (
            rule.scores,
            (store.count(number), store.target_count(number)),
        )
        for number, rule in enumerate(model.rules)
    }


def assert_same_rules(first: Model, second: Model, toolkit: str) -> None:
    """Moses has its own names for scores; cdec keeps names and leaves zeros and counts out."""
    ours, theirs = by_sides(first), by_sides(second)
    assert ours.keys() == theirs.keys()
    for sides, (scores, counts) in ours.items():
        again, counts_again = theirs[sides]
        if toolkit == "cdec":
            assert {k: v for k, v in scores.items() if v} == {k: v for k, v in again.items() if v}
        else:
            pairs = zip(scores.values(), again.values(), strict=True)
            assert all(abs(a - b) <= STEP for a, b in pairs), sides
            assert counts == counts_again


@pytest.mark.parametrize(("config", "toolkit"), CASES)
def test_nothing_is_lost(config: str, toolkit: ExportFormat, tmp_path: Path) -> None:
    folder = models()
    look_in = [folder / "moses" / "models"]
    first = import_model(folder / config, tmp_path / "first", look_in=look_in).model
    assert len(first.rules) == RULES[config]
    export_model(first, toolkit, tmp_path / "out")
    second = import_model(tmp_path / "out" / CONFIGURATIONS[toolkit], tmp_path / "second").model
    named = toolkit == "cdec"
    assert_same_rules(first, second, toolkit)
    assert _weights(second, named=named) == pytest.approx(_weights(first, named=named))
    for name in ("distortion_limit", "pop_limit", "span_limit"):
        assert second.settings.get(name) == first.settings.get(name)


def _weights(model: Model, *, named: bool) -> object:
    """The cost of a copied unknown word is a single number in cdec and in Moses."""
    weights = dict(model.weights)
    copied = weights.pop("pass_through", 0) - 100 * weights.pop("unknown_word")
    if model.settings.get("unknown_phrase_penalty"):
        copied += weights["phrase_penalty"]
    values = {**weights, "copied": copied}
    if not named:
        return list(values.values())
    used = {name for rule in model.rules for name, score in rule.scores.items() if score}
    unused = set(model.rules.store.score_names) - used
    return {name: value for name, value in values.items() if name not in unused}


def test_a_phrase_model_is_not_for_cdec(tmp_path: Path) -> None:
    config = models() / "moses/tests/phrase.early-distortion-cost.kenlm/moses.ini"
    model = import_model(config, tmp_path / "model").model
    assert model.settings["early_distortion"] is True
    with pytest.raises(ModelError, match="export it to Moses"):
        export_model(model, "cdec", tmp_path / "out")


def test_verbs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = str(models() / "cdec/lattice/cdec.ini")
    model, out = str(tmp_path / "model"), str(tmp_path / "out")
    assert run(["import", config, "-o", model]) == 0
    assert "Hiero model\n  7 rules" in capsys.readouterr().out
    assert run(["import", config, "-o", model]) == 2
    assert "a model exists already" in capsys.readouterr().err
    assert run(["export", model, "--format", "cdec", "-o", out, "--json"]) == 0
    assert '"grammar.gz"' in capsys.readouterr().out
    assert run(["export", str(tmp_path / "gone"), "--format", "cdec", "-o", out]) == 2
