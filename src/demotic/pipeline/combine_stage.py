"""The stage that combines both kinds of models, as `demotic combine` does, on the dev set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.pipeline.context import MakeContext
from demotic.pipeline.result import StageResult

if TYPE_CHECKING:
    from demotic.learn import DevSet
    from demotic.model import Model

__all__ = ["combine_stage"]

_STAGE = "combine"


def combine_stage(
    context: MakeContext, model: Model, partner: Model, dev: DevSet
) -> tuple[Model, StageResult]:
    """The model that decides together with its partner.

    Both search as in the finished model, when the settings are chosen and ever after.  Together
    they are a candidate for the finished model only if they beat either of them in that search.
    """
    from demotic.learn.combination import try_combinations
    from demotic.model.output import replaced

    home = context.work.path(model.kind, "combined")
    with context.stage(_STAGE) as advance:
        model, partner = (_finished(context, one) for one in (model, partner))
        tried = try_combinations(
            model,
            partner,
            dev,
            threads=context.request.threads,
            progress=lambda done, total: advance(done / max(1, total), "searching with both"),
        )
        with replaced(home):
            made = model.derive(home, search=tried.best.settings, partner=partner)
    alone = " and ".join(f"{score:.2f}" for score in tried.scores_alone)
    context.progress.done(f"dev BLEU {tried.best.score:.2f} of both kinds together, {alone} alone")
    return made, StageResult(
        name="combined",
        kind=made.kind,
        model=made.path.relative_to(context.work.home).as_posix(),
        seconds=context.work.times.get(_STAGE, 0.0),
        dev=tried.best.score,
        scores={},
        remark=f"with a {partner.kind} model, share {tried.best.share:g}, dev BLEU {alone} alone",
        story=tried.best.score < max(tried.scores_alone),
    )


def _finished(context: MakeContext, model: Model) -> Model:
    """The model with the search settings of the finished one instead of those of learning."""
    from demotic.model.output import replaced

    home = context.work.path(model.kind, "searching")
    with replaced(home):
        return model.derive(home, search=context.request.search(model.kind))
