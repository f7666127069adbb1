"""`demotic combine`: makes a model that decides together with another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from demotic.cli.dev_set_flags import dev_set_flags, read_dev_set, refuse_model_out
from demotic.cli.flags import (
    example,
    force_flag,
    model_out_flag,
    quiet_and_json,
    threads_flag,
)
from demotic.cli.screen import Screen

if TYPE_CHECKING:
    from demotic.learn.combination import CombinationScores

__all__ = ["command"]


@click.command(
    epilog=example(
        "demotic combine zh-en-phrase zh-en-hiero --src dev.zh --ref dev.en -o zh-en",
    )
)
@click.argument("model", type=click.Path())
@click.argument("partner", type=click.Path())
@dev_set_flags("Dev set, on which the settings are chosen.")
@model_out_flag
@force_flag("Replace an existing model.")
@threads_flag
@quiet_and_json
def command(*, quiet: bool, as_json: bool, **rest: Any) -> None:
    """Combine MODEL with PARTNER, such as a phrase model with a hierarchical one.

    The new model is MODEL with a copy of PARTNER inside. It translates with both and takes the
    candidate on whose words they agree best. How much either counts is chosen by BLEU of a dev set.
    Both must be built from the same prepared text. Verbs that change weights, such as tune, make a
    model without the partner.
    """
    from demotic.learn.combination import try_combinations
    from demotic.model import Model
    from demotic.model.output import replaced
    from demotic.model.partner import refuse_other_text

    screen = Screen(quiet=quiet, as_json=as_json)
    model, partner = Model.load(rest["model"]), Model.load(rest["partner"])
    refuse_model_out(rest, model, partner)
    refuse_other_text(model, partner)
    dev = read_dev_set(screen, model, rest)
    with screen.progress("combining") as advance:
        tried = try_combinations(model, partner, dev, threads=rest["threads"], progress=advance)
    with replaced(rest["out"]):
        model.derive(
            rest["out"],
            search=tried.best.settings,
            origin={"combined_with": partner.kind, "combination_score": tried.best.score},
            partner=partner,
        )
    alone = tried.scores_alone
    values = {
        "model": str(rest["out"]),
        "settings": tried.best.settings,
        "bleu": {"model": alone[0], "partner": alone[1], "combined": tried.best.score},
    }
    screen.written(values, _text(tried, [rest["model"], rest["partner"]]), "")


def _text(tried: CombinationScores, names: list[str]) -> str:
    lines = ["BLEU on the dev set"]
    rows = [*zip(tried.scores_alone, names, strict=True), (tried.best.score, "combined")]
    lines += [f"{score:19.2f}  {name}" for score, name in rows]
    settings = tried.best.settings
    shown = [f"{key} {value}" for key, value in settings.items() if key != "decision"]
    return "\n".join([*lines, f"settings: {', '.join(shown)}"])
