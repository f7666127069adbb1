"""Scores of translations with signatures, confidence intervals and significance tests.

    result = evaluate(lines, References.from_streams([refs]), baselines={"old": old_lines})
    result["bleu"].systems[0].score

Numbers agree with sacrebleu wherever it defines them (`verify` computes them with it and compares);
reference lengths other than the closest are ours, and the signature says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from demotic.errors import InputError, ModelError
from demotic.metrics.named import MetricChoice
from demotic.metrics.options import EvaluateOptions
from demotic.metrics.references import References
from demotic.metrics.significance import Interval, PairedTest, bootstrap, compare, interval, pooled

if TYPE_CHECKING:
    from demotic.metrics.metric import Floats, Metric, Numbers

__all__ = ["Evaluation", "MetricResult", "SystemScore", "evaluate", "make_metric"]

Runs = Sequence[str] | Sequence[Sequence[str]]  # one translation of the corpus, or several


@dataclass(frozen=True)
class SystemScore:
    """The score of a system by one metric; `score` is the mean of its runs."""

    name: str
    score: float
    runs: tuple[float, ...]
    deviation: float | None  # standard deviation over the runs
    interval: Interval
    detail: str
    against: dict[str, PairedTest]  # by baseline


@dataclass(frozen=True)
class MetricResult:
    """All systems by one metric, the evaluated one first."""

    name: str
    signature: str
    higher_is_better: bool
    systems: tuple[SystemScore, ...]


@dataclass(frozen=True)
class Evaluation:
    """The result of `evaluate`; `result["bleu"]` is that of one metric."""

    sentences: int
    references: int | None
    options: EvaluateOptions
    metrics: dict[str, MetricResult]

    def __getitem__(self, metric: str) -> MetricResult:
        return self.metrics[metric]

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)


def evaluate(
    hypotheses: Runs,
    references: References,
    *,
    name: str = "system",
    baselines: Mapping[str, Runs] | None = None,
    metrics: Sequence[str] = ("bleu",),
    options: EvaluateOptions | None = None,
    threads: int = 1,
) -> Evaluation:
    """Scores translations, optionally several runs of a system, and compares with baselines."""
    options = options or EvaluateOptions()
    if len(references) == 0:
        raise InputError("no sentences to evaluate", expected="at least one")
    systems = {name: _runs(hypotheses)}
    for other, runs in (baselines or {}).items():
        if other in systems:
            raise InputError(f"two systems are called {other}", expected="different names")
        systems[other] = _runs(runs)
    results = {
        chosen: _by_metric(make_metric(chosen, references, options), systems, options, threads)
        for chosen in dict.fromkeys(metrics)
    }
    return Evaluation(len(references), references.number, options, results)


def make_metric(name: str, references: References, options: EvaluateOptions) -> Metric:
    """One of METRICS by its name, or `file.py:Class`."""
    given = {
        "tokenize": options.tokenize,
        "lowercase": options.lowercase,
        "reference_length": options.ref_length,
        "normalized": options.ter_asian,  # sacrebleu separates characters only together with this
        "asian_support": options.ter_asian,
    }
    return MetricChoice(name).make(references, given)


def _runs(given: Runs) -> list[list[str]]:
    if given and not isinstance(given[0], str):
        return [list(run) for run in given]
    return [[str(line) for line in given]]


def _by_metric(
    metric: Metric, systems: dict[str, list[list[str]]], options: EvaluateOptions, threads: int
) -> MetricResult:
    rows: dict[str, Numbers] = {}
    samples: dict[str, Floats] = {}
    for name, runs in systems.items():
        parts = [metric.statistics(run, threads=threads) for run in runs]
        if options.verify:
            for run, part in zip(runs, parts, strict=True):
                _verify(metric, run, part)
        rows[name] = np.stack(parts, axis=1)
        samples[name] = bootstrap(
            metric, rows[name], samples=options.samples, seed=options.seed, threads=threads
        )
    first, *others = systems
    tests = {
        other: compare(
            metric,
            (rows[first], samples[first]),
            (rows[other], samples[other]),
            trials=options.trials,
            seed=options.seed,
            threads=threads,
        )
        for other in others
    }
    scored = tuple(
        _score(metric, name, rows[name], interval(samples[name], options.confidence), tests)
        for name in systems
    )
    return MetricResult(metric.name, metric.signature, metric.higher_is_better, scored)


def _score(
    metric: Metric, name: str, rows: Numbers, between: Interval, tests: dict[str, PairedTest]
) -> SystemScore:
    scores = metric.corpus_scores(rows.sum(axis=0, dtype=np.int64))
    return SystemScore(
        name=name,
        score=float(scores.mean()),
        runs=tuple(float(score) for score in scores),
        deviation=float(scores.std(ddof=1)) if len(scores) > 1 else None,
        interval=between,
        detail=metric.detail(pooled(rows)),
        against={} if name in tests else tests,
    )


def _verify(metric: Metric, lines: list[str], rows: Numbers) -> None:
    from demotic.metrics.sacrebleu_score import sacrebleu_score

    theirs = sacrebleu_score(metric, lines)
    ours = metric.corpus_score(rows.sum(axis=0, dtype=np.int64))
    if theirs is not None and abs(theirs - ours) > 1e-9:
        raise ModelError(
            f"{metric.name} is {ours!r} here and {theirs!r} by sacrebleu",
            expected="the same score",
            advice="please report this with the text",
        )
