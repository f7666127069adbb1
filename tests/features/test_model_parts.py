"""Models with sparse weights: attached, shared, shown, and refused if they do not fit."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from demotic import _core
from demotic.cli.main import run
from demotic.errors import Error, ModelError
from demotic.features import Templates
from demotic.features.layers import LayerTexts, make_layers
from demotic.features.sparse_part import compile_templates
from demotic.features.summary import summary
from demotic.model import Model
from demotic.text.brown import BrownOptions
from tests.search.small_models import pairs, token_model


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sparse")


@pytest.fixture(scope="module")
def plain(home: Path) -> Model:
    return token_model(home)


@pytest.fixture(scope="module")
def layers(plain: Model, home: Path) -> list[_core.ClassLayer]:
    texts = LayerTexts(source=home / "t.de", target=home / "t.en")
    names = Templates.find("default+nonlocal").layers
    return make_layers(names, plain.vocabulary, texts, BrownOptions(classes=8))


@pytest.fixture(scope="module")
def learned(plain: Model, home: Path, layers: list[_core.ClassLayer]) -> Model:
    templates = Templates.find("default+nonlocal")
    path = home / "weights.bin"
    _learn(plain, templates, layers, path)
    return plain.derive(home / "learned", sparse=path, templates=templates, classes=layers)


def _learn(
    model: Model, templates: Templates, layers: list[_core.ClassLayer], path: Path
) -> dict[int, float]:
    """Weights for all rules, and for some pairs of rules, as after training."""
    features = compile_templates(templates, layers, model.rules, model.kind)
    rng = random.Random(1)
    words = np.array([model.vocabulary.find(word) for word in pairs()[0][0].split()], np.int32)
    keys = [key for rule in range(len(model.rules)) for key in features.rule_keys(rule).tolist()]
    keys += features.span_keys(words, 2, 0, 1).tolist()
    keys += features.mixed_keys(0, words, 2, 1, 2).tolist()
    keys += features.joint_keys(1, (3, 4), 0).tolist()
    weights = {key: float(np.float32(rng.uniform(-1, 1))) for key in keys}
    table = _core.SparseTable(features.layout)
    values = np.array(list(weights.values()), np.float32)
    table.add(np.array(list(weights), np.uint64), values, 0)
    _core.store_table(str(path), table, 0)
    return weights


def test_layers_are_those_that_templates_need(plain: Model, layers: list[_core.ClassLayer]) -> None:
    assert [one.name for one in layers] == list(Templates.find("default+nonlocal").layers)
    by_name = {one.name: one for one in layers}
    word = plain.vocabulary.find("haus")
    first = by_name["source.first_char"]
    assert first.class_name(first[word]) == "h"
    cluster, prefix = by_name["target.cluster"], by_name["target.prefix4"]
    house = plain.vocabulary.find("house")
    bits = cluster.class_name(cluster[house])
    assert set(bits) <= {"0", "1"}
    assert bits.startswith(prefix.class_name(prefix[house]))
    # Each side is clustered on its own text.
    assert cluster.class_name(cluster[word]) == "-"


def test_tags_come_from_lists_and_from_tokens(plain: Model, home: Path, tmp_path: Path) -> None:
    (tmp_path / "list").write_text("haus\tNN\nist\tVB\n")
    lines = (home / "t.de").read_text(encoding="utf-8").splitlines()
    tags = ("".join("V " if w == "ist" else "X " for w in line.split()) for line in lines)
    (tmp_path / "tokens").write_text("".join(f"{line.strip()}\n" for line in tags))
    for file, expected in (("list", ("NN", "VB")), ("tokens", ("X", "V"))):
        texts = LayerTexts(source=home / "t.de", source_tags=tmp_path / file)
        (layer,) = make_layers(["source.tag"], plain.vocabulary, texts)
        found = [plain.vocabulary.find(word) for word in ("haus", "ist")]
        assert tuple(layer.class_name(layer[word]) for word in found) == expected


def test_missing_layers_are_named(plain: Model) -> None:
    with pytest.raises(Error, match=r"no source text; expected .* \(.*z14\)"):
        make_layers(["source.cluster"], plain.vocabulary, LayerTexts())
    with pytest.raises(Error, match="no tags"):
        make_layers(["target.tag"], plain.vocabulary, LayerTexts())


def test_a_model_with_sparse_weights_has_one_more_dense_feature(
    plain: Model, learned: Model
) -> None:
    assert plain.sparse is None
    assert learned.sparse is not None
    assert list(learned.weights) == [*plain.weights, "sparse"]
    assert learned.weights["sparse"] == 1.0
    assert f"{len(learned.sparse):,} sparse ones" in repr(learned)
    assert isinstance(learned.native, _core.PhraseModel)
    learned.verify()


def test_derived_models_keep_their_sparse_part(learned: Model, tmp_path: Path) -> None:
    weights = learned.weights.replace({"sparse": 0.5})
    again = learned.derive(tmp_path / "again", weights=weights)
    assert again.sparse is not None
    assert learned.sparse is not None
    assert again.weights["sparse"] == 0.5
    assert again.sparse.templates == learned.sparse.templates
    assert [a.tolist() for a in again.sparse.weights.arrays()] == [
        a.tolist() for a in learned.sparse.weights.arrays()
    ]


def test_other_weights_for_the_same_templates(
    plain: Model, learned: Model, layers: list[_core.ClassLayer], tmp_path: Path
) -> None:
    assert learned.sparse is not None
    key = int(learned.sparse.weights.arrays()[0][5])
    _core.store_weights(
        str(tmp_path / "one"),
        np.array([key], np.uint64),
        np.array([2.5], np.float32),
        learned.sparse.features.layout,
    )
    one = learned.derive(tmp_path / "model", sparse=tmp_path / "one")
    assert one.sparse is not None
    assert len(one.sparse) == 1
    assert one.sparse.weights.weight(key) == 2.5
    templates = Templates.find("ruleid")
    weights = _learn(plain, templates, [], tmp_path / "rules")
    other = learned.derive(
        tmp_path / "other", sparse=tmp_path / "rules", templates=templates, classes=[]
    )
    assert other.sparse is not None
    assert other.info.parts.classes == ()
    assert not (other.path / "classes").exists()
    assert sorted(other.sparse.weights.arrays()[0].tolist()) == sorted(weights)


def test_what_does_not_fit_is_refused(learned: Model, plain: Model, tmp_path: Path) -> None:
    with pytest.raises(Error, match="without weights"):
        plain.derive(tmp_path / "m", templates=Templates.find("ruleid"))
    with pytest.raises(Error, match="without templates"):
        plain.derive(tmp_path / "m", sparse=learned.path / "sparse.bin")
    copy = learned.derive(tmp_path / "copy")
    text = (copy.path / "features.templates").read_text(encoding="utf-8")
    (copy.path / "features.templates").write_text(text.replace("rule\n", "", 1))
    with pytest.raises(ModelError, match=r"sparse\.bin: sparse weights learned with other"):
        Model.load(copy.path)
    (copy.path / "model.toml").write_text(
        (copy.path / "model.toml").read_text(encoding="utf-8").replace('sparse = "sparse.bin"', "")
    )
    with pytest.raises(ModelError, match="but not both"):
        Model.load(copy.path)


def test_the_summary_adds_up(learned: Model) -> None:
    assert learned.sparse is not None
    keys, weights = learned.sparse.weights.arrays()
    by_name = {
        learned.sparse.features.name(key): weight
        for key, weight in zip(keys.tolist(), weights.tolist(), strict=True)
    }
    found = summary(learned.sparse, top=5)
    assert sum(one.features for one in found.families) == len(keys)
    assert sum(one.features for one in found.templates) == len(keys)
    mass = sum(abs(weight) for weight in by_name.values())
    assert sum(one.mass for one in found.families) == pytest.approx(mass)
    ranked = sorted(by_name.items(), key=lambda item: item[1])
    assert found.negative[""] == ranked[:5]
    assert found.positive[""] == ranked[:-6:-1]
    grouped = summary(learned.sparse, top=2, by_template=True)
    rules = [item for item in ranked if item[0].startswith("rule=")]
    assert grouped.negative["rule"] == rules[:2]
    assert grouped.positive["rule"] == rules[:-3:-1]


def test_weights_of_a_model_without_sparse_features(
    plain: Model, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["weights", str(plain.path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[: len(plain.weights)]] == list(plain.weights)
    assert lines[-1] == "no sparse features"
    assert run(["weights", str(plain.path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "dense": dict(plain.weights),
        "sparse": None,
        "tuned": None,
    }


def test_weights_of_a_model_with_them(learned: Model, capsys: pytest.CaptureFixture[str]) -> None:
    assert learned.sparse is not None
    assert run(["weights", str(learned.path), "--top", "3"]) == 0
    shown = capsys.readouterr().out
    found = summary(learned.sparse, top=3)
    for name, weight in found.positive[""] + found.negative[""]:
        assert f"{weight:>10.6f}  {name}\n" in shown
    for group in found.families + found.templates:
        assert any(
            line.startswith(f"{group.name} ") and f" {group.features:,} " in line
            for line in shown.splitlines()
        )
    assert run(["weights", str(learned.path), "--json", "--group", "--top", "1"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert set(values["sparse"]["positive"]) == set(learned.sparse.templates)
