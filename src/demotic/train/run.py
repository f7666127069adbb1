"""From a model and its bitext to a trained model directory.

    trained = train_model(model, Bitext(source, target), dev, "trained", TrainOrder(...))

`training/` of the new directory has the parts of the bitext with their gold forests, the curve and
the checkpoint, from which more epochs go on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic.errors import Error
from demotic.learn.dev_set import DevSet
from demotic.lines import PathLike
from demotic.lock import locked
from demotic.model import Model, refuse_existing
from demotic.model_file import MODEL_NAME
from demotic.search.options import SearchOptions
from demotic.train.epochs import Epoch
from demotic.train.options import TrainOptions
from demotic.train.pairs import Bitext
from demotic.train.parts import Part, find_parts
from demotic.train.parts import Progress as PartsProgress
from demotic.train.training import Advance, Training, TrainResult

if TYPE_CHECKING:
    from demotic.model_file import Scalar
    from demotic.train.features import FeatureSet

__all__ = ["TrainOrder", "TrainReport", "Trained", "train_model"]


@dataclass(frozen=True, kw_only=True)
class TrainOrder:
    """What is to be done."""

    options: TrainOptions = field(default_factory=TrainOptions)
    search: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the search that differ from the model's; the new model keeps them."""
    features: FeatureSet | None = None
    """Sparse features; without them the dense weights are trained alone."""


@dataclass(frozen=True)
class Trained:
    """The new model, and how it was trained."""

    model: Model
    result: TrainResult
    pairs: int
    """Whose references are derived."""
    bitext: int


@dataclass(frozen=True, kw_only=True)
class TrainReport:
    """Who hears of what; all may be None."""

    making: PartsProgress | None = None
    parts: Callable[[list[Part]], None] | None = None
    epoch: Callable[[Epoch], None] | None = None
    advance: Advance | None = None


def train_model(
    model: Model,
    bitext: Bitext,
    dev: DevSet,
    out: PathLike,
    order: TrainOrder | None = None,
    *,
    threads: int = 1,
    report: TrainReport | None = None,
) -> Trained:
    """Trains and writes the model `out`; the same call goes on with what was stopped."""
    order, out, report = order or TrainOrder(), Path(out), report or TrainReport()
    search = SearchOptions.for_model(model.settings, order.search)
    _check(model, order, search)
    folder = out / "training"
    with locked(folder):
        parts = find_parts(
            model, bitext, order.options, search, folder, threads=threads, progress=report.making
        )
        if report.parts:
            report.parts(parts)
        training = Training(model, parts, dev, order.options, order.features, search)
        key = f"{training.key}-{order.options.epochs}"
        done = _done(out, key)
        if done is None:
            refuse_existing(out)
        result = training.run(folder, threads=threads, report=report.epoch, advance=report.advance)
        if done is None:
            done = _made(model, out, order, training, result, key)
    return Trained(done, result, sum(part.pairs.derived for part in parts), len(bitext))


def _check(model: Model, order: TrainOrder, search: SearchOptions) -> None:
    if order.features is None and model.sparse is not None:
        raise Error(
            "no features for a model that has sparse weights",
            path=str(model.path),
            expected="templates, or a model without sparse weights",
            advice="leave out --features, or train the model that this one was made from",
        )
    if order.features is None and order.options.dense_rate == 0:
        raise Error(
            "no sparse features, and dense weights that do not move",
            expected="something to learn",
            advice="give --dense-rate 1, or --features default",
        )
    if search.drop_unknown:
        raise Error("drop_unknown in the search", expected="unknown words that are copied")
    if model.kind == "hiero" and (order.options.method == "early" or order.options.prefixes):
        raise Error(
            f"{'early updates' if order.options.method == 'early' else 'prefixes'} for Hiero",
            expected="a phrase model",
            advice="choose max-violation, and whole pairs",
        )


def _made(
    model: Model, out: Path, order: TrainOrder, training: Training, result: TrainResult, key: str
) -> Model:
    origin: dict[str, Scalar] = {
        "trained_by": order.options.method,
        "training_epochs": len(result.epochs),
        "training_epoch": result.kept.number,
        "training_pairs": sum(part.pairs.derived for part in training.parts),
        "training_bleu": round(result.kept.bleu, 4),
        "training_signature": result.signature,
        "training_key": key,
    }
    features = order.features
    return model.derive(
        out,
        weights=result.weights,
        search=order.search,
        origin=origin,
        sparse=result.sparse,
        templates=features.templates if features else None,
        classes=features.layers if features else None,
    )


def _done(out: Path, key: str) -> Model | None:
    """The model that this very run has made before."""
    if not (out / MODEL_NAME).exists():
        return None
    model = Model.load(out)
    return model if model.info.origin.get("training_key") == key else None
