"""Tunes a model and writes the tuned model, by one run or several with different seeds.

    tuned = tune_model(model, dev, "zh-en-tuned", TuneRequest(method="mira", runs=3))

`runs/N/` of the new directory has the weights and the rounds of run N; the model gets the weights
of the run with the best score on the dev set, or on the tuning set if there is no other (see Clark
et al. 2011 for the need of several runs).
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic.errors import Error, InputError
from demotic.learn.dev_set import DevSet
from demotic.learn.journal import Round, key_of
from demotic.learn.loop import TuneProgress, Tuning
from demotic.learn.methods import DEFAULT_METHOD, Method, find_method
from demotic.learn.options import TuneOptions
from demotic.learn.tune_result import TuneResult
from demotic.learn.tuned_weights import refuse_sparse
from demotic.lines import PathLike
from demotic.lock import locked
from demotic.metrics.named import MetricChoice
from demotic.model import Model, refuse_existing
from demotic.model.file import MODEL_NAME
from demotic.model.output import WAY_OUT, refuse_inside, replaced
from demotic.outputs import nothing_left_on_failure, refuse_foreign
from demotic.search.options import SearchOptions

if TYPE_CHECKING:
    from demotic.features.feature_set import FeatureSet
    from demotic.model.file import Scalar
    from demotic.workers import Workers

__all__ = ["RunReport", "TuneRequest", "Tuned", "tune_model"]

_SPARSE = "sparse.bin"

MakeFeatures = Callable[[Path], "FeatureSet | None"]
RunReport = Callable[[int, Round], None]
"""Called with the number of the run, from 1, and a finished round."""


@dataclass(frozen=True, kw_only=True)
class TuneRequest:
    """What to tune, and how."""

    method: str = DEFAULT_METHOD
    """A name, or `file.py:Class`."""
    learner: Mapping[str, Any] = field(default_factory=dict)
    """Options of the method."""
    metric: MetricChoice = field(default_factory=MetricChoice)
    options: TuneOptions = field(default_factory=TuneOptions)
    search: Mapping[str, Any] = field(default_factory=dict)
    """Search settings that differ from the model's; the new model keeps them."""
    runs: int = 1
    features: FeatureSet | MakeFeatures | None = None
    """New sparse features, or a function that makes them, called with a folder for their files."""

    def __post_init__(self) -> None:
        _ = self.tuning_method
        if self.features is not None and self.options.tune_sparse is False:
            raise InputError(
                "new sparse features whose weights are not to be tuned",
                expected="weights that are tuned, since they start at 0",
                advice="omit --no-tune-sparse, or omit --features",
            )
        if self.runs < 1:
            raise InputError(f"runs is {self.runs}", expected="at least 1")

    @cached_property
    def tuning_method(self) -> Method:
        """The method itself; raises Error if there is none of that name."""
        return find_method(self.method)

    @property
    def effective(self) -> TuneOptions:
        """The options, with the method's defaults where nothing was given."""
        method, options = self.tuning_method, self.options
        if options.search_aware != "none" and options.max_words is None:
            options = replace(options, max_words=method.search_aware_words)
        if options.forest_density is None:
            options = replace(options, forest_density=method.forest_density)
        return options


@dataclass(frozen=True)
class Tuned:
    """The new model, and all runs."""

    model: Model
    runs: tuple[TuneResult, ...]

    @property
    def best(self) -> int:
        """The index of the run that was kept: the first of the best."""
        return _best(self.runs)

    @property
    def mean(self) -> float:
        """Of the scores by which runs are compared."""
        return statistics.fmean(run.selection_score for run in self.runs)

    @property
    def deviation(self) -> float | None:
        """Sample standard deviation; None for one run."""
        if len(self.runs) < 2:
            return None
        return statistics.stdev(run.selection_score for run in self.runs)


def tune_model(
    model: Model,
    dev: DevSet,
    out: PathLike,
    request: TuneRequest | None = None,
    *,
    threads: int = 1,
    force: bool = False,
    report: RunReport | None = None,
    progress: TuneProgress | None = None,
    workers: Workers | None = None,
) -> Tuned:
    """Tunes on `dev` and writes the model `out`; the same call resumes an interrupted run.

    Rounds and runs are chosen on `dev.held_out`, if there is any, else on `dev`.  With `force` all
    runs start again, and a model in `out` is replaced at the end.  `workers` decode, which does not
    affect the result.
    """
    request, out = request or TuneRequest(), Path(out)
    refuse_inside(out, model.path)
    refuse_foreign(out, "runs", MODEL_NAME, force=force)
    features = _features(model, out, request)
    numbers = range(1, request.runs + 1)
    tunings = [_tuning(model, dev, request, number, features) for number in numbers]
    key = key_of([tuning.key for tuning in tunings])
    done = None if force else _done(out, key)
    if done is None and not force:
        refuse_existing(out, advice=WAY_OUT)
    old = replaced(out, ["runs"]) if force else nullcontext()
    with nothing_left_on_failure(out), old, locked(out / "runs"):
        results = tuple(
            _run(tuning, out / "runs" / str(number), number, threads, report, progress, workers)
            for number, tuning in enumerate(tunings, 1)
        )
        if done is not None:
            return Tuned(done, results)
        place = _best(results)
        best = results[place]
        origin = _origin(request, tunings[0], best, place, key)
        new = _new_sparse(out / "runs" / str(place + 1), best, features)
        tuned = model.derive(out, weights=best.weights, search=request.search, origin=origin, **new)
    return Tuned(tuned, results)


def _features(model: Model, out: Path, request: TuneRequest) -> FeatureSet | None:
    """New sparse features, made only if they can be tuned."""
    made = request.features
    if made is None:
        return None
    refuse_sparse(model, request.tuning_method.make(request.learner), new=True)
    with nothing_left_on_failure(out):
        return made(out / "runs") if callable(made) else made


def _new_sparse(folder: Path, best: TuneResult, features: FeatureSet | None) -> dict[str, Any]:
    """The sparse parts of the tuned model that its original does not have."""
    if best.sparse is None:
        return {}
    path = folder / _SPARSE
    if features is None:
        return {"sparse": path}
    return {"sparse": path, "templates": features.templates, "classes": features.layers}


def _tuning(
    model: Model, dev: DevSet, request: TuneRequest, number: int, features: FeatureSet | None
) -> Tuning:
    method, options = request.tuning_method, request.effective
    kind = method.kind()
    if options.search_aware != "none" and not kind.search_aware:
        raise Error(
            f"search-aware tuning by {request.method}",
            expected="a method that learns from candidate lists",
            advice="choose another --method, or omit --search-aware",
        )
    search = SearchOptions.for_model(model, request.search)
    options = replace(options, seed=options.seed + number - 1)
    learner = method.make(
        request.learner,
        search_aware=options.search_aware != "none",
        sparse=features is not None or bool(options.tune_sparse),
    )
    made = Tuning(model, dev, learner, options, kind, search, request.metric, features)
    made.learner_code = method.digest
    return made


def _run(
    tuning: Tuning,
    folder: Path,
    number: int,
    threads: int,
    report: RunReport | None,
    progress: TuneProgress | None,
    workers: Workers | None,
) -> TuneResult:
    def report_round(done: Round) -> None:
        if report:
            report(number, done)

    result = tuning.run(folder, threads, report_round, progress, workers)
    result.weights.write(folder / "weights.tsv")
    if result.sparse is not None:
        result.sparse.write(folder / _SPARSE)
    return result


def _done(out: Path, key: str) -> Model | None:
    """The model that these very runs have already made."""
    if not (out / MODEL_NAME).exists():
        return None
    model = Model.load(out)
    return model if model.info.origin.get("tuning_key") == key else None


def _best(runs: Sequence[TuneResult]) -> int:
    """The first of the best."""
    chosen = max if runs[0].higher_is_better else min
    return chosen(range(len(runs)), key=lambda i: runs[i].selection_score)


def _origin(
    request: TuneRequest, tuning: Tuning, best: TuneResult, place: int, key: str
) -> dict[str, Scalar]:
    settings = " ".join(f"{name}={value}" for name, value in request.learner.items())
    dev: dict[str, Scalar] = {}
    if best.dev_score is not None:
        dev = {
            "tuning_dev_score": round(best.dev_score, 4),
            "tuning_dev_score_before": round(best.dev_curve[0], 4),
        }
    return {
        "tuned_by": request.method,
        "tuning_options": settings,
        "search_aware": request.options.search_aware,
        "tuning_seed": request.options.seed + place,
        "tuning_rounds": len(best.rounds),
        "tuning_runs": request.runs,
        "tuning_sentences": len(tuning.dev),
        "tuning_metric": best.metric,
        "tuning_score": round(best.score, 4),
        "tuning_score_before": round(best.curve[0], 4),
        **dev,
        "tuning_keep": best.keep,
        "tuning_kept_round": best.kept,
        "tuning_signature": best.signature,
        "tuning_key": key,
        **_sparse_origin(best),
    }


def _sparse_origin(best: TuneResult) -> dict[str, Scalar]:
    if best.sparse is None:
        return {}
    return {"tuning_sparse_seen": best.sparse.seen, "tuning_sparse_active": best.sparse.active}
