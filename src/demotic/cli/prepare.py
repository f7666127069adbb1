"""`demotic prepare`: turns raw text in many formats into clean tokens."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demotic.cli.constraint_flags import glossary_flag
from demotic.cli.final_output import next_text
from demotic.cli.flags import example, force_flag, from_options, quiet_and_json
from demotic.cli.pair_flags import language_flags, open_pairs, pair_flags
from demotic.cli.screen import Screen
from demotic.steps import file_digest
from demotic.suggestions import quoted
from demotic.text.check import script_warnings
from demotic.text.languages import checked_language
from demotic.text.preparation import Preparation, PrepareOptions
from demotic.text.prepare import prepare_as, prepare_stream, prepare_text
from demotic.text.prepare_place import already_prepared, work_key
from demotic.text.tokenize import tokenizer_for

if TYPE_CHECKING:
    from demotic.constraints.glossary import Glossary

__all__ = ["command"]

# Options that --like determines.
_SETTLED = (
    "case",
    "tokenizer",
    "target_tokenizer",
    "compounds",
    "target_compounds",
    "unicode",
    "escape",
)


@click.command(
    epilog=example(
        "demotic prepare --src-lang zh --tgt-lang en news.zh news.en help.tmx -o corpus",
        "demotic prepare --like corpus --keep-all dev.zh dev.en -o dev",
        "demotic prepare --lang en --case lower < text > tokens",
    )
)
@click.argument("inputs", nargs=-1, metavar="IN...")
@language_flags()
@click.option("--lang", metavar="L", help="Language code, for text in one language.")
@click.option("-o", "--out", metavar="DIR", help="Output directory (--lang: default is stdout).")
@click.option("--like", metavar="DIR", help="Prepare in the same way as this prepared corpus.")
@glossary_flag("Terms that models of this corpus obey")
@force_flag("Replace an existing corpus in DIR.")
@pair_flags
@from_options(PrepareOptions)
@quiet_and_json
@click.pass_context
def command(
    context: click.Context, /, options: PrepareOptions, quiet: bool, as_json: bool, **given: Any
) -> None:
    """Read, clean and tokenise text, and record how.

    Parallel text (--src-lang, --tgt-lang) is two plain files, or TSV, TMX, PO or XLIFF, optionally
    compressed. IN may be - for standard input. With --lang and without -o, one line is written to
    standard output per line read.

    True case is learnt from the text, and so are the words of Chinese, Japanese, Thai and other
    languages written without spaces, and the parts of German, Dutch, Swedish and other compounds.
    """
    screen = Screen(quiet=quiet, as_json=as_json)
    inputs: tuple[str, ...] = context.params["inputs"]
    if not (given["out"] or given["like"]) and given["lang"]:
        options = _for_stream(context, screen, options)
    preparation = _preparation(context, options, given)
    for notice in preparation.notices:
        screen.warn(notice)
    if preparation.target_side is not None and not (given["out"] and inputs):
        raise click.UsageError("parallel text needs input files and -o DIR")
    if given["out"]:
        _to_directory(screen, inputs, preparation, given)
    else:
        _to_output(screen, inputs, preparation)


def _for_stream(context: click.Context, screen: Screen, options: PrepareOptions) -> PrepareOptions:
    """Replaces defaults that need learning, which a stream does not allow, with a note."""
    lang = checked_language(context.params["lang"])
    if options.case == "true" and not _chosen(context, "case"):
        options = replace(options, case="none")
        screen.note(
            "case is unchanged: true case is learnt with -o DIR, and reused with --like DIR"
        )
    if options.tokenizer == "auto" and tokenizer_for(lang).name == "unigram":
        options = replace(options, tokenizer="builtin")
        screen.note(
            f"{lang} is split into characters: words are learnt with -o DIR, and reused with "
            "--like DIR"
        )
    return options


def _chosen(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE


def _preparation(
    context: click.Context, options: PrepareOptions, given: dict[str, Any]
) -> Preparation:
    src, tgt, lang, like = (given[name] or "" for name in ("src_lang", "tgt_lang", "lang", "like"))
    if lang and (src or tgt):
        raise click.UsageError("--lang is for one language; omit it with --src-lang and --tgt-lang")
    if like:
        return _like(context, options, like, lang)
    if lang:
        return Preparation.begin(options, lang)
    if not (src and tgt):
        raise click.UsageError(
            "give the languages: --src-lang L --tgt-lang L, or --lang L for one language"
        )
    return Preparation.begin(options, src, tgt)


def _like(context: click.Context, options: PrepareOptions, like: str, lang: str) -> Preparation:
    for name in _SETTLED:
        if _chosen(context, name):
            raise click.UsageError(f"--{name.replace('_', '-')} is determined by --like {like}")
    known = Preparation.load(like)
    for name, side in zip(("src_lang", "tgt_lang"), known.sides, strict=False):
        if context.params[name] not in (None, side.language):
            flag = name.replace("_", "-")
            raise click.UsageError(
                f"--{flag} is {context.params[name]}, but {like} has {side.language}"
            )
    settled = {name: getattr(known.options, name) for name in _SETTLED}
    known = replace(known, options=replace(options, **settled))
    return known.of(lang) if lang else known


def _to_directory(
    screen: Screen, inputs: tuple[str, ...], preparation: Preparation, given: dict[str, Any]
) -> None:
    inputs, out = inputs or ("-",), given["out"]
    how = f"{given['format_']} {given['columns']} {given['like'] or ''}"
    how += "".join(f" {path} {file_digest(Path(path))}" for path in given["glossaries"])
    preparation = replace(preparation, work=work_key(inputs, preparation, how))
    if already_prepared(out, inputs, preparation, force=given["force"]):
        screen.note(f"{out} is up to date; --force prepares it again")
        return
    glossary = _glossary(preparation, given)
    with screen.progress("prepare") as advance:
        if preparation.target_side is None:
            report = prepare_text(inputs, preparation, out, advance)
        else:
            source, target = (side.language for side in preparation.sides)
            policy = preparation.options.encoding_policy
            pairs = open_pairs(inputs, (source, target), given, policy)
            report = prepare_as(pairs, preparation, out, advance)
    if preparation.target_side is not None:
        texts = [Path(out) / f"corpus.{language}" for language in (source, target)]
        for warning in script_warnings(texts[0], texts[1], (source, target)):
            screen.warn(warning)
    if glossary is not None:
        glossary.write(Path(out) / "glossary.tsv")
    for what, count in report.notices.items():
        screen.note(f"notice: {count:,} {what}")
    steps = ""
    if preparation.target_side is not None and not preparation.options.keep_all:
        files = [quoted(f"{out}/corpus.{side.language}") for side in preparation.sides]
        line = f"demotic build --src {files[0]} --tgt {files[1]} -o {quoted(f'{out}-model')}"
        steps = next_text([("build", line)])
    screen.written(report.as_dict(), report.text(out), steps)


def _glossary(preparation: Preparation, given: dict[str, Any]) -> Glossary | None:
    """The terms that models of this text carry; read first, since they may be refused."""
    from demotic.constraints.glossary import read_glossaries

    paths = given["glossaries"]
    if paths and preparation.target_side is None:
        raise click.UsageError("--glossary needs two languages: --src-lang L --tgt-lang L")
    return read_glossaries(paths, preparation.sides[0].language, preparation.sides[-1].language)


def _to_output(screen: Screen, inputs: tuple[str, ...], preparation: Preparation) -> None:
    for path in inputs or ("-",):
        for what, count in prepare_stream(path, preparation, sys.stdout.buffer).items():
            screen.note(f"{path}: {count:,} {what}")
    sys.stdout.buffer.flush()
