"""`demotic build`: two text files in, a model directory out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from demotic.cli.flags import example, from_options, quiet_and_json, threads_flag
from demotic.cli.screen import Screen
from demotic.lm.estimate import LmOptions
from demotic.rules import RuleOptions

__all__ = ["command"]

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command(
    epilog=example(
        "demotic build --src talks/corpus.zh --tgt talks/corpus.en --model zh-en",
        "demotic build --src t.ja --tgt t.en --kind hiero --order 5 --model ja-en",
    )
)
@click.option("--src", required=True, type=_FILE, help="Source side, a tokenised sentence a line.")
@click.option("--tgt", required=True, type=_FILE, help="Target side.")
@click.option("--model", required=True, type=click.Path(path_type=Path), help="The directory.")
@click.option(
    "--kind",
    type=click.Choice(["phrase", "hiero"]),
    default="phrase",
    show_default=True,
    help="Phrases, or rules with gaps for languages of very different order.",
)
@click.option("--links", type=_FILE, help="Word links like 0-0 1-2, instead of aligning.")
@click.option(
    "--lm-text", type=_FILE, multiple=True, help="Text for the language model, instead of --tgt."
)
@click.option("--force", is_flag=True, help="Do every step anew.")
@from_options(RuleOptions, "rules")
@from_options(LmOptions, "lm")
@threads_flag
@quiet_and_json
def command(
    *, rules: RuleOptions, lm: LmOptions, threads: int, quiet: bool, as_json: bool, **given: Any
) -> None:
    """Build a model from parallel text: align, estimate a language model, extract rules.

    Run the same command again after an interruption: what has been done is not done twice. Text
    that demotic prepare made brings its preparation along. Alignment has a verb and options of its
    own: run demotic align and give --links if its defaults do not serve.
    """
    from demotic.build import BuildOptions, build

    screen = Screen(quiet=quiet, as_json=as_json)
    options = BuildOptions(
        source=given["src"],
        target=given["tgt"],
        kind=given["kind"],
        links=given["links"],
        lm_text=given["lm_text"],
        lm=lm,
        rules=rules,
    )
    built = build(
        options, given["model"], threads=threads, force=given["force"], progress=screen.progress
    )
    if built.skipped:
        screen.note(f"done before: {', '.join(built.skipped)}")
    made = built.model
    values = {
        "model": str(made.path),
        "kind": made.kind,
        "rules": len(made.rules),
        "words": len(made.vocabulary),
        "skipped": list(built.skipped),
    }
    screen.result(values, repr(made))
