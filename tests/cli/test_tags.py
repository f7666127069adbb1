"""Tags of tokens on the command line: training, tuning, translating, explaining, and refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.model import Model
from tests.search.small_models import prepared_model, token_model

TEMPLATES = "source.first:tag target.first:tag\nsource.before:tag rule\n"
TRAIN = (
    "train tokens --src t.de --tgt t.en --dev-src t.de --dev-ref t.en --features own.templates "
    "--held-out none --epochs 1 --start zero --rate 1 --dense-rate 1 --no-balance --keep last "
    "--threads 1 --quiet"
).split()
TAGS = "--src-tags de.tags --tgt-tags en.tags".split()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tags")
    token_model(folder)
    prepared_model(folder)
    lines = (folder / "t.de").read_text("utf-8").splitlines()
    rows = [[_tag(word, i) for word in line.split()] for i, line in enumerate(lines)]
    (folder / "de.tags").write_text("".join(f"{' '.join(row)}\n" for row in rows))
    (folder / "en.tags").write_text("house\tNN\nis\tVB\n")
    (folder / "own.templates").write_text(TEMPLATES)
    return folder


def _tag(word: str, line: int) -> str:
    """Of most words by their form, of "das" by the line."""
    return ("ART", "PRON")[line % 2] if word == "das" else word[:1].upper()


@pytest.fixture
def home(built: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(built)
    return built


@pytest.fixture
def trained(home: Path, capfd: pytest.CaptureFixture[str]) -> str:
    if not (home / "trained").exists():
        order = [*TRAIN, *TAGS, "--dev-src-tags", "de.tags", "-o", "trained"]
        assert run(order) == 0, capfd.readouterr().err
        capfd.readouterr()
    return "trained"


def test_a_trained_model_keeps_its_tags(trained: str) -> None:
    model = Model.load(trained)
    assert model.sparse is not None
    assert {one.name for one in model.sparse.layers} == {"source.token_tag", "target.tag"}
    names = map(model.sparse.features.name, model.sparse.weights.arrays()[0].tolist())
    assert any("=ART" in name for name in names)


def _scores(capfd: pytest.CaptureFixture[str], *more: str) -> list[str]:
    assert run(["translate", "trained", "t.de", "--scores", "--quiet", *more]) == 0
    return [line.partition("\t")[0] for line in capfd.readouterr().out.splitlines()]


def test_translations_depend_on_the_tags(
    trained: str, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tagged = _scores(capfd, "--src-tags", "de.tags")
    bare = _scores(capfd)
    assert len(tagged) == len(bare)
    assert tagged != bare
    order = "tune trained --src t.de --ref t.en --rounds 1 --quiet -o tuned --force".split()
    assert run([*order, "--src-tags", "de.tags"]) == 0
    assert Model.load("tuned").sparse is not None
    capfd.readouterr()
    words = (home / "t.de").read_text("utf-8").splitlines()
    at = next(i for i in range(len(tagged)) if tagged[i] != bare[i])
    (home / "one.tags").write_text((home / "de.tags").read_text().splitlines()[at] + "\n")
    order = ["explain", "trained", words[at], "--src-tags", "one.tags", "--json"]
    assert run(order) == 0
    assert json.loads(capfd.readouterr().out)["score"] == pytest.approx(float(tagged[at]), abs=1e-3)


def test_the_next_line_tunes_with_the_tags_of_the_dev_set(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    order = [one for one in TRAIN if one != "--quiet"]
    assert run([*order, *TAGS, "--dev-src-tags", "de.tags", "-o", "said"]) == 0
    line = "demotic tune said --src t.de --ref t.en --src-tags de.tags -o said-tuned"
    assert line in capfd.readouterr().err


def test_tags_of_words_make_no_difference_between_tokens(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (home / "de.list").write_text("das\tART\nhaus\tNN\n")
    assert run([*TRAIN, "--src-tags", "de.list", "--tgt-tags", "en.tags", "-o", "listed"]) == 0
    model = Model.load("listed")
    assert model.sparse is not None
    assert not model.sparse.features.has_token_tags
    capfd.readouterr()
    assert run("translate listed t.de --src-tags de.tags".split()) == 2
    assert "listed: tags of tokens for a model without features" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("", "templates with tags of the source, but no tags"),
        ("--src-tags de.tags", "templates with tags of the target, but no tags"),
        ("--src-tags de.tags --features z14", "no template looks at them"),
        ("--src-tags short.tags --tgt-tags en.tags", "short.tags line 3: 2 tags; expected 5"),
        ("--src-tags few.tags --tgt-tags en.tags", "few.tags: 1 line of tags"),
        ("--src-tags many.tags --tgt-tags en.tags", "many.tags line 65: tags for another"),
        ("--src-tags no.tags --tgt-tags en.tags", "no.tags"),
        ("--src-tags de.tags --tgt-tags bad.tags", "bad.tags line 1: 1 tag; expected 5"),
        ("--src-tags de.tags --tgt-tags de.tags --tgt t.en", "tags of the tokens of several"),
    ],
)
def test_refused_tags(
    home: Path, capfd: pytest.CaptureFixture[str], more: str, message: str
) -> None:
    lines = (home / "de.tags").read_text().splitlines()
    files = {"short": [*lines[:2], "A B", *lines[3:]], "few": lines[:1], "many": [*lines, "A"]}
    for name, rows in {**files, "bad": ["NN"] * len(lines)}.items():
        (home / f"{name}.tags").write_text("".join(f"{row}\n" for row in rows))
    assert run([*TRAIN, *more.split(), "-o", "refused"]) == 2
    shown = capfd.readouterr().err
    assert message in shown
    assert "Traceback" not in shown
    assert not (home / "refused").exists()


def test_a_model_with_its_own_features_takes_tags_of_tokens_only(
    trained: str, capfd: pytest.CaptureFixture[str]
) -> None:
    order = [one for one in TRAIN if one not in ("--features", "own.templates")]
    order[1] = trained
    assert run([*order, *TAGS, "-o", "again"]) == 2
    assert "tags of words for a model that has its own" in capfd.readouterr().err
    assert run([*order, "--src-tags", "de.tags", "-o", "again"]) == 0, capfd.readouterr().err


def test_raw_text_and_several_files_are_refused(
    trained: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run("translate trained t.de t.de --src-tags de.tags".split()) == 2
    assert "--src-tags takes only one FILE" in capfd.readouterr().err
    assert run("tune phrase --src t.de --ref t.en --src-tags de.tags -o raw".split()) == 2
    shown = capfd.readouterr().err
    assert "de.tags: tags of tokens, but raw text" in shown
    assert "--src-tokenized" in shown
    assert run("translate tokens t.de --src-tags de.tags".split()) == 2
    assert "tags of tokens for a model without features of them" in capfd.readouterr().err
