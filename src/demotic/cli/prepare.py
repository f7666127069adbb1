"""`demotic prepare`: raw text of many formats in, clean tokens out."""

from __future__ import annotations

import sys
from dataclasses import replace

import click

from demotic.cli.flags import example, from_options, quiet_and_json
from demotic.cli.pair_flags import open_pairs, pair_flags
from demotic.cli.screen import Screen
from demotic.text.preparation import Preparation, PrepareOptions
from demotic.text.prepare import prepare_as, prepare_stream, prepare_text
from demotic.text.prepare_report import PrepareReport
from demotic.text.tokenize import better_tokenizer

__all__ = ["command"]

# What --like settles.
_SETTLED = ("case", "tokenizer", "target_tokenizer", "unicode", "escape")


@click.command(
    epilog=example(
        "demotic prepare --src zh --tgt en news.zh news.en help.tmx -o corpus",
        "demotic prepare --like corpus --keep-all dev.zh dev.en -o dev",
        "demotic prepare --lang en < text > tokens",
    )
)
@click.argument("inputs", nargs=-1, metavar="IN...")
@click.option("--src", help="Source language of parallel text, as a code such as zh.")
@click.option("--tgt", help="Target language of parallel text.")
@click.option("--lang", help="The language, if the text has only one.")
@click.option("-o", "--out", metavar="DIR", help="Where to write; without it, --lang writes text.")
@click.option("--like", metavar="DIR", help="Prepare in the same way as that was prepared.")
@pair_flags
@from_options(PrepareOptions)
@quiet_and_json
@click.pass_context
def command(
    context: click.Context, /, options: PrepareOptions, quiet: bool, as_json: bool, **given: str
) -> None:
    """Read, clean and tokenise text, and remember how.

    Parallel text (--src, --tgt) is two plain files, or TSV, TMX, PO or XLIFF; any of them may be
    compressed. IN may be - for standard input. With --lang and without -o, standard output gets one
    line for each line read.

    The built-in tokeniser serves every language; Chinese and Japanese, which it cuts into
    characters, get better with pip install 'demotic[zh]' and 'demotic[ja]'.
    """
    screen = Screen(quiet=quiet, as_json=as_json)
    inputs: tuple[str, ...] = context.params["inputs"]
    preparation = _preparation(context, options, given)
    for notice in preparation.notices:
        screen.warn(notice)
    for side in preparation.sides if options.tokenizer == "auto" else ():
        if better := better_tokenizer(side.language, side.tokenizer):
            screen.note(better)
    if preparation.target_side is not None:
        if not (given["out"] and inputs):
            raise click.UsageError("parallel text needs its files, and -o DIR to be written to")
        _say(screen, _parallel(screen, inputs, preparation, given), given["out"])
    elif given["out"]:
        with screen.progress("prepare") as advance:
            report = prepare_text(inputs or ("-",), preparation, given["out"], advance)
        _say(screen, report, given["out"])
    else:
        for path in inputs or ("-",):
            for what, count in prepare_stream(path, preparation, sys.stdout.buffer).items():
                screen.note(f"{path}: {count:,} {what}")
        sys.stdout.buffer.flush()


def _preparation(
    context: click.Context, options: PrepareOptions, given: dict[str, str]
) -> Preparation:
    src, tgt, lang, like = (given[name] or "" for name in ("src", "tgt", "lang", "like"))
    if lang and (src or tgt):
        raise click.UsageError("--lang is for one language; with --src and --tgt leave it out")
    if like:
        return _like(context, options, like, lang)
    if lang:
        return Preparation.begin(options, lang)
    if not (src and tgt):
        raise click.UsageError("say the languages: --src L --tgt L, or --lang L for one language")
    return Preparation.begin(options, src, tgt)


def _like(context: click.Context, options: PrepareOptions, like: str, lang: str) -> Preparation:
    for name in _SETTLED:
        if context.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} is settled by --like {like}")
    known = Preparation.load(like)
    for name, side in zip(("src", "tgt"), known.sides, strict=False):
        if context.params[name] not in (None, side.language):
            raise click.UsageError(
                f"--{name} is {context.params[name]}, but {like} has {side.language}"
            )
    settled = {name: getattr(known.options, name) for name in _SETTLED}
    known = replace(known, options=replace(options, **settled))
    return known.of(lang) if lang else known


def _parallel(
    screen: Screen, inputs: tuple[str, ...], preparation: Preparation, given: dict[str, str]
) -> PrepareReport:
    source, target = (side.language for side in preparation.sides)
    policy = preparation.options.encoding_policy
    pairs = open_pairs(inputs, (source, target), given, policy)
    with screen.progress("prepare") as advance:
        return prepare_as(pairs, preparation, given["out"], advance)


def _say(screen: Screen, report: PrepareReport, out: str) -> None:
    for what, count in report.notices.items():
        screen.note(f"notice: {count:,} {what}")
    screen.result(report.as_dict(), "" if screen.quiet else report.text(out))
