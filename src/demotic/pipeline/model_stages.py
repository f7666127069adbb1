"""The stages that make models: build, tune, train; each returns the model and its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from demotic.counts import counted
from demotic.lines import read_lines
from demotic.pipeline.context import MakeContext
from demotic.pipeline.progress import substage_progress
from demotic.pipeline.result import StageResult
from demotic.pipeline.ways import TUNED, Way

if TYPE_CHECKING:
    from demotic.features.dense import Kind
    from demotic.learn import DevSet
    from demotic.model import Model
    from demotic.train import Bitext, TrainOptions
    from demotic.train.training import TrainResult

__all__ = ["bitext_of", "build_stage", "train_stage", "tune_stage"]

# Labels of `demotic build` with their share of its time.
_BUILD = (
    ("reading", 0.05),
    ("training the aligner (hmm)", 0.25),
    ("aligning (hmm)", 0.05),
    ("training the aligner (diagonal)", 0.15),
    ("aligning (diagonal)", 0.05),
    ("estimating the language model", 0.05),
    ("estimating the language model of 100 classes", 0.1),
    ("estimating the operation sequence model", 0.05),
    ("extracting rules", 0.25),
)
# Hiero training takes several times as long as phrase training and gains less, so it is reduced:
# two folds, few epochs, pairs of ordinary length, fewer templates.
_HIERO: dict[str, Any] = {"max_words": 12, "folds": 2}
_HIERO_EPOCHS = 3
_TEMPLATES = {"phrase": "default", "hiero": "z14"}


def build_stage(context: MakeContext, kind: Kind) -> Model:
    from demotic.model.build import BuildOptions, build
    from demotic.model.presets import PRESETS

    source, target = context.corpus_files
    preset = PRESETS[context.request.options.preset].options(kind)
    with context.stage(context.label("build", kind)) as advance:
        made = build(
            BuildOptions(source=source, target=target, kind=kind, **preset),
            context.work.path(kind, "built"),
            threads=context.request.threads,
            progress=substage_progress(advance, _BUILD),
            workers=context.request.workers,
        )
    context.progress.done(made.model.rules.size_text)
    return made.model


def tune_stage(
    context: MakeContext, model: Model, dev: DevSet, way: Way = TUNED
) -> tuple[Model, StageResult]:
    from demotic.learn import TuneOptions, TuneRequest, tune_model
    from demotic.learn.journal import Round

    label = context.label(way.does, model.kind)
    options = TuneOptions(
        rounds=context.request.preset.rounds,
        seed=context.request.options.seed,
        search_aware=way.search_aware,
    )
    with context.stage(label) as advance:

        def show_progress(_: int, done: Round) -> None:
            remark = f"round {done.number}, dev BLEU {done.score:.2f}"
            advance(done.number / (options.rounds + 1), remark)

        made = tune_model(
            model,
            dev,
            context.work.path(model.kind, way.folder),
            TuneRequest(method=way.method, options=options, search=context.request.preset.learning),
            threads=context.request.threads,
            report=show_progress,
            workers=context.request.workers,
        )
    run = made.runs[0]
    before, after = run.curve[0], run.score
    kept = f"round {run.kept} of {len(run.rounds)}" if run.kept else "tuning: no round was better"
    context.progress.done(f"dev BLEU {before:.2f} before, {after:.2f} after {kept}")
    return made.model, StageResult(
        name=way.name,
        dev=after,
        curve=tuple(run.curve),
        kept=run.kept,
        remark=f"{way.text}, round {run.kept} of {len(run.rounds)}",
        story=way.story,
        **_common(context, made.model, label),
    )


def train_stage(
    context: MakeContext, model: Model, bitext: Bitext, dev: DevSet
) -> tuple[Model, StageResult]:
    from demotic.train import TrainRequest, train_model
    from demotic.train.features import training_features
    from demotic.train.share_done import share_report

    home, options = context.work.path(model.kind, "trained"), _options(context, model.kind)
    label = context.label("train", model.kind)
    with context.stage(label) as advance:
        advance(0.0, "word classes")
        features = training_features(model, _TEMPLATES[model.kind], bitext, home / "training")

        made = train_model(
            model,
            bitext,
            dev,
            home,
            TrainRequest(options=options, features=features),
            threads=context.request.threads,
            report=share_report(options, advance),
            workers=context.request.workers,
        )
    epochs, kept = made.result.epochs, made.result.kept
    curve = [one.score for one in (*filter(None, [made.result.start]), *epochs)]
    context.progress.done(_outcome(made.result))
    return made.model, StageResult(
        name="trained",
        dev=kept.score,
        curve=tuple(curve),
        kept=kept.number,
        remark=f"{counted(len(epochs), 'epoch')}, {kept.features:,} sparse features",
        invalid=tuple(100 * one.invalid_ratio for one in epochs),
        reachable=made.pairs,
        **_common(context, made.model, label),
    )


def _outcome(result: TrainResult) -> str:
    before, after = result.start, result.kept
    start = "" if before is None else f"{before.score:.2f} before, "
    return f"dev BLEU {start}{after.score:.2f} after epoch {after.number}"


def bitext_of(context: MakeContext) -> Bitext:
    """The prepared training text in the form that training takes."""
    from demotic.train import Bitext

    return Bitext(*(read_lines(path).tolist() for path in context.corpus_files))


def _options(context: MakeContext, kind: str) -> TrainOptions:
    from demotic.train import TrainOptions

    preset, seed = context.request.preset, context.request.options.seed
    if kind == "hiero":
        epochs = min(preset.epochs, _HIERO_EPOCHS)
        return TrainOptions(epochs=epochs, seed=seed, **_HIERO)
    return TrainOptions(
        epochs=preset.epochs,
        folds=preset.folds,
        prefixes=True,
        compare_by="score",
        seed=seed,
    )


def _common(context: MakeContext, model: Model, label: str) -> dict[str, Any]:
    return {
        "kind": model.kind,
        "model": model.path.relative_to(context.work.home).as_posix(),
        "seconds": context.work.times.get(label, 0.0),
        "scores": {},
    }
