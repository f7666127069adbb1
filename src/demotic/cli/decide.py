"""`demotic decide`: chooses the decision rule of a model on a dev set."""

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
from demotic.cli.search_flags import search_flags

if TYPE_CHECKING:
    from demotic.learn.decision import TriedDecision

__all__ = ["command"]


@click.command(
    epilog=example(
        "demotic decide zh-en-tuned --src dev.zh --ref dev.en -o zh-en-mbr",
        "demotic decide zh-en-tuned --src dev.zh --ref dev.en --rule consensus -o zh-en-consensus",
    )
)
@click.argument("model", type=click.Path())
@dev_set_flags("Dev set, other sentences than the model was tuned on.")
@model_out_flag
@force_flag("Replace an existing model.")
@click.option(
    "--rule",
    type=click.Choice(["mbr", "consensus", "any"]),
    default="any",
    show_default=True,
    help="Decision rule: minimum Bayes risk, consensus, or the better one.",
)
@search_flags
@threads_flag
@quiet_and_json
def command(*, given: dict[str, Any], quiet: bool, as_json: bool, **rest: Any) -> None:
    """Choose how MODEL decides between translations, by BLEU of a dev set.

    Instead of the best derivation a decision rule takes the translation that agrees best with all
    others of the forest. Its scale and parameters are tried on the dev set; the new model, which
    shares the large files of MODEL, uses the best. Tune weights first, on other sentences: weights
    suit the best derivations of the set they were tuned on, so that hardly anything beats those.
    """
    from demotic.learn.decision import RULES, try_decisions
    from demotic.model import Model
    from demotic.model.output import replaced
    from demotic.search.options import SearchOptions

    screen = Screen(quiet=quiet, as_json=as_json)
    model = Model.load(rest["model"])
    refuse_model_out(rest, model)
    dev = read_dev_set(screen, model, rest)
    with screen.progress("deciding") as advance:
        tried = try_decisions(
            model,
            dev,
            search=SearchOptions.for_model(model, given),
            rules=RULES if rest["rule"] == "any" else (rest["rule"],),
            threads=rest["threads"],
            progress=advance,
        )
    with replaced(rest["out"]):
        model.derive(
            rest["out"],
            search={**given, **tried[0].settings},
            origin={"decided_by": tried[0].options.decision, "decision_score": tried[0].score},
        )
    best = _best_by_rule(tried)
    values = {
        "model": str(rest["out"]),
        "settings": tried[0].settings,
        "bleu": {name: one.score for name, one in best.items()},
    }
    screen.written(values, _text(best, tried[0]), "")


def _best_by_rule(tried: list[TriedDecision]) -> dict[str, TriedDecision]:
    best: dict[str, TriedDecision] = {}
    for one in tried:
        best.setdefault(one.options.decision, one)
    return best


def _text(best: dict[str, TriedDecision], chosen: TriedDecision) -> str:
    lines = ["rule        BLEU on the dev set  settings"]
    for name, one in sorted(best.items(), key=lambda item: -item[1].score):
        settings = [f"{key} {value}" for key, value in one.settings.items() if key != "decision"]
        shown = ", ".join(settings)
        lines.append(f"{name:10}  {one.score:19.2f}  {shown}".rstrip())
    lines.append(f"The new model decides by {chosen.options.decision}.")
    return "\n".join(lines)
