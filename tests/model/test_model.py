"""Model directories: made, opened, derived from each other, and refused if incomplete."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from demotic._core import VocabularyBuilder
from demotic.errors import Error, FormatError, IoError, ModelError
from demotic.features.dense import dense_features
from demotic.features.weights import Weights
from demotic.formats.tables import TableFile, read_tables
from demotic.model import Model
from demotic.model.file import ModelInfo, Parts


@pytest.fixture
def model(tmp_path: Path) -> Model:
    home = tmp_path / "model"
    home.mkdir()
    (tmp_path / "table").write_text("a ||| x ||| 0.5 0.5 0.5 0.5\nb ||| y ||| 1 1 1 1\n")
    vocabulary = VocabularyBuilder()
    read_tables([TableFile(tmp_path / "table", "moses_phrases")], vocabulary, home / "rules.bin")
    vocabulary.finish().save(str(home / "vocabulary.bin"))
    (home / "lm-0.arpa").write_text("\\data\\\n")
    (home / "preparation.toml").write_text('demotic = "0.1.0"\n')
    info = ModelInfo(
        kind="phrase",
        parts=Parts(language_models=("lm-0.arpa",), preparation="preparation.toml"),
        source_language="fr",
        search={"beam_size": 30, "early_distortion": True, "threshold": 0.5, "name": 'a "b"'},
        options={"max_phrase": 7},
    )
    names = dense_features("phrase", [f"{x}" for x in _scores()], 1)
    return Model.create(home, info, Weights.default(names))


def _scores() -> list[str]:
    return [
        "source_given_target",
        "lexical_source_given_target",
        "target_given_source",
        "lexical_target_given_source",
    ]


def test_saved_and_loaded(model: Model) -> None:
    again = Model.load(model.path)
    assert again.info == model.info
    assert dict(again.weights) == dict(model.weights)
    assert [str(rule) for rule in again.rules] == ["[X] ||| a ||| x", "[X] ||| b ||| y"]
    assert again.language_models == (model.path / "lm-0.arpa",)
    assert "2 rules" in repr(again)
    assert ", 1 language model, " in repr(again)
    again.verify()


def test_derived_models_share_the_big_files(model: Model, tmp_path: Path) -> None:
    tuned = model.derive(
        tmp_path / "tuned",
        weights=model.weights.replace({"distortion": 9}),
        search={"beam_size": 60},
        origin={"method": "mert"},
    )
    assert tuned.weights["distortion"] == 9
    assert model.weights["distortion"] == 0.3
    assert tuned.settings == {**model.settings, "beam_size": 60}
    assert tuned.info.origin == {"method": "mert"}
    for name in model.info.parts.big:
        assert os.path.samefile(model.part(name), tuned.part(name))
    for name in model.info.parts.small:
        assert not os.path.samefile(model.part(name), tuned.part(name))
    assert not (tuned.path / ".demotic-lock").exists()


def test_without_links_files_are_copied(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.link

    def link(source: Path, target: Path) -> None:
        if Path(target).suffix == ".bin":
            raise OSError(18, "another file system")
        real(source, target)

    monkeypatch.setattr(os, "link", link)
    copy = model.save(tmp_path / "copy")
    assert not os.path.samefile(model.part("rules.bin"), copy.part("rules.bin"))
    copy.verify()


def test_a_model_is_not_written_over(model: Model, tmp_path: Path) -> None:
    model.save(tmp_path / "copy")
    with pytest.raises(Error, match="a model exists already"):
        model.save(tmp_path / "copy")
    with pytest.raises(Error, match="the directory of the model itself"):
        model.save(model.path)


def edit(model: Model, old: str, new: str, name: str = "model.toml") -> None:
    path = model.path / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("format = 1", "format = 2", "a model of format 2; expected format 1"),
        ("format = 1\n", "", "a model of format None"),
        ('kind = "phrase"', 'kind = "tree"', 'kind is "tree", expected one of phrase, hiero'),
        ('kind = "phrase"', "kind = ", "text that is not TOML"),
        ('kind = "phrase"', 'knid = "phrase"', "unknown key knid (did you mean kind?)"),
        ('kind = "phrase"', "", "kind is missing, expected one of phrase, hiero"),
        ("language_models = [", "language_models = [3, ", "language_models[0] is 3, expected the"),
        ('rules = "rules.bin"', 'rules = ""', 'parts.rules is "", expected the name of a file'),
        ('digest = "', 'digest = "x', "expected 32 hexadecimal digits"),
        ("bytes = ", "bytes = -", "expected a whole number of at least 0"),
        ("[search]", "[search]\nlimits = []", "search.limits is a list, expected text, a number"),
        ("[search]", "surprise = 1\n\n[search]", "unknown key parts.surprise"),
    ],
)
def test_faults_of_model_toml(model: Model, old: str, new: str, found: str) -> None:
    edit(model, old, new)
    with pytest.raises(Error) as caught:
        Model.load(model.path)
    assert found in str(caught.value)
    assert str(model.path / "model.toml") in str(caught.value)


def test_all_faults_are_told_at_once(model: Model) -> None:
    edit(model, 'kind = "phrase"', 'kind = "tree"\nx = 1')
    edit(model, 'weights = "weights.tsv"', "weights = 3")
    with pytest.raises(FormatError) as caught:
        Model.load(model.path)
    for fault in ("kind is", "unknown key x", "parts.weights is 3"):
        assert fault in str(caught.value)


@pytest.mark.parametrize("place", ["../rules.bin", "/elsewhere/rules.bin", "a/../../rules.bin"])
def test_parts_stay_inside(model: Model, place: str) -> None:
    edit(model, 'rules = "rules.bin"', f'rules = "{place}"')
    with pytest.raises(Error, match="outside the model directory"):
        Model.load(model.path)


def test_links_to_the_outside_need_trust(model: Model, tmp_path: Path) -> None:
    (model.path / "rules.bin").rename(tmp_path / "rules.bin")
    (model.path / "rules.bin").symlink_to(tmp_path / "rules.bin")
    with pytest.raises(Error, match="outside the model directory"):
        Model.load(model.path)
    assert len(Model.load(model.path, allow_outside=True).rules) == 2


def test_damaged_parts(model: Model) -> None:
    rules = model.path / "rules.bin"
    data = bytearray(rules.read_bytes())
    data[len(data) // 2] ^= 1
    rules.write_bytes(data)
    with pytest.raises(Error):
        Model.load(model.path)
    rules.write_bytes(data[:-64])
    with pytest.raises(ModelError, match=r"rules\.bin: a file that has changed"):
        Model.load(model.path, verify=False)
    rules.unlink()
    with pytest.raises(IoError, match=r"rules\.bin: a part of the model cannot be read"):
        Model.load(model.path)


def test_changed_language_models_are_found(model: Model) -> None:
    (model.path / "lm-0.arpa").write_text("\\dada\\\n")
    with pytest.raises(
        ModelError, match=r"lm-0\.arpa: a file that has changed since the model was written"
    ):
        Model.load(model.path).verify()


def test_weights_must_fit(model: Model) -> None:
    edit(model, "distortion\t0.3\n", "", "weights.tsv")
    with pytest.raises(ModelError, match=r"weights\.tsv: no weight for distortion"):
        Model.load(model.path)


def test_no_model_there(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no model in it; expected a directory that demotic make"):
        Model.load(tmp_path)


def test_an_interrupted_derivation_is_no_model(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: ModelInfo, directory: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ModelInfo, "write", fail)
    with pytest.raises(KeyboardInterrupt):
        model.save(tmp_path / "half")
    monkeypatch.undo()
    assert not (tmp_path / "half").exists()
    assert len(model.save(tmp_path / "half").rules) == 2  # the same command again


def test_info_survives(model: Model) -> None:
    info = replace(model.info, target_language="en", files={})
    info.write(model.path)
    assert ModelInfo.read(model.path) == info
