"""`demotic translate`: text in, text out, one line for each line."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from typing import Any

import click

from demotic.cli.flags import example, quiet_and_json, threads_flag
from demotic.cli.screen import Screen
from demotic.cli.search_flags import open_decoder, search_flags

__all__ = ["command"]

_OUT = click.Path(dir_okay=False)


@click.command(
    epilog=example(
        "demotic translate zh-en < new.zh > new.en",
        "demotic translate zh-en test.zh.gz --nbest 100 --distinct --nbest-file test.nbest.gz",
        "demotic translate zh-en --beam 50 --pop-limit 100 --scores < new.zh",
    )
)
@click.argument("model", type=click.Path(file_okay=False))
@click.argument("file", type=click.Path(allow_dash=True, dir_okay=False), default="-")
@click.option(
    "--nbest",
    metavar="K",
    type=click.IntRange(1),
    help="The K best translations in Moses' format, on standard output instead of the best ones.",
)
@click.option("--distinct", is_flag=True, help="Only different translations in the n-best list.")
@click.option(
    "--nbest-file", type=_OUT, help="The n-best list goes here (gz by suffix), the best to output."
)
@click.option("--scores", is_flag=True, help="The score and a tab before each translation.")
@click.option(
    "--alignment",
    is_flag=True,
    help="Word links like 0-0 1-2 and a tab before each translation; in n-best lists also phrases.",
)
@click.option(
    "--forest", type=_OUT, help="What the search considered, as JSON lines (gz by suffix)."
)
@click.option(
    "--allow-outside",
    is_flag=True,
    help='Grammars of <seg grammar="..."> may lie outside the model\'s directory.',
)
@search_flags
@threads_flag
@quiet_and_json
def command(
    *, raw: bool | None, given: dict[str, Any], quiet: bool, as_json: bool, **rest: Any
) -> None:
    """Translate FILE or standard input with MODEL; one line in, one line out.

    A model built of text that demotic prepare made takes raw text and gives it; others work on
    tokens. Settings of the search that are not given are the model's own. With --json each line is
    an object with text, score, features, steps and alignment. A line like
    <seg grammar="FILE"> text </seg> is translated with the rules of FILE (hierarchical models).
    """
    for name, flag in (("distinct", "--distinct"), ("nbest_file", "--nbest-file")):
        if rest[name] and not rest["nbest"]:
            raise click.UsageError(f"{flag} is about an n-best list; say how long: --nbest K")
    from demotic.cli.translate_run import Outputs, TranslateRun
    from demotic.lines import LineFile
    from demotic.model import Model
    from demotic.search.sentence_grammars import SentenceGrammars
    from demotic.search.stream import LineTranslator
    from demotic.search.text import RawText

    screen = Screen(quiet=quiet, as_json=as_json)
    model = Model.load(rest["model"])
    text = RawText(model, tokenized=None if raw is None else not raw)
    decoder = open_decoder(model, given)
    grammars = SentenceGrammars(decoder, allow_outside=rest["allow_outside"])
    for notice in text.notices:
        screen.warn(notice)
    translator = LineTranslator(
        decoder,
        text,
        threads=rest["threads"],
        nbest=rest["nbest"] or 1,
        distinct=rest["distinct"],
        record=rest["forest"] is not None,
        grammars=grammars if model.kind == "hiero" else None,
    )
    with ExitStack() as stack:
        outputs = Outputs.open(stack, rest, as_json=as_json)
        run = TranslateRun(translator, outputs, LineFile(rest["file"], encoding_errors="replace"))
        shown = screen if _watched(rest["file"]) else Screen(quiet=True)
        with shown.progress("translating") as advance:
            run.run(advance)
    for warning in run.warnings():
        screen.warn(warning)
    if run.fell_back:
        screen.note(run.fell_back_note())


def _watched(path: str) -> bool:
    """Progress is for those who see neither the text come in nor the translations go out."""
    typed = os.fspath(path) == "-" and sys.stdin.isatty()
    return not (typed or sys.stdout.isatty())
