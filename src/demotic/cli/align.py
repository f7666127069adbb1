"""`demotic align`: links between the words of parallel text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from demotic.align.options import AlignOptions
from demotic.cli.flags import example, from_options, quiet_and_json, threads_flag
from demotic.cli.screen import Screen

if TYPE_CHECKING:
    from demotic.align import Aligner, Alignments, Bitext

__all__ = ["command"]


@click.command(
    epilog=example(
        "demotic align train.es train.en -o train.links",
        "demotic align train.es train.en --model diagonal --gold gold.links",
        "demotic align joined.txt > links      # lines 'source ||| target'",
    )
)
@click.argument("source", type=click.Path(), metavar="SRC")
@click.argument("target", type=click.Path(), metavar="[TGT]", required=False)
@click.option("-o", "output", type=click.Path(), help="Where the links go; else standard output.")
@click.option("--gold", type=click.Path(), help="Links by people, to score against.")
@click.option("--save", type=click.Path(), help="Keep the trained aligner in this file.")
@click.option("--load", type=click.Path(), help="Use a saved aligner instead of training one.")
@from_options(AlignOptions)
@threads_flag
@quiet_and_json
def command(  # noqa: PLR0913 - click passes every flag by name
    *,
    source: str,
    target: str | None,
    output: str | None,
    gold: str | None,
    save: str | None,
    load: str | None,
    options: AlignOptions,
    threads: int,
    quiet: bool,
    as_json: bool,
) -> None:
    """Align the words of SRC and TGT, a tokenised sentence a line each.

    Without TGT, SRC has lines 'source ||| target'. Links are written as '0-0 1-2', source first;
    with --gold, precision, recall and alignment error rate are printed, and the links only with -o.
    """
    from demotic.align import Bitext, read_gold

    screen = Screen(quiet=quiet, as_json=as_json)
    bitext = Bitext.read(source, target) if target else Bitext.read_joined(source)
    truth = read_gold(gold) if gold else None
    if truth is not None and len(truth) != len(bitext):
        from demotic.errors import FormatError

        raise FormatError(
            f"links of {len(truth)} sentence pairs",
            path=gold or "",
            expected=f"{len(bitext)}, as in {source}",
        )
    aligner = _aligner(bitext, options, load, threads, screen)
    with screen.progress("aligning") as advance:
        links = aligner.align(bitext, threads=threads, progress=advance)
    _remark(aligner, screen)
    if save:
        aligner.save(save)
    values = {"pairs": len(bitext), "links": len(links.links)}
    text = ""
    if truth is not None:
        from dataclasses import asdict

        from demotic.align import score_alignments

        score = score_alignments(links, truth)
        values |= asdict(score)
        text = str(score)
    _deliver(links, output, stdout=truth is None and not as_json)
    screen.result(values, text)


def _aligner(
    bitext: Bitext, options: AlignOptions, load: str | None, threads: int, screen: Screen
) -> Aligner:
    from demotic.align import Aligner

    if load:
        return Aligner.load(load, options)
    with screen.progress("training the aligner") as advance:
        return Aligner(options).fit(bitext, threads=threads, progress=advance)


def _remark(aligner: Aligner, screen: Screen) -> None:
    native = aligner.native_
    if native.empty:
        screen.note(f"{native.empty:,} pairs with an empty side: no links")
    if native.too_long:
        screen.note(f"{native.too_long:,} pairs too long to learn from (--max-length)")
    if aligner.cut_:
        screen.note(f"{aligner.cut_:,} pairs longer than --max-length aligned in pieces")


def _deliver(links: Alignments, output: str | None, *, stdout: bool) -> None:
    from demotic.align import write_links

    if output:
        write_links(output, links)
    elif stdout:
        for line in links.format().tolist():
            print(line)
