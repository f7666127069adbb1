"""The results of an experiment as a plain value, saved as `results.json`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from demotic.errors import FormatError
from demotic.lines import write_text

__all__ = ["RESULTS_NAME", "Comparison", "ExperimentResult", "Failure", "ResultRow", "Spread"]

RESULTS_NAME = "results.json"
_FORMAT = 1


@dataclass(frozen=True)
class Spread:
    """A figure over the seeds."""

    mean: float
    deviation: float | None
    """Sample standard deviation; None for one run."""
    values: tuple[float, ...]

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        return cls(fmean(values), stdev(values) if len(values) > 1 else None, tuple(values))


@dataclass(frozen=True)
class Comparison:
    """Against the baseline at the same point, over all runs (Clark et al. 2011)."""

    gain: float
    p: float
    """Approximate randomisation."""
    p_bootstrap: float
    gain_ter: float
    baseline: str
    """Label of the system that it is compared with."""


@dataclass(frozen=True)
class ResultRow:
    """A system at a point of the axes: all its seeds."""

    system: str
    label: str
    point: dict[str, Any]
    runs: int
    figures: dict[str, Spread]
    curves: dict[str, list[list[float]]]
    """Means over the seeds where these have the same x values, else those of the first seed."""
    interval: tuple[float, float] | None = None
    """95 % confidence interval of the test score over all runs, by bootstrap resampling."""
    compared: Comparison | None = None
    model: str = ""
    """Its directory, for the first seed, relative to that of the experiment if it is inside."""
    search: dict[str, Any] = field(default_factory=dict)
    output: str = ""
    """File of the translations of the first seed, relative to the directory of the experiment."""

    @property
    def name(self) -> str:
        points = ", ".join(f"{name} {value}" for name, value in self.point.items())
        return f"{self.label} ({points})" if points else self.label


@dataclass(frozen=True)
class Failure:
    """A run that failed, by name, and why."""

    run: str
    message: str


@dataclass(frozen=True, kw_only=True)
class ExperimentResult:
    """Everything that tables, plots and the report show."""

    name: str
    settings: dict[str, Any]
    """The file as it was run."""
    signature: str
    languages: tuple[str, str]
    sentences: dict[str, int]
    rows: tuple[ResultRow, ...]
    failures: tuple[Failure, ...] = ()
    text: str = ""
    """Folder of the text, relative to the directory of the experiment if it is inside."""
    seconds: float = 0.0
    """Elapsed seconds of building, tuning and training, of the commands that finished each step."""
    date: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    higher_is_better: bool = True
    """Of the metric of dev and test."""

    def best(self, rows: Iterable[ResultRow]) -> ResultRow:
        """The one with the best score on the dev set; of equal ones the first."""
        chosen = max if self.higher_is_better else min
        return chosen(rows, key=lambda row: row.figures["dev"].mean)

    @property
    def title(self) -> str:
        return str(self.settings["title"])

    @property
    def axes(self) -> list[str]:
        return [axis["name"] for axis in self.settings.get("vary", [])]

    def save(self, directory: Path) -> None:
        with write_text(directory / RESULTS_NAME) as file:
            values = {"format": _FORMAT, **asdict(self)}
            json.dump(values, file, ensure_ascii=False, indent=1, default=str)

    @classmethod
    def load(cls, directory: Path) -> ExperimentResult:
        path = directory / RESULTS_NAME
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
            if stored.pop("format") != _FORMAT:
                raise ValueError
            rows = tuple(_row(one) for one in stored.pop("rows"))
            failures = tuple(Failure(**one) for one in stored.pop("failures"))
            languages = tuple(stored.pop("languages"))
            return cls(**stored, rows=rows, failures=failures, languages=languages)
        except (ValueError, KeyError, TypeError):
            raise FormatError(
                "not results of this version",
                path=str(path),
                expected="the file that demotic experiment wrote",
                advice="run the experiment again; what it has made is used again",
            ) from None


def _row(stored: Mapping[str, Any]) -> ResultRow:
    figures = {
        name: Spread(one["mean"], one["deviation"], tuple(one["values"]))
        for name, one in stored["figures"].items()
    }
    compared = stored["compared"]
    return ResultRow(
        **{
            **stored,
            "figures": figures,
            "interval": None if stored["interval"] is None else tuple(stored["interval"]),
            "compared": None if compared is None else Comparison(**compared),
        }
    )
