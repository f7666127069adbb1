"""Experiments resume, rerun only what changed, survive failing runs, and test by pairs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from demotic.cli.main import run as demotic
from demotic.errors import Error
from demotic.experiments import ExperimentResult, read_experiment, run_experiment
from demotic.experiments.expand import expand
from demotic.experiments.page import experiment_page
from demotic.experiments.results import Comparison, ResultRow, Spread
from demotic.experiments.sheet import CATEGORIES
from demotic.experiments.tables import tables_of
from demotic.features.dense import OPERATION_FEATURES
from demotic.lines import read_lines
from demotic.metrics import Bleu, BleuOptions, References
from demotic.model import Model
from tests.experiments.small import Counting, written
from tests.report.html_pages import check_page


def run(folder: Path, out: str, *changes: tuple[str, str], more: str = "") -> tuple[
    ExperimentResult, Counting
]:  # fmt: skip
    counting = Counting()
    experiment = read_experiment(written(folder, *changes, more=more))
    parts = folder / "parts"
    return run_experiment(experiment, folder / out, parts=parts, progress=counting), counting


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("experiments")


@pytest.fixture(scope="module")
def first(home: Path) -> ExperimentResult:
    return run(home, "first")[0]


def test_scores_are_those_of_the_stored_translations(first: ExperimentResult, home: Path) -> None:
    references = [
        read_lines(path).tolist() for path in sorted((home / "parts").glob("text-*/test.tgt.*"))
    ]
    metric = Bleu(References.from_streams(references), BleuOptions(tokenize="none"))
    for row in first.rows:
        output = read_lines(home / "first" / row.output).tolist()
        assert row.figures["test"].mean == pytest.approx(metric.score(output))


def test_the_same_command_runs_nothing(first: ExperimentResult, home: Path) -> None:
    again, counting = run(home, "first")
    assert counting.stages == []
    assert again.rows == first.rows
    loaded = ExperimentResult.load(home / "first")
    assert [row.figures for row in loaded.rows] == [row.figures for row in first.rows]
    assert [row.compared for row in loaded.rows] == [row.compared for row in first.rows]


def test_a_change_reruns_what_depends_on_it(first: ExperimentResult, home: Path) -> None:
    more = '\n[systems.mert]\ntune.method = "mert"\n'
    _, counting = run(home, "first", more=more)
    assert counting.stages == ["mert, seed 1", "test mert (seed 1)"]
    _, counting = run(home, "first", ("tune.rounds = 2", "tune.rounds = 1"))
    assert counting.stages == ["mira, seed 1", "test mira (seed 1)"]
    _, counting = run(home, "first", ("columns = ", 'across = ""\ncolumns = '))
    assert counting.stages == []


def test_experiments_share_models_and_weights(first: ExperimentResult, home: Path) -> None:
    """Another experiment with the same parts measures, but learns nothing again."""
    _, counting = run(home, "second")
    assert counting.stages == ["test untuned", "test mira (seed 1)"]


def test_an_interrupted_run_resumes(home: Path) -> None:
    class Interrupting(Counting):
        def warn(self, text: str) -> None:
            raise AssertionError(text)

        def stage(self, name: str):  # type: ignore[no-untyped-def]
            if name.startswith("test mira"):
                raise KeyboardInterrupt
            return super().stage(name)

    experiment = read_experiment(written(home))
    with pytest.raises(KeyboardInterrupt):
        run_experiment(experiment, home / "third", progress=Interrupting())
    counting = Counting()
    result = run_experiment(experiment, home / "third", progress=counting)
    assert counting.stages == ["test mira (seed 1)"]
    assert len(result.rows) == 2


@pytest.mark.parametrize("verb", ["tune", "train"])
def test_a_step_that_was_not_recorded_resumes(
    home: Path, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted when its model is written, but not yet what the tables need."""
    more = "\n[systems.maxforce]\ntrain.epochs = 1\ntrain.max_words = 9\ntrain.folds = 2\n"
    more += "train.min_bleu = 0.0\n"
    experiment = read_experiment(written(home, more=more if verb == "train" else ""))
    derive, folder = Model.derive, {"tune": "tuned", "train": "trained"}[verb]

    def interrupted(self: Model, path: Path, **rest: Any) -> Model:
        made = derive(self, path, **rest)
        if Path(path).name == "model" and Path(path).parent.name.startswith(f"{folder}-"):
            raise KeyboardInterrupt
        return made

    with monkeypatch.context() as patched:
        patched.setattr(Model, "derive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run_experiment(experiment, home / f"cut-{verb}")
    left = next((home / f"cut-{verb}" / "parts").glob(f"{folder}-*"))
    assert (left / "model" / "model.toml").exists()
    result = run_experiment(experiment, home / f"cut-{verb}")
    assert result.failures == ()
    assert not (left / "run").exists()
    assert (left / "step.json").exists()


def test_a_failing_run_is_named_and_the_others_go_on(first: ExperimentResult, home: Path) -> None:
    more = '\n[systems.bad]\ntune.method = "mert"\ntune.features = "z14"\n'
    more += '\n[systems.later]\nstart = "bad"\n'
    result, counting = run(home, "failing", more=more)
    assert [failure.run for failure in result.failures] == ["bad (seed 1)", "later (seed 1)"]
    assert "MERT with" in result.failures[0].message
    assert len(counting.warnings) == 2
    assert [row.system for row in result.rows] == ["untuned", "mira"]
    file = written(home, more=more)
    assert demotic(["experiment", file, "-o", str(home / "failing"), "--quiet"]) == 1


def test_the_error_sheet_has_every_system_once(first: ExperimentResult, home: Path) -> None:
    run(home, "sheet", ('title = "Small"', 'title = "Small"\nsheet = 3'))
    lines = (home / "sheet" / "errors.tsv").read_text(encoding="utf-8").splitlines()
    cells = [line.split("\t") for line in lines]
    assert {len(row) for row in cells} == {5 + len(CATEGORIES)}
    assert len(cells) == 1 + 3 * 2
    for i in range(1, 7, 2):
        assert cells[i][:3] == cells[i + 1][:3]
        assert {cells[i][3], cells[i + 1][3]} == {"untuned", "mira"}


def test_results_outlive_the_models(home: Path, tmp_path: Path) -> None:
    """Models and weights may be deleted to save space; stored runs are used all the same."""
    first, _ = run(home, "thin")
    experiment, counting = read_experiment(written(home)), Counting()
    again = run_experiment(experiment, home / "thin", parts=tmp_path, progress=counting)
    assert counting.stages == []
    assert [row.figures for row in again.rows] == [row.figures for row in first.rows]
    assert [row.compared for row in again.rows] == [row.compared for row in first.rows]


def test_a_system_has_a_baseline_of_its_own(first: ExperimentResult, home: Path) -> None:
    """Tuning and testing are those of the first experiment: only comparisons differ."""
    more = '\n[systems.again]\nstart = "mira"\nbaseline = "mira"\n'
    result, counting = run(home, "own", more=more)
    assert counting.stages == ["test untuned", "test mira (seed 1)"]  # again is mira
    untuned, mira, again = (row.compared for row in result.rows)
    assert untuned is None
    assert mira == first.rows[1].compared
    assert again is not None
    assert (again.baseline, again.gain, again.p) == ("mira", 0, 1)


def test_models_of_classes_and_operations(home: Path) -> None:
    more = 'class_lms = ["4:3"]\noperations = 3\n'
    result, _ = run(home, "more", ("[models.phrase]\n", f"[models.phrase]\n{more}"))
    model = Model.load(home / "more" / result.rows[0].model)
    assert {"class_language_model", *OPERATION_FEATURES} <= set(model.weights.index.names)


def test_seeds_are_runs_of_one_row(first: ExperimentResult, home: Path) -> None:
    result, _ = run(home, "seeds", ('title = "Small"', 'title = "Small"\nseeds = 2'))
    assert [row.runs for row in result.rows] == [1, 2]
    spread = result.rows[1].figures["test"]
    assert spread.mean == pytest.approx(sum(spread.values) / 2)
    assert spread.deviation is not None
    assert result.rows[0].compared is None
    assert result.rows[1].compared is not None
    assert 0 < result.rows[1].compared.p <= 1


def test_keys_depend_on_settings_and_text(home: Path) -> None:
    def keys(text: str, *changes: tuple[str, str]) -> dict[str, str]:
        experiment = read_experiment(written(home, *changes))
        return {run.system: run.key for run in expand(experiment, text)}

    base = keys("a")
    assert base == keys("a", ('title = "Small"', 'title = "Other"'))
    assert not set(base.values()) & set(keys("b").values())
    changed = keys("a", ("tune.rounds = 2", "tune.rounds = 3"))
    assert changed["untuned"] == base["untuned"]
    assert changed["mira"] != base["mira"]
    assert keys("a", ("search.beam_size = 4", "search.beam_size = 5"))["untuned"] != base["untuned"]


def test_keys_depend_on_the_code_of_the_user(home: Path) -> None:
    """A learner, a metric, templates and a feature: an edited file is another system."""
    code = home / "mine.py"
    code.write_text(
        "from demotic.features.own import feature\n"
        "from demotic.learn import Mira\n"
        "from demotic.metrics import Bleu\n"
        "class Learner(Mira): ...\n"
        "class Metric(Bleu): ...\n"
        "@feature\n"
        "def edges(use):\n"
        "    yield use.source[0]\n"
    )
    plain, function = home / "plain.templates", home / "own.templates"
    plain.write_text("source.first:word target.first:word\n")
    function.write_text(f"family python function={code}:edges\n")
    more = (
        f'[systems.learner]\ntune.method = "{code}:Learner"\n'
        f'[systems.metric]\ntune.metric = "{code}:Metric"\n'
        f'[systems.plain]\ntune.features = "{plain}"\n'
        f'[systems.function]\ntrain.features = "{function}"\n'
        f'[systems.after]\nstart = "learner"\n'
    )

    def keys(*changes: tuple[str, str]) -> dict[str, str]:
        experiment = read_experiment(written(home, *changes, more=more))
        return {run.system: run.key for run in expand(experiment, "a")}

    def changed(before: dict[str, str], now: dict[str, str]) -> set[str]:
        return {name for name, key in now.items() if key != before[name]}

    base, tested = keys(), ('title = "Small"', f'title = "Small"\nmetric = "{code}:Metric"')
    by_metric = keys(tested)
    assert base == keys()
    code.write_text(code.read_text() + "# edited\n")
    now = keys()
    assert changed(base, now) == {"learner", "metric", "function", "after"}
    assert changed(by_metric, keys(tested)) == set(base)
    plain.write_text("source.last:word target.first:word\n")
    assert changed(now, keys()) == {"plain"}


def test_text_of_the_user_raw_and_tokenised(home: Path) -> None:
    from demotic.demo import read_corpus

    corpus = read_corpus()
    for kind in ("raw", "tok"):
        folder = home / f"user-{kind}"
        folder.mkdir()
        for part, count in (("train", 300), ("dev", 20), ("test", 12)):
            for side in ("zh", "en") if part == "train" else ("zh", "en.0"):
                lines = corpus[f"{kind}/{part}.{side}"].splitlines()[:count]
                (folder / f"{part}.{side}").write_text("\n".join([*lines, ""]), encoding="utf-8")
        tokens = "true" if kind == "tok" else "false"
        new = f'[corpus]\nfolder = "{folder}"\nsource = "zh"\ntarget = "en"\ntokenized = {tokens}'
        result, _ = run(home, f"out-{kind}", ("[corpus]", new))
        assert result.failures == ()
        assert result.sentences == {"train": 300, "dev": 20, "test": 12}
        assert result.rows[0].figures["test"].mean > 5
    (folder / "dev.zh").unlink()
    with pytest.raises(Error, match=r"no file dev\.zh"):
        run(home, "out-missing", ("[corpus]", new))


def test_a_foreign_directory_is_left_alone(home: Path) -> None:
    (home / "mine").mkdir()
    (home / "mine" / "letter.txt").write_text("hello")
    with pytest.raises(Error):
        run(home, "mine")


def test_command_line(
    first: ExperimentResult, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, parts = written(home), str(home / "parts")
    assert demotic(["experiment", file, "-o", str(home / "first"), "--parts", parts]) == 0
    printed = capsys.readouterr().out
    assert "against baseline" in printed
    assert "| mira |" in (home / "first" / "tables.md").read_text(encoding="utf-8")
    arguments = ["experiment", file, "-o", str(home / "first"), "--parts", parts, "--json"]
    assert demotic(arguments) == 0
    assert json.loads(capsys.readouterr().out)["rows"][1]["system"] == "mira"
    assert demotic(["experiment", "--list"]) == 0
    assert "l14-figure5" in capsys.readouterr().out
    assert demotic(["experiment", "l14-figure5", "--show"]) == 0
    assert "mira-potential" in capsys.readouterr().out
    assert demotic(["experiment", "l14-figure5"]) == 2
    assert "-o is missing" in capsys.readouterr().err
    assert demotic(["experiment", "l14-figure5", "-o", "x", "--corpus", "y"]) == 2


def test_the_report_is_complete_and_loads_nothing(
    first: ExperimentResult, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    html = (home / "first" / "report.html").read_text(encoding="utf-8")
    tags = check_page(html)
    wanted = ["Small", "Systems", "Scores", "Learning curves", "Examples"]
    assert [one for one in tags.headings if one in wanted] == wanted
    assert "Derivations side by side" in tags.headings
    assert demotic(["report", str(home / "first"), "-o", str(home / "again.html")]) == 0
    assert (home / "again.html").read_text(encoding="utf-8") == html
    capsys.readouterr()
    assert demotic(["report", str(home)]) == 2
    assert "results.json" in capsys.readouterr().err


def test_tables_mark_significant_differences() -> None:
    figures = {"dev": Spread.of([50.0, 52.0]), "test": Spread.of([40.0, 41.0])}
    rows = (
        ResultRow("a", "A", {"beam": 1}, 1, {"test": Spread.of([39.0])}, {}),
        ResultRow(
            "b", "B", {"beam": 1}, 2, figures, {}, None, Comparison(1.5, 0.02, 0.03, -1, "A")
        ),
        ResultRow(
            "b", "B", {"beam": 2}, 2, figures, {}, None, Comparison(1.5, 0.002, 0.03, -1, "A")
        ),
        ResultRow("c", "C", {"beam": 2}, 2, figures, {}, None, Comparison(0.5, 0.5, 0.5, 0, "B")),
    )
    result = ExperimentResult(
        name="x",
        settings={
            "title": "X",
            "baseline": "a",
            "vary": [{"name": "beam", "values": [1, 2]}],
            "tables": [
                {"title": "T", "columns": ["dev", "test", "gain", "p"]},
                {"title": "U", "across": "beam"},
            ],
        },
        signature="s",
        languages=("zh", "en"),
        sentences={"train": 1, "dev": 1, "test": 1},
        rows=rows,
    )
    listed, across = tables_of(result)
    scores = ("dev", "test", "baseline", "against baseline", "p")
    assert listed.header == ("system", "beam", "runs", *scores)
    assert listed.rows[0] == ("A", "1", "1", "", "39.00", "", "", "")
    scores = ("51.00 ± 1.41", "40.50 ± 0.71*", "A", "+1.50", "0.0200")
    assert listed.rows[1] == ("B", "1", "2", *scores)
    assert across.rows == (
        ("A", "39.00", ""),
        ("B", "40.50 ± 0.71*", "40.50 ± 0.71**"),
        ("C", "", "40.50 ± 0.71"),
    )
    assert "baseline:" not in listed.note  # it has a column
    assert across.note.endswith("; baselines: A (of B); B (of C)")
    (listed, _) = tables_of(replace(result, rows=rows[:-1]))
    assert listed.note.endswith("; baseline: A")


def test_where_lower_is_better(first: ExperimentResult, home: Path) -> None:
    """The report names the system with the lowest score, and a lower score better."""
    result, _ = run(home, "ter", ('title = "Small"', 'title = "Small"\nmetric = "ter"'))
    assert not result.higher_is_better
    assert ExperimentResult.load(home / "ter") == result
    low, high = (Spread.of([score, score]) for score in (30.0, 40.0))
    figures = [{"dev": one, "test": one, "ter": one} for one in (high, low)]
    changes = [None, Comparison(-10.0, 0.001, 0.001, -10.0, "untuned")]
    rows = tuple(
        replace(row, figures=own, compared=compared)
        for row, own, compared in zip(result.rows, figures, changes, strict=True)
    )
    html = experiment_page(replace(result, rows=rows), home / "ter").html()
    assert "Best on the dev set: mira, 30.0 on 12 test sentences; -10.00, better than unt" in html
    assert "Lower scores and TER are better" in html
    html = experiment_page(replace(result, rows=rows, higher_is_better=True), home / "ter").html()
    assert "-10.00, worse than untuned" in html
