"""`demotic check`: what is wrong with a corpus, before hours are spent on it."""

from __future__ import annotations

import click

from demotic.cli.check_view import histogram, listed, summary
from demotic.cli.flags import example, from_options, quiet_and_json
from demotic.cli.pair_flags import open_pairs, pair_flags
from demotic.cli.screen import Screen
from demotic.text.check import CheckOptions, CheckReport, check_files, check_pairs
from demotic.text.readers import PairSource

__all__ = ["command"]


@click.command(
    epilog=example(
        "demotic check news.zh.gz news.en.gz",
        "demotic check help.tmx --src zh --tgt en",
    )
)
@click.argument("inputs", nargs=-1, metavar="SRC TGT")
@click.option("--src", help="Source language, for TMX, PO and XLIFF.")
@click.option("--tgt", help="Target language, for TMX, PO and XLIFF.")
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
    """Look through a corpus: two text files, or one TSV, TMX, PO or XLIFF.

    Lists what is odd with line numbers: encoding, empty lines, lengths and ratios, duplicates,
    control characters, wrong script, suspicious pairs. The exit code is 2 if the corpus is
    unusable, and 0 otherwise.
    """
    screen = Screen(quiet=quiet, as_json=as_json)
    with screen.progress("check") as advance:
        if len(inputs) == 2:
            report = check_files(inputs[0], inputs[1], options, advance)
        elif len(inputs) == 1:
            report = check_pairs(_pairs(inputs[0], given), inputs[0], options, advance)
        else:
            raise click.UsageError("give two text files, or one TSV, TMX, PO or XLIFF")
    screen.result(report.as_dict(), "" if quiet else listed(report))
    if not (quiet or as_json):
        screen.table("Summary", *summary(report))
        screen.table("Lines by length in tokens", *histogram(report))
    if not as_json:
        screen.result({}, _verdict(report))
    return 0 if report.usable else 2


def _pairs(path: str, given: dict[str, str]) -> PairSource:
    languages = given["src"] or "und", given["tgt"] or "und"
    pairs = open_pairs([path], languages, given, "replace")
    table = given["format_"] == "tsv" or ".tsv" in path.lower()
    if "und" in languages and not table:
        raise click.UsageError("such a file has many languages; name two: --src L --tgt L")
    return pairs


def _verdict(report: CheckReport) -> str:
    if report.usable:
        odd = sum(kind.count for kind in report.findings.kinds.values())
        return f"usable: {report.pairs:,} pairs, {odd:,} findings"
    return "\n".join(f"unusable: {reason}" for reason in report.unusable)
