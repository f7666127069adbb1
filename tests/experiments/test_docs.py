"""docs/experiments.md lists every figure, every setting and every shipped experiment."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from demotic.experiments import read_experiment, shipped
from demotic.experiments.figures import COMPARED, CURVES, FIGURES
from demotic.experiments.settings import (
    CorpusSettings,
    ExperimentSettings,
    ModelSettings,
    SystemSettings,
)

PAGE = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text(encoding="utf-8")


def test_figures_and_curves() -> None:
    for name, figure in {**FIGURES, **COMPARED}.items():
        assert f"| `{name}` | {figure.meaning} |" in PAGE
    assert all(f"`{name}`" in PAGE for name in CURVES)


def test_shipped_experiments() -> None:
    for name in shipped():
        settings = read_experiment(name).settings
        assert f"| `{name}` | {settings.paper} | {settings.title} |" in PAGE


def test_settings() -> None:
    table = PAGE[PAGE.index("| key |") : PAGE.index("A system has one step")]
    for cls in (ExperimentSettings, CorpusSettings, ModelSettings, SystemSettings):
        for one in fields(cls):
            assert any(
                end in table for end in (f"`{one.name}`", f".{one.name}`", f"`{one.name}.")
            ), one.name


def test_the_example_is_valid(tmp_path: Path) -> None:
    text = PAGE.split("```toml\n")[1].split("```")[0]
    (tmp_path / "example.toml").write_text(text, encoding="utf-8")
    experiment = read_experiment(str(tmp_path / "example.toml"))
    assert list(experiment.settings.systems) == ["mert", "mira", "trained"]
