"""Experiment files are checked as a whole before any work, with lines and suggestions."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.errors import Error
from demotic.experiments import read_experiment, shipped
from demotic.experiments.expand import expand
from demotic.experiments.settings import CorpusSettings
from tests.experiments.small import FILE, written

REAL_TEXT = Path(__file__).parents[2] / "experiments"


def refused(tmp_path: Path, *changes: tuple[str, str], more: str = "") -> Error:
    with pytest.raises(Error) as caught:
        read_experiment(written(tmp_path, *changes, more=more))
    return caught.value


def line_of(text: str) -> int:
    return FILE.splitlines().index(text) + 1


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("tune.rounds = 2", 'tune.rounds = "two"', "tune.rounds is"),
        ("search.beam_size = 4", "search.beam_sise = 4", "did you mean beam_size?"),
        ('tune.method = "mira"', 'tune.method = "mirra"', "did you mean mira?"),
        ("train = 300", "train = -3", "corpus.train is -3, expected a whole number of at least 0"),
        ('baseline = "untuned"', 'baseline = "untuend"', "did you mean untuned?"),
        ("[systems.mira]", '[systems.mira]\nstart = "mert"', "systems.mira.start is 'mert'"),
        ("[systems.mira]", '[systems.mira]\nstart = "mira"', "does not start with it"),
        ("[systems.mira]", "[systems.mira]\ntrain.epochs = 2", "expected one step"),
        ("[systems.mira]", "[systems.mira]\nlearner.stepp = 1", "stepp"),
        ("[systems.mira]", '[systems.mira]\nbaseline = "mira"', "systems.mira.baseline is 'mira'"),
        ("[models.phrase]", '[models.phrase]\nclass_lms = ["9"]', "expected CLASSES:ORDER"),
        ("[models.phrase]", '[models.phrase]\nclass_lms = ["1:9"]', "models.phrase.class_lms"),
        ("[models.phrase]", '[models.phrase]\nkind = "hiero"\noperations = 5', "expected phrases"),
        ('"gain", "p"]', '"gian"]', "did you mean gain?"),
        ("[models.phrase]", "[models.phrase]\n[models.other]", "systems.untuned.model is missing"),
        ("[corpus]", '[corpus]\nfolder = "x"', "corpus.source and corpus.target are missing"),
    ],
)
def test_faults_name_the_key_and_what_was_expected(
    tmp_path: Path, old: str, new: str, found: str
) -> None:
    assert found in str(refused(tmp_path, (old, new)))


def test_faults_have_lines(tmp_path: Path) -> None:
    error = refused(tmp_path, ("train = 300", 'train = "many"'))
    assert error.line == line_of("train = 300")
    assert "small.toml" in error.path
    error = refused(tmp_path, ('tune.method = "mira"', 'tune.method = "x"'))
    assert error.line == line_of('tune.method = "mira"')
    error = refused(tmp_path, more='\n[[plots]]\ntitle = "x"\nx = "beam"\ny = "test"\n')
    assert error.line == len(FILE.splitlines()) + 4


def test_all_faults_are_reported_at_once(tmp_path: Path) -> None:
    error = refused(tmp_path, ("train = 300", "train = -3"), ("dev = 20", 'dev = "x"'))
    assert "corpus.train" in str(error)
    assert "corpus.dev" in str(error)


def test_axes_set_what_systems_have(tmp_path: Path) -> None:
    axis = '\n[[vary]]\nname = "beam"\nvalues = [2, 4]\nsets = ["search.beam_sise"]\n'
    error = refused(tmp_path, more=axis)
    assert "did you mean beam_size?" in str(error)
    assert error.line == len(FILE.splitlines()) + 5
    axis = axis.replace("beam_sise", "beam_size").replace("[2, 4]", '["a"]')
    experiment = read_experiment(written(tmp_path, more=axis))
    with pytest.raises(Error, match="beam_size"):
        expand(experiment, "text")


@pytest.mark.parametrize(
    ("axis", "found"),
    [
        ('values = ["phrase", "hirro"]\nsets = ["model"]', "vary[0].values has 'hirro' for model"),
        ('values = [""]\nsets = ["model"]', "vary[0].values has '' for model"),
        ('values = ["mira"]\nsets = ["start"]', "a system would start with itself"),
        ('values = [2, 2]\nsets = ["search.beam_size"]', "vary[0].values has a value twice"),
    ],
)
def test_axes_name_what_exists(tmp_path: Path, axis: str, found: str) -> None:
    assert found in str(refused(tmp_path, more=f'\n[[vary]]\nname = "x"\n{axis}\n'))


def test_names_are_distinct(tmp_path: Path) -> None:
    axis = '\n[[vary]]\nname = "beam"\nvalues = [2]\nsets = ["search.beam_size"]\n'
    assert "vary[1].name is 'beam' again" in str(refused(tmp_path, more=2 * axis))
    error = refused(tmp_path, ("[systems.mira]", '[systems.mira]\nlabel = "untuned"'))
    assert "systems.mira.label is shown as 'untuned' like untuned" in str(error)
    other = '\n[systems.x]\nlabel = "mira"\n'
    assert "systems.x.label is shown as 'mira' like mira" in str(refused(tmp_path, more=other))
    read_experiment(written(tmp_path, more='\n[systems.x]\nlabel = "other"\n'))


def test_another_corpus_keeps_what_is_held_out(tmp_path: Path) -> None:
    path = written(tmp_path, ("test = 12", "test = 12\nheld_out = 5"))
    changes = {"corpus": {"folder": "talks", "source": "zh", "target": "en"}}
    corpus = read_experiment(path, changes).settings.corpus
    assert (corpus.train, corpus.dev, corpus.held_out) == (0, 0, 5)
    changes["corpus"]["held_out"] = 7
    assert read_experiment(path, changes).settings.corpus.held_out == 7


@pytest.mark.parametrize("path", sorted(REAL_TEXT.glob("*.toml")), ids=lambda path: path.stem)
def test_experiments_on_real_text_are_valid(path: Path) -> None:
    settings = read_experiment(str(path)).settings
    assert settings.corpus == CorpusSettings()  # given by --corpus
    assert settings.tables
    docs = (REAL_TEXT.parent / "docs" / "experiments.md").read_text(encoding="utf-8")
    assert f"| `{path.name}` | {settings.title} |" in docs


def test_missing_files_and_names() -> None:
    with pytest.raises(Error, match="did you mean l14-table2"):
        read_experiment("l14-tabel2")
    with pytest.raises(OSError, match="No such file"):
        read_experiment("nothing.toml")


def test_every_table_and_figure_of_the_papers_is_shipped() -> None:
    papers = {name: read_experiment(name).settings.paper for name in shipped()}
    assert all(paper for name, paper in papers.items() if "-" in name and name[1:3].isdigit())
    counts = {paper: sum(name.startswith(paper) for name in papers) for paper in
              ("y13", "c08", "e13", "z14", "l14")}  # fmt: skip
    assert counts == {"y13": 10, "c08": 3, "e13": 4, "z14": 5, "l14": 8}
