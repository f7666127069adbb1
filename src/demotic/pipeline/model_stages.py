"""The stages that make models: build, tune, train; each returns the model and its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from demotic.counts import counted
from demotic.lines import read_lines
from demotic.pipeline.context import MakeContext
from demotic.pipeline.progress import Advance, substage_progress
from demotic.pipeline.result import StageResult
from demotic.pipeline.ways import TUNED, Way

if TYPE_CHECKING:
    from demotic.features.dense import Kind
    from demotic.learn import DevSet
    from demotic.model import Model
    from demotic.train import Bitext, TrainOptions
    from demotic.train.parts import Progress as PartsProgress
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
# Labels of a fold with their share of its time.
_FOLD = (
    ("training the aligner (hmm)", 0.15),
    ("aligning (hmm)", 0.02),
    ("training the aligner (diagonal)", 0.06),
    ("aligning (diagonal)", 0.02),
    ("extracting rules", 0.2),
    ("estimating the language model", 0.05),
    ("forced decoding", 0.5),
)
_FOLDS = 0.35  # share of the training time spent on the folds' models and forced decoding
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
    from demotic.train import TrainReport, TrainRequest, train_model
    from demotic.train.features import training_features

    home, options = context.work.path(model.kind, "trained"), _options(context, model.kind)
    label = context.label("train", model.kind)
    with context.stage(label) as advance:
        advance(0.0, "word classes")
        features = training_features(model, _TEMPLATES[model.kind], bitext, home / "training")

        def show_progress(epoch: int, done: int, total: int, _: str) -> None:
            share = (epoch - 1 + done / max(1, total)) / options.epochs
            advance(_FOLDS + (1 - _FOLDS) * share, f"epoch {epoch}")

        made = train_model(
            model,
            bitext,
            dev,
            home,
            TrainRequest(options=options, features=features),
            threads=context.request.threads,
            report=TrainReport(setup=_folds(advance, options.folds), advance=show_progress),
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


def _folds(advance: Advance, folds: int) -> PartsProgress:
    """Progress of labels such as `part 2 of 5: aligning` and `part 2 of 5: forced decoding`."""
    begins = {label: sum(share for _, share in _FOLD[:i]) for i, (label, _) in enumerate(_FOLD)}

    def show_progress(what: str, done: int, total: int) -> None:
        part, _, step = what.partition(": ")
        if step not in begins:  # the dev set is scored before the folds and after each epoch
            return
        words = part.split()
        number = int(words[1]) if words[1:2] and words[1].isdigit() else 1
        share = begins[step] + dict(_FOLD)[step] * done / max(1, total)
        advance(_FOLDS * min(1.0, (number - 1 + share) / folds), what)

    return show_progress
