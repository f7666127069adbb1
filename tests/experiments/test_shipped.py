"""Every experiment runs with tiny settings, and its tables and plots have content."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from demotic.experiments import read_experiment, run_experiment, shipped
from demotic.experiments.tables import tables_of


@pytest.fixture(scope="session")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("parts")


REAL_TEXT = sorted((Path(__file__).parents[2] / "experiments").glob("*.toml"))


@pytest.mark.parametrize(
    "name", [*shipped(), *(pytest.param(str(one), marks=pytest.mark.long) for one in REAL_TEXT)]
)
def test_it_runs(name: str, parts: Path, tmp_path: Path) -> None:
    experiment = read_experiment(name, quick=True)
    result = run_experiment(experiment, tmp_path / experiment.name, parts=parts)
    assert result.failures == ()
    for table in tables_of(result):
        columns = list(zip(*table.rows, strict=True))
        assert all(any(column) for column in columns), (table.title, table.header)
    plots = sorted((tmp_path / experiment.name / "plots").glob("*.svg"))
    assert len(plots) == len(experiment.settings.plots)
    for path in plots:
        drawing = ElementTree.fromstring(path.read_text(encoding="utf-8"))
        marks = [one for one in drawing.iter() if "mark" in one.get("class", "").split()]
        assert len(marks) > 1
