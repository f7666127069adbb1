"""Parse trees on the command line: training, tuning, translating, explaining, and refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.model import Model
from tests.learn.untuned import untuned
from tests.search.small_models import prepared_model, token_model

TUNE = (
    "tune untuned --src t.de --ref t.en --features syntax --rounds 2 --keep last --threads 1 "
    "--quiet"
)
TRAIN = (
    "train tokens --src t.de --tgt t.en --dev-src t.de --dev-ref t.en --features syntax-fine "
    "--held-out none --epochs 1 --start zero --rate 1 --dense-rate 1 --no-balance --keep last "
    "--threads 1 --quiet"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trees")
    token_model(folder)
    untuned(prepared_model(folder), folder / "untuned")
    lines = (folder / "t.de").read_text("utf-8").splitlines()
    (folder / "trees").write_text("".join(f"{_tree(line.split())}\n" for line in lines))
    (folder / "syntax").write_text("family syntax-fine min-count=2\n")
    return folder


def _tree(words: list[str]) -> str:
    """The first two words are an NP, the rest a VP."""
    leaves = [f"(X {word})" for word in words]
    return f"(IP (NP {' '.join(leaves[:2])}) (VP {' '.join(leaves[2:])}))" if leaves[2:] else "()"


@pytest.fixture
def home(built: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(built)
    return built


@pytest.fixture
def tuned(home: Path, capfd: pytest.CaptureFixture[str]) -> str:
    if not (home / "tuned").exists():
        order = f"{TUNE} --tokenized --trees trees -o tuned"
        assert run(order.split()) == 0, capfd.readouterr().err
        capfd.readouterr()
    return "tuned"


def test_a_tuned_model_keeps_the_labels(tuned: str) -> None:
    model = Model.load(tuned)
    assert model.sparse is not None
    assert model.sparse.templates.texts == ("family syntax-fine labels=IP,NP,VP",)
    names = set(map(model.sparse.features.name, model.sparse.weights.arrays()[0].tolist()))
    assert "syntax.NP=match" in names


def test_weights_are_summarised_by_family(tuned: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["weights", tuned, "--group"]) == 0
    printed = capfd.readouterr().out
    assert "syntax-fine" in printed
    assert "syntax.NP=match" in printed


def _scores(capfd: pytest.CaptureFixture[str], *more: str) -> tuple[list[str], str]:
    assert run(["translate", "tuned", "t.de", "--scores", "--tokenized", *more]) == 0
    printed = capfd.readouterr()
    return [line.partition("\t")[0] for line in printed.out.splitlines()], printed.err


def test_translations_depend_on_the_trees(
    tuned: str, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    parsed, said = _scores(capfd, "--trees", "trees")
    assert "without --trees" not in said
    bare, said = _scores(capfd)
    assert "the model has features of source trees, which do not fire without --trees" in said
    assert parsed != bare
    (home / "none").write_text("()\n" * len(bare))
    assert _scores(capfd, "--trees", "none")[0] == bare
    at = next(i for i in range(len(bare)) if parsed[i] != bare[i])
    words = (home / "t.de").read_text("utf-8").splitlines()
    (home / "one.trees").write_text((home / "trees").read_text().splitlines()[at] + "\n")
    order = ["explain", tuned, words[at], "--tokenized", "--trees", "one.trees"]
    assert run([*order, "--json", "-o", "why.html", "--force"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["score"] == pytest.approx(float(parsed[at]), abs=1e-3)
    assert found["constituents"][:2] == [[0, len(words[at].split()), "IP"], [0, 2, "NP"]]
    assert "parse tree" in (home / "why.html").read_text("utf-8")
    assert run(order) == 0
    first, second = words[at].split()[:2]
    assert f"(IP (NP {first} {second}) (VP " in capfd.readouterr().out


def test_raw_text_is_joined_after_preparation(
    tuned: str, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (home / "raw.de").write_text("Das Haus ist klein.\n")
    (home / "raw.trees").write_text("(S (NP (DT Das) (NN Haus)) (VP (VB ist) (JJ klein)) (. .))\n")
    assert run("translate tuned raw.de --raw --trees raw.trees".split()) == 0
    assert capfd.readouterr().out


def test_trained_with_trees(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    order = f"{TRAIN} --trees trees --dev-trees trees -o trained"
    (home / "many").write_text("family syntax-fine min-count=5\n")
    assert run(order.replace("syntax-fine", "many").split()) == 0, capfd.readouterr().err
    model = Model.load("trained")
    assert model.sparse is not None
    assert model.sparse.features.has_constituents
    order = "tune trained --src t.de --ref t.en --rounds 1 --quiet --trees trees -o again"
    assert run([*order.split(), "--tune-sparse"]) == 0, capfd.readouterr().err


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (f"{TUNE} -o no", "features of source trees, but no trees"),
        (f"{TUNE} --trees few --tokenized -o no", "few: 1 trees; expected"),
        (f"{TUNE} --trees other --tokenized -o no", "other line 1: tree 1 differs from the text"),
        (f"{TUNE} --trees broken --tokenized -o no", "broken line 1"),
        (f"{TUNE} --trees trees --tokenized --features z14 -o no", "trees, but no features"),
        (f"{TRAIN} -o no", "features of source trees, but no trees"),
        ("translate tokens t.de --trees trees", "trees for a model without features of them"),
        ("translate tuned t.de --tokenized --trees few", "few: 1 trees; expected one per sentence"),
        ("translate tuned t.de --tokenized --trees many", "the text has 64 sentences"),
        ("translate tuned t.de --tokenized --trees other", "other line 1: tree 1 differs"),
        ("translate tuned t.de t.en --trees trees", "--trees takes only one FILE"),
        ("explain tokens das --trees trees", "trees for a model without features of them"),
    ],
)
def test_refused_trees(
    tuned: str, home: Path, capfd: pytest.CaptureFixture[str], order: str, message: str
) -> None:
    lines = (home / "trees").read_text().splitlines()
    files = {"few": lines[:1], "many": [*lines, "()"], "other": ["(NP (X no))", *lines[1:]]}
    for name, rows in {**files, "broken": ["(NP (X", *lines[1:]]}.items():
        (home / name).write_text("".join(f"{row}\n" for row in rows))
    assert run(order.split()) == 2
    assert message in capfd.readouterr().err
