"""`demotic check`: finds problems of a corpus before hours are spent on it."""

from __future__ import annotations

import click

from demotic.cli.check_view import findings_text, histogram, summary
from demotic.cli.flags import example, from_options, quiet_and_json
from demotic.cli.pair_flags import language_flags, open_pairs, pair_flags
from demotic.cli.screen import Screen
from demotic.text.check import CheckOptions, CheckReport, check_files, check_pairs
from demotic.text.languages import checked_language, language_of_name
from demotic.text.readers import PairSource

__all__ = ["command"]


@click.command(
    epilog=example(
        "demotic check news.zh.gz news.en.gz",
        "demotic check help.tmx --src-lang zh --tgt-lang en",
    )
)
@click.argument("inputs", nargs=-1, metavar="SRC TGT")
@language_flags()
@pair_flags
@from_options(CheckOptions)
@quiet_and_json
def command(
    inputs: tuple[str, ...],
    options: CheckOptions,
    quiet: bool,
    as_json: bool,
    **given: str,
) -> int:
    """Check a corpus: two text files, or one TSV, TMX, PO or XLIFF file.

    Lists problems with line numbers: encoding, empty lines, lengths and length ratios, duplicates,
    control characters, wrong script, suspicious pairs. The exit code is 2 if the corpus is
    unusable, else 0.

    The languages are used to check the script of each file; by default they are taken from names
    such as news.zh.gz.
    """
    screen = Screen(quiet=quiet, as_json=as_json)
    if len(inputs) not in (1, 2):
        raise click.UsageError("give two text files, or one TSV, TMX, PO or XLIFF file")
    languages = _languages(inputs, given)
    with screen.progress("check") as advance:
        if len(inputs) == 2:
            report = check_files(inputs[0], inputs[1], options, advance, languages)
        else:
            pairs = _pairs(inputs[0], languages, given)
            report = check_pairs(pairs, inputs[0], options, advance, languages)
    screen.result(report.as_dict(), "" if quiet else findings_text(report))
    if not (quiet or as_json):
        screen.table("Summary", *summary(report))
        screen.table("Lines by length in tokens", *histogram(report))
    for warning in report.warnings:
        screen.warn(warning)
    if not as_json:
        screen.result({}, _verdict(report))
    return 0 if report.usable else 2


def _languages(inputs: tuple[str, ...], given: dict[str, str]) -> tuple[str, str]:
    """The languages given by flags, or by the names of two files; empty if by neither."""
    guesses = [language_of_name(path) for path in inputs] if len(inputs) == 2 else ["", ""]
    for name, guess in (("src_lang", 0), ("tgt_lang", 1)):
        if given[name]:
            guesses[guess] = checked_language(given[name])
    return guesses[0], guesses[1]


def _pairs(path: str, languages: tuple[str, str], given: dict[str, str]) -> PairSource:
    source, target = (language or "und" for language in languages)
    pairs = open_pairs([path], (source, target), given, "replace")
    table = given["format_"] == "tsv" or ".tsv" in path.lower()
    if not (all(languages) or table):
        raise click.UsageError(
            "the file may hold more than two languages; give --src-lang L --tgt-lang L"
        )
    return pairs


def _verdict(report: CheckReport) -> str:
    if report.usable:
        odd = sum(kind.count for kind in report.findings.kinds.values())
        return f"usable: {report.pairs:,} pairs, {odd:,} findings"
    return "\n".join(f"unusable: {reason}" for reason in report.unusable)
