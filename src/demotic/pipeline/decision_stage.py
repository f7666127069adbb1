"""The stage that chooses how models decide: `demotic decide` and `demotic combine` in one.

Weights suit the best derivations of the sentences they were tuned on, so a decision rule has to be
chosen on others.  Each model is tuned once more on one half of the dev set, the rule is chosen on
the other half, and the model that was tuned on the whole set gets it.  Scales belong to the size of
the weights, which differs between the two, so they are converted.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from demotic.pipeline.context import MakeContext
from demotic.pipeline.result import StageResult

if TYPE_CHECKING:
    from demotic.learn import DevSet
    from demotic.model import Model

__all__ = ["decide_stage"]

Settings = dict[str, str | float | int]

_FEWEST = 40  # sentences of a dev set whose half can still be tuned on


def decide_stage(
    context: MakeContext, models: Sequence[Model], dev: DevSet
) -> tuple[Model, StageResult] | None:
    """The first model with the chosen rule, and with the second as partner if there are two.

    None if the best derivation is the best choice, or if there are too few sentences to tell.
    """
    if len(dev) < _FEWEST:
        return None
    name = "combined" if len(models) > 1 else "decided"
    with context.stage("combine" if len(models) > 1 else "decide") as advance:
        tuning, choosing = dev.halves
        halves = []
        for i, model in enumerate(models):
            advance(i / (len(models) + 1), f"tuning on half of the dev set ({model.kind})")
            halves.append(_tuned(context, model, tuning))
        advance(len(models) / (len(models) + 1), "choosing the decision")
        settings = _chosen(halves, choosing, context.request.threads)
        if settings["decision"] == "map":
            context.progress.done("the best derivation stays the choice")
            return None
        home = context.work.path(models[0].kind, name)
        made = _derived(models, halves, settings, home)
        score = _score(made, dev, context.request.threads)
    context.progress.done(f"dev BLEU {score:.2f} by {settings['decision']}")
    return made, StageResult(
        name=name,
        kind=made.kind,
        model=made.path.relative_to(context.work.home).as_posix(),
        seconds=context.work.times.get("combine" if len(models) > 1 else "decide", 0.0),
        dev=score,
        scores={},
        remark=f"decision {settings['decision']}",
    )


def _tuned(context: MakeContext, model: Model, half: DevSet) -> Model:
    from demotic.learn import TuneOptions, TuneRequest, tune_model

    options = TuneOptions(rounds=context.request.preset.rounds, seed=context.request.options.seed)
    request = TuneRequest(options=options, search=context.request.preset.learning)
    home = context.work.path(model.kind, "tuned-on-half")
    return tune_model(model, half, home, request, threads=context.request.threads).model


def _chosen(models: Sequence[Model], dev: DevSet, threads: int) -> Settings:
    from demotic.learn.combination import try_combinations
    from demotic.learn.decision import try_decisions

    if len(models) == 1:
        return try_decisions(models[0], dev, threads=threads)[0].settings
    return dict(try_combinations(models[0], models[1], dev, threads=threads).best.settings)


def _derived(
    models: Sequence[Model], halves: Sequence[Model], settings: Settings, home: Path
) -> Model:
    """The first model with the settings, their scales converted to its weights."""
    from demotic.model.output import replaced

    converted = dict(settings)
    names = ("decision_scale", "partner_scale")
    for key, model, half in zip(names, models, halves, strict=False):
        converted[key] = float(settings[key]) * _size(half) / _size(model)
    partner = models[1] if len(models) > 1 else None
    with replaced(home):
        return models[0].derive(home, search=converted, partner=partner)


def _size(model: Model) -> float:
    """The sum of the absolute dense weights."""
    return float(sum(abs(value) for value in model.weights.values())) or 1.0


def _score(model: Model, dev: DevSet, threads: int) -> float:
    """BLEU of tokens, as the tuner scores them."""
    from demotic.metrics.bleu import Bleu, BleuOptions
    from demotic.search.decision import DecisionOptions
    from demotic.search.sentence_grammars import Sentence
    from demotic.search.stream import LineTranslator

    translator = LineTranslator(model.decoder(), model.raw_text, threads=threads)
    translator = translator.deciding(DecisionOptions.for_model(model))
    lines = translator.lines([Sentence(line) for line in dev.source])
    metric = Bleu(dev.references, BleuOptions(tokenize="none"))
    rows = metric.statistics([line.candidates[0].text for line in lines])
    return metric.corpus_score(rows.sum(axis=0))
