"""Every copy of a model carries its preparation: true case, segmenters and choices."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bundled_corpus import generate, write
from demotic.cli.main import run
from demotic.errors import ModelError
from demotic.model import Model

LEARNT = ("truecase.zh", "segmenter.zh", "truecase.en")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Raw text and a model of it, by the defaults of `prepare` and `build`."""
    folder = tmp_path_factory.mktemp("made")
    write(generate(3, train=150, dev=10, test=2), folder)
    raw = [str(folder / "raw" / name) for name in ("train.zh", "train.en")]
    prepared, model = str(folder / "prepared"), str(folder / "model")
    languages = ["--src-lang", "zh", "--tgt-lang", "en"]
    assert run(["prepare", *languages, *raw, "-o", prepared, "--quiet"]) == 0
    sides = ["--src", f"{prepared}/corpus.zh", "--tgt", f"{prepared}/corpus.en"]
    assert run(["build", *sides, "-o", model, "--quiet"]) == 0
    return folder


def tuned(folder: Path, out: Path) -> None:
    files = ["--src", f"{folder}/raw/dev.zh", "--ref", f"{folder}/raw/dev.en.0"]
    assert run(["tune", f"{folder}/model", *files, "-o", str(out), "--rounds", "1"]) == 0


def trained(folder: Path, out: Path) -> None:
    bitext = ["--src", f"{folder}/raw/train.zh", "--tgt", f"{folder}/raw/train.en"]
    dev = ["--dev-src", f"{folder}/raw/dev.zh", "--dev-ref", f"{folder}/raw/dev.en.0"]
    flags = ["-o", str(out), "--epochs", "1"]
    assert run(["train", f"{folder}/model", *bitext, *dev, *flags]) == 0


def saved(folder: Path, out: Path) -> None:
    Model.load(folder / "model").save(out)


@pytest.mark.parametrize("copied", [tuned, trained, saved])
def test_a_copy_takes_raw_text(
    made: Path, tmp_path: Path, copied: Callable[[Path, Path], None]
) -> None:
    copied(made, tmp_path / "first")
    model = Model.load(tmp_path / "first")
    assert model.info.parts.learnt == LEARNT
    assert all((tmp_path / "first" / name).exists() for name in LEARNT)
    again = model.save(tmp_path / "second")  # a copy of a copy
    raw = (made / "raw" / "dev.zh").read_text(encoding="utf-8").splitlines()[:3]
    translations = again.translate(raw)
    assert translations == model.translate(raw)
    assert all(text[0].isupper() for text in translations)


def test_what_was_learnt_is_on_record(made: Path, tmp_path: Path) -> None:
    copy = Model.load(made / "model").save(tmp_path / "copy")
    path = tmp_path / "copy" / "truecase.en"
    text = path.read_text(encoding="utf-8")
    path.unlink()  # it is shared with the model
    path.write_text(text + "more\t1\n", encoding="utf-8")
    with pytest.raises(ModelError, match="a file that has changed since the model was written"):
        Model.load(tmp_path / "copy")
    assert copy.info.files["segmenter.zh"].bytes > 0


def test_copied_words_keep_their_case(made: Path) -> None:
    (text,) = Model.load(made / "model").translate(["Zyxwvut iPhone"])
    assert {"Zyxwvut", "iPhone"} <= set(text.replace(".", " ").split())
