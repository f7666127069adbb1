"""`demotic calibrate`: learns how likely the words of a model's translations are correct."""

from __future__ import annotations

from typing import Any

import click

from demotic.cli.dev_set_flags import dev_set_flags, read_dev_set
from demotic.cli.flags import example, force_flag, quiet_and_json, threads_flag
from demotic.cli.screen import Screen

__all__ = ["command"]


@click.command(
    epilog=example(
        "demotic calibrate zh-en --src dev.zh --ref dev.en",
        "echo 你好 | demotic translate zh-en --confidence",
    )
)
@click.argument("model", type=click.Path())
@dev_set_flags("Dev set, one sentence per line.")
@force_flag("Replace the calibration of the model.")
@threads_flag
@quiet_and_json
def command(*, quiet: bool, as_json: bool, **rest: Any) -> None:
    """Learn word confidence for MODEL and store it in its directory.

    Translates the dev set, compares every word with the references, and learns how often words are
    correct that are as probable as this one. tune, train and make do it at their end.
    """
    from demotic.confidence import calibrate
    from demotic.errors import Error
    from demotic.model import Model

    screen = Screen(quiet=quiet, as_json=as_json)
    model = Model.load(rest["model"])
    if model.info.parts.confidence is not None and not rest["force"]:
        raise Error(
            "the model is calibrated already",
            path=str(model.path),
            expected="a model without word confidence",
            advice="give --force to calibrate it again",
        )
    dev = read_dev_set(screen, model, rest)
    with screen.progress("learning word confidence") as advance:
        made = calibrate(
            model, dev.source, dev.references, threads=rest["threads"], progress=advance
        )
    made.attach(model)
    values = {
        "words": made.words,
        "correct": round(made.correct, 4),
        "area_under_roc": round(made.area_under_roc, 4),
        "scale": made.scale,
    }
    screen.written(
        values,
        f"{model.path}: word confidence learnt from {made.words:,} words, {made.correct:.1%} of "
        f"them correct (area under ROC {made.area_under_roc:.3f})",
        f"try it     echo 'TEXT' | demotic translate {model.path} --confidence",
    )
