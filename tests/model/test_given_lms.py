"""`build --lm`: finished language models, ARPA or binary, in place of one of the target side."""

from __future__ import annotations

from pathlib import Path

import pytest

from bundled_corpus import generate, write
from demotic.cli.main import run
from demotic.model import Model


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(generate(3, train=120, dev=5, test=5), tmp_path)
    monkeypatch.chdir(tmp_path / "tok")
    return tmp_path / "tok"


def build(out: str, *more: str) -> int:
    text = ["--src", "train.zh", "--tgt", "train.en", "--kind", "phrase", "--preset", "fast"]
    return run(["build", *text, "-o", out, "--quiet", *more])


@pytest.mark.parametrize("name", ["x.arpa", "x.arpa.gz", "x.lm"])
def test_a_model_of_the_same_text_is_the_same(home: Path, name: str) -> None:
    assert run(["lm", "train.en", "-o", name, "--memory", "1M", "--quiet"]) == 0
    assert build("own") == 0
    assert build("given", "--lm", name) == 0
    for file in ("lm-0.lm", "rules.bin", "weights.tsv"):
        assert (home / "given" / file).read_bytes() == (home / "own" / file).read_bytes()
    assert Model.load("given").info.origin["lm_text"]  # training cannot estimate it without a fold


def test_several_language_models(home: Path) -> None:
    """Of texts first, then the finished ones; all verbs find them."""
    assert run(["lm", "test.en.1", "-o", "x.arpa", "--order", "2", "--quiet"]) == 0
    given = ["--lm-text", "train.en", "--lm", "x.arpa", "--quantize", "8"]
    assert build("model", *given) == 0
    model = Model.load("model")
    assert [one.order for one in model.native_language_models] == [4, 2]
    assert all(one.quantized for one in model.native_language_models)
    tune = ["tune", "model", "--src", "dev.zh", "--ref", "dev.en.1", "--rounds", "1", "-o", "tuned"]
    tokens = ["--src-tokenized", "--ref-tokenized", "--quiet", "--no-confidence"]
    assert run([*tune, *tokens]) == 0
    train = ["train", "model", "--src", "train.zh", "--tgt", "train.en", "--epochs", "1"]
    dev = ["--dev-src", "dev.zh", "--dev-ref", "dev.en.1", "--folds", "2", "--features", "z14"]
    assert run([*train, *dev, "-o", "trained", "--min-bleu", "0", *tokens[2:]]) == 0


def test_a_changed_file_is_read_again(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lm", "test.en.1", "-o", "x.arpa", "--quiet"]) == 0
    assert build("model", "--lm", "x.arpa") == 0
    first = (home / "model" / "lm-0.lm").read_bytes()
    assert run(["lm", "train.en", "-o", "x.arpa", "--quiet", "--force"]) == 0
    assert build("model", "--lm", "x.arpa") == 0
    assert (home / "model" / "lm-0.lm").read_bytes() != first
    assert build("other", "--lm", "train.en") == 2
    assert "train.en" in capsys.readouterr().err
    assert build("other", *["--lm", "x.arpa"] * 5) == 2
    assert "one per --lm-text, --lm and --class-lm" in capsys.readouterr().err
