"""`demotic add`: adds sentence pairs to a model with rules on demand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from demotic.cli.dev_set_flags import refuse_model_out
from demotic.cli.flags import (
    example,
    force_flag,
    model_out_flag,
    quiet_and_json,
    threads_flag,
)
from demotic.cli.screen import Screen
from demotic.cli.text_flags import note_texts, raw_text, text_flags

__all__ = ["command"]


@click.command(
    epilog=example(
        "demotic add zh-en --src new.zh --tgt new.en -o zh-en-new",
        "demotic add zh-en --src new.zh --tgt new.en --links new.links -o zh-en-new",
    )
)
@click.argument("model", type=click.Path())
@click.option("--src", required=True, help="Source side of the pairs, one sentence per line.")
@click.option("--tgt", required=True, help="Target side.")
@click.option(
    "--links",
    type=click.Path(dir_okay=False, path_type=Path),
    multiple=True,
    help="Use these word links, like 0-0 1-2, instead of aligning; repeatable, one file per set of "
    "links that the model was built from.",
)
@model_out_flag
@force_flag("Replace an existing model.")
@text_flags("src", "tgt")
@threads_flag
@quiet_and_json
def command(*, quiet: bool, as_json: bool, **rest: Any) -> None:
    """Add sentence pairs to MODEL and write a new model that shares its large files.

    The model must have rules on demand (demotic build --rules on-demand). The pairs are aligned by
    its aligners and indexed apart from its text, which takes as long as the pairs are many.
    Language models and weights stay as they are.
    """
    from demotic.cli.final_output import model_next, model_text, next_text
    from demotic.model import Model
    from demotic.model.adding import add_pairs
    from demotic.model.output import replaced
    from demotic.text.pairs import Pair
    from demotic.text.readers.plain import different_counts

    screen = Screen(quiet=quiet, as_json=as_json)
    model = Model.load(rest["model"])
    refuse_model_out(rest, model)
    text = raw_text(model, rest, "src", "tgt")
    source, target = text.read_source(rest["src"]), text.read_references(rest["tgt"])
    note_texts(screen, text)
    if len(source) != len(target):
        raise different_counts(rest["src"], len(source), rest["tgt"], len(target))
    sides = zip(source, target, strict=True)
    pairs = [Pair(s, t, rest["src"], line) for line, (s, t) in enumerate(sides, 1)]
    with replaced(rest["out"]):
        made = add_pairs(model, pairs, rest["out"], links=rest["links"], threads=rest["threads"])
    values = {"model": str(made.path), "added": len(pairs), "pairs": made.rules.store.pairs}
    screen.written(values, model_text(made), next_text(model_next(made, tuned=True)))
