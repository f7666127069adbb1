"""One tuning step of an experiment, with everything that its tables need."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any

from demotic.experiments.recording import read_updates, recording
from demotic.experiments.step_options import given_search, tune_options
from demotic.learn.loop import Tuning
from demotic.learn.runs import TuneRequest
from demotic.metrics.named import MetricChoice
from demotic.search.options import SearchOptions

if TYPE_CHECKING:
    from demotic.experiments.task import LearningTask
    from demotic.features.feature_set import FeatureSet
    from demotic.learn.journal import Round
    from demotic.learn.tune_result import TuneResult
    from demotic.model import Model

__all__ = ["tuned"]

_UPDATES = "updates.jsonl"


def tuned(task: LearningTask, features: FeatureSet | None) -> Model:
    """Tunes, resuming what the folder of the task has."""
    model, system = task.model, task.system
    assert system.tune is not None
    request = TuneRequest(
        method=system.tune.method, learner=system.learner, options=tune_options(system.tune)
    )
    options, method = request.effective, request.tuning_method
    learner = method.make(
        system.learner,
        search_aware=options.search_aware != "none",
        sparse=features is not None or bool(options.tune_sparse),
    )
    tuning = Tuning(
        model,
        task.dev,
        recording(learner, task.path / _UPDATES),
        options,
        method.kind(),
        SearchOptions.for_model(model, given_search(system, model.kind)),
        MetricChoice(system.tune.metric),
        features,
    )
    tuning.learner_code = method.digest

    def show_progress(done: Round) -> None:
        remark = f"round {done.number}, dev {done.score:.2f}"
        task.advance(done.number / (options.rounds + 1), remark)

    result = tuning.run(task.path / "rounds", task.threads, show_progress)
    _record(result, read_updates(task.path / _UPDATES), task.record)
    more: dict[str, Any] = {}
    if result.sparse is not None:
        more = {"sparse": result.sparse.write(task.path / "sparse.bin")}
        if features is not None:
            more |= {"templates": features.templates, "classes": features.layers}
    return model.derive(task.path / "model", weights=result.weights, **more)


def _record(
    result: TuneResult, updates: dict[int, dict[str, float]], record: dict[str, Any]
) -> None:
    figures, curves = record["figures"], record["curves"]
    # Of what the weights are chosen on: sentences that are held out, or the tuning set.
    curve = result.dev_curve or result.curve
    figures |= {"dev": result.selection_score, "rounds": len(result.rounds), "kept": result.kept}
    if result.sparse is not None:
        figures |= {"features": result.sparse.seen, "active": result.sparse.active}
    curves["learning"] = [[i, score] for i, score in enumerate(curve)]
    seconds = [0.0, *accumulate(one.seconds for one in result.rounds)]
    curves["time"] = [[s, score] for s, score in zip(seconds, curve, strict=False)]
    if updates:
        times = [one["cpu"] for one in updates.values()]
        figures |= {"optimiser": sum(times), "optimiser_last": updates[max(updates)]["cpu"]}
    spreads = {number: one for number, one in updates.items() if "spread" in one}
    if spreads:
        mean = sum(one["spread"] for one in spreads.values()) / len(spreads)
        square = sum(one["spread_sd"] ** 2 + one["spread"] ** 2 for one in spreads.values())
        kept = spreads.get(result.kept, spreads[max(spreads)])
        figures |= {
            "spread": mean,
            "spread_sd": max(0.0, square / len(spreads) - mean**2) ** 0.5,
            "spread_kept": kept["spread"],
            "spread_kept_sd": kept["spread_sd"],
        }
