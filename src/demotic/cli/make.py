"""`demotic make`: makes a tuned and evaluated translator from parallel text in one command."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from demotic.cli.constraint_flags import glossary_flag
from demotic.cli.flags import (
    example,
    force_flag,
    from_options,
    model_out_flag,
    quiet_and_json,
    threads_flag,
)
from demotic.cli.pair_flags import columns_of, language_flags, pair_flags
from demotic.cli.screen import Screen
from demotic.cli.worker_flags import started, workers_flag
from demotic.pipeline.options import MakeOptions

__all__ = ["command"]

_FILE = click.Path()
_PAIR = (_FILE, _FILE)


@click.command(
    epilog=example(
        "demotic make talks.zh talks.en --src-lang zh --tgt-lang en -o zh-en",
        "demotic make memory.tmx --src-lang de --tgt-lang en -o de-en --preset fast",
        "demotic make t.ja t.en --src-lang ja --tgt-lang en -o ja-en \\",
        "    --dev dev.ja dev.en --test test.ja test.en.0 --test test.ja test.en.1",
    )
)
@click.argument("inputs", nargs=-1, required=True, metavar="SRC TGT | FILE", type=_FILE)
@language_flags(required=True)
@model_out_flag
@click.option(
    "--dev",
    nargs=2,
    multiple=True,
    type=_PAIR,
    metavar="SRC REF",
    help="Tune on these files instead of a part of the corpus. Repeat with the same SRC for "
    "more references.",
)
@click.option(
    "--test",
    nargs=2,
    multiple=True,
    type=_PAIR,
    metavar="SRC REF",
    help="Test on these files instead of a part of the corpus; repeatable like --dev.",
)
@glossary_flag("Terms that the translator obeys")
@force_flag("Start again, and replace what demotic make wrote to the directory.")
@from_options(MakeOptions)
@pair_flags
@workers_flag
@threads_flag
@quiet_and_json
def command(*, options: MakeOptions, quiet: bool, as_json: bool, force: bool, **given: Any) -> None:
    """Make a translator from parallel text: two plain files, or one TSV, TMX, PO or XLIFF file.

    Checks and prepares the text, holds out sentences for tuning and testing, builds a model, tunes
    it, trains it on the text, evaluates every stage on the test set and writes a report. The
    directory is then a model for all other verbs. It can be interrupted; the same command resumes.
    """
    from demotic.cli.make_view import Display, show
    from demotic.pipeline import MakeRequest, run_request

    screen = Screen(quiet=quiet, as_json=as_json)
    request = MakeRequest(
        inputs=given["inputs"],
        source_language=given["src_lang"],
        target_language=given["tgt_lang"],
        out=given["out"],
        dev=given["dev"],
        test=given["test"],
        glossaries=given["glossaries"],
        options=options,
        format=given["format_"],
        columns=columns_of(given["columns"]),
        threads=given["threads"],
    )
    with started(screen, given["workers"]) as workers, Display(screen) as display:
        made = run_request(replace(request, workers=workers), force=force, progress=display)
    show(screen, made)
