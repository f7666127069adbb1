"""From a model and its bitext to a trained model directory.

    trained = train_model(model, Bitext(source, target), dev, "trained", TrainRequest(...))

`training/` of the new directory has the parts of the bitext with their gold forests, the learning
curve and the checkpoint, from which more epochs can continue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic.errors import Error
from demotic.learn.dev_set import DevSet
from demotic.learn.journal import key_of
from demotic.lines import PathLike
from demotic.lock import locked
from demotic.metrics.named import MetricChoice
from demotic.model import Model, refuse_existing
from demotic.model.file import MODEL_NAME, ModelInfo
from demotic.model.output import WAY_OUT, refuse_inside, replaced
from demotic.outputs import nothing_left_on_failure, refuse_foreign
from demotic.search.options import SearchOptions
from demotic.train.epochs import Epoch
from demotic.train.options import TrainOptions
from demotic.train.own_rule import RuleChoice
from demotic.train.pairs import Bitext
from demotic.train.parts import Part, find_parts
from demotic.train.parts import Progress as PartsProgress
from demotic.train.start import start_score
from demotic.train.training import Advance, Training, TrainResult

if TYPE_CHECKING:
    from demotic.model.file import Scalar
    from demotic.train.features import FeatureSet
    from demotic.workers import Workers

__all__ = ["MakeFeatures", "TrainReport", "TrainRequest", "Trained", "train_model"]

MakeFeatures = Callable[[Path], "FeatureSet | None"]
"""Called with the folder of the training run."""


@dataclass(frozen=True, kw_only=True)
class TrainRequest:
    """What to train, and how."""

    options: TrainOptions = field(default_factory=TrainOptions)
    metric: MetricChoice = field(default_factory=MetricChoice)
    """Of the dev set: chooses the weight of sparse features and, if not the last, the epoch."""
    rule: RuleChoice | None = None
    """An update rule of the user's own, instead of the method of the options."""
    search: Mapping[str, Any] = field(default_factory=dict)
    """Search settings that differ from the model's; the new model keeps them."""
    features: FeatureSet | MakeFeatures | None = None
    """Sparse features; without them only the dense weights are trained.

    A function is called only after the dev set has been scored successfully.
    """
    templates: str = ""
    """The requested features, as part of the identity of a training run."""


@dataclass(frozen=True)
class Trained:
    """The new model, and how it was trained."""

    model: Model
    result: TrainResult
    pairs: int
    """Number of reachable pairs."""
    bitext: int
    unknown: int = 0
    """Pairs with words unknown to the model, which the folds' rules are made without."""
    others: int = 0
    """Unreachable pairs that training learns from in the way of `unreachable`."""


@dataclass(frozen=True, kw_only=True)
class TrainReport:
    """Optional progress callbacks."""

    setup: PartsProgress | None = None
    start: Callable[[Epoch], None] | None = None
    parts: Callable[[list[Part]], None] | None = None
    epoch: Callable[[Epoch], None] | None = None
    advance: Advance | None = None


def train_model(
    model: Model,
    bitext: Bitext,
    dev: DevSet,
    out: PathLike,
    request: TrainRequest | None = None,
    *,
    threads: int = 1,
    force: bool = False,
    report: TrainReport | None = None,
    workers: Workers | None = None,
) -> Trained:
    """Trains and writes the model `out`; the same call resumes an interrupted run.

    With `force` everything starts again, and a model in `out` is replaced at the end.  `workers`
    search, which does not affect the result.
    """
    request, out, report = request or TrainRequest(), Path(out), report or TrainReport()
    search = SearchOptions.for_model(model, request.search)
    _check(model, request, search)
    inputs = inputs_key(model, bitext, dev, request, search)
    refuse_inside(out, model.path)
    if force:
        refuse_foreign(out, force=True)
    else:
        refuse_other_training(out, inputs)
    old = replaced(out, ["training"]) if force else nullcontext()
    folder = out / "training"
    with nothing_left_on_failure(out), old, locked(folder):
        training = _set_up(model, bitext, dev, request, search, folder, threads, report, workers)
        key = f"{training.key}-{request.options.epochs}"
        done = _done(out, key)
        if done is None:
            refuse_existing(out, advice=WAY_OUT)
        result = training.run(
            folder,
            threads=threads,
            report=report.epoch,
            advance=report.advance,
            scoring=_scoring(report.setup),
            workers=workers,
        )
        if done is None:
            done = _write_trained(model, out, request, training, result, key, inputs)
    parts = training.parts
    return Trained(
        done,
        result,
        sum(part.pairs.reachable for part in parts),
        len(bitext),
        max((part.unknown for part in parts), default=0),
        sum(len(part.pairs) - part.pairs.reachable for part in parts),
    )


def _set_up(
    model: Model,
    bitext: Bitext,
    dev: DevSet,
    request: TrainRequest,
    search: SearchOptions,
    folder: Path,
    threads: int,
    report: TrainReport,
    workers: Workers | None,
) -> Training:
    """Scores the dev set, then makes the features and the parts of the bitext."""
    options = request.options
    start = start_score(
        model,
        dev,
        options,
        search,
        folder,
        metric=request.metric,
        threads=threads,
        progress=_scoring(report.setup),
    )
    if report.start:
        report.start(start)
    features = request.features(folder) if callable(request.features) else request.features
    parts = find_parts(
        model,
        bitext,
        options,
        search,
        folder,
        threads=threads,
        progress=report.setup,
        workers=workers,
    )
    if report.parts:
        report.parts(parts)
    return Training(
        model,
        parts,
        dev,
        options,
        features,
        search,
        start=start,
        metric=request.metric,
        rule=request.rule,
    )


def inputs_key(
    model: Model, bitext: Bitext, dev: DevSet, request: TrainRequest, search: SearchOptions
) -> str:
    """Identifies the inputs of a training run before any work, unlike the key of its features."""
    return key_of(
        {
            "options": asdict(replace(request.options, min_bleu=0.0)),
            "search": asdict(search),
            "model": {name: one.digest for name, one in model.info.files.items()},
            "weights": dict(model.weights),
            "templates": request.templates,
            "metric": [request.metric.name, dict(request.metric.options), request.metric.digest],
            "rule": None
            if request.rule is None
            else [request.rule.name, dict(request.rule.options), request.rule.digest],
            "bitext": bitext.digest,
            "dev": dev.digest,
        }
    )


def refuse_other_training(out: Path, inputs: str) -> None:
    """Refuses a directory with other files or with a model of another training run."""
    refuse_foreign(out, "training", MODEL_NAME)
    if not (out / MODEL_NAME).exists():
        return
    known = ModelInfo.read(out).origin.get("training_inputs")
    if known != inputs:
        refuse_existing(out, advice=WAY_OUT)


def _scoring(setup: PartsProgress | None) -> Callable[[int, int], None] | None:
    if setup is None:
        return None
    return lambda done, total: setup("scoring the dev set", done, total)


def _check(model: Model, request: TrainRequest, search: SearchOptions) -> None:
    model.rules.require_table("demotic train")
    if request.features is None and model.sparse is not None:
        raise Error(
            "no features for a model that has sparse weights",
            path=str(model.path),
            expected="templates, or a model without sparse weights",
            advice="omit --features, or train the model that this one was made from",
        )
    if request.features is None and request.options.dense_rate == 0:
        raise Error(
            "no sparse features, and fixed dense weights",
            expected="something to learn",
            advice="give --dense-rate 1, or --features default",
        )
    if search.drop_unknown:
        raise Error(
            "drop_unknown in the search",
            expected="unknown words to be copied",
            advice="give --no-drop-unknown",
        )
    if model.kind == "hiero" and (request.options.method == "early" or request.options.prefixes):
        flag = "--method early" if request.options.method == "early" else "--prefixes"
        raise Error(
            f"{flag} for a Hiero model",
            expected="a phrase model",
            advice="omit it",
        )


def _write_trained(
    model: Model,
    out: Path,
    request: TrainRequest,
    training: Training,
    result: TrainResult,
    key: str,
    inputs: str,
) -> Model:
    origin: dict[str, Scalar] = {
        "trained_by": request.rule.name if request.rule else request.options.method,
        "training_epochs": len(result.epochs),
        "training_epoch": result.kept.number,
        "training_pairs": sum(part.pairs.reachable for part in training.parts),
        "training_metric": result.metric,
        "training_score": round(result.kept.score, 4),
        "training_signature": result.signature,
        "training_key": key,
        "training_inputs": inputs,
    }
    if result.start is not None:
        origin["training_score_before"] = round(result.start.score, 4)
    if not result.helped:
        return model.derive(out, search=request.search, origin=origin)
    features = training.features
    return model.derive(
        out,
        weights=result.weights,
        search=request.search,
        origin=origin,
        sparse=result.sparse,
        templates=features.templates if features else None,
        classes=features.layers if features else None,
    )


def _done(out: Path, key: str) -> Model | None:
    """The model that this very run has already made."""
    if not (out / MODEL_NAME).exists():
        return None
    model = Model.load(out)
    return model if model.info.origin.get("training_key") == key else None
