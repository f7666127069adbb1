"""`demotic align`: word alignment of parallel text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from demotic.align.options import AlignOptions
from demotic.cli.flags import example, force_flag, from_options, quiet_and_json, threads_flag
from demotic.cli.screen import Screen
from demotic.counts import counted

if TYPE_CHECKING:
    from demotic.align import Aligner, Alignments
    from demotic.text.parallel import ParallelCorpus

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
@click.option(
    "-o",
    "--out",
    "output",
    type=click.Path(),
    help="File for the links (default: standard output).",
)
@force_flag("Replace existing files of -o and --save.")
@click.option("--gold", type=click.Path(), help="Gold alignments to score against.")
@click.option("--save", type=click.Path(), help="Save the trained aligner to this file.")
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
    force: bool,
    options: AlignOptions,
    threads: int,
    quiet: bool,
    as_json: bool,
) -> None:
    """Align the words of SRC and TGT, which have one tokenised sentence per line.

    Without TGT, SRC has lines 'source ||| target'. Links are written as '0-0 1-2', source first.
    With --gold, prints precision, recall and alignment error rate; links are written only with -o.
    """
    from demotic.align import read_gold, read_joined
    from demotic.outputs import refuse_file
    from demotic.text.parallel import ParallelCorpus

    screen = Screen(quiet=quiet, as_json=as_json)
    for file in filter(None, (output, save)):
        refuse_file(file, force=force)
    with screen.progress("reading"):
        corpus = ParallelCorpus.read(source, target) if target else read_joined(source)
    truth = read_gold(gold) if gold else None
    if truth is not None and len(truth) != len(corpus):
        from demotic.errors import FormatError

        raise FormatError(
            f"links of {len(truth)} sentence pairs",
            path=gold or "",
            expected=f"{len(corpus)}, as in {source}",
        )
    paths = [path for path in (source, target) if path]
    aligner = _aligner(corpus, paths, options, load, threads, screen)
    with screen.progress("aligning") as advance:
        links = aligner.align(corpus, threads=threads, progress=advance)
    _remark(aligner, screen)
    if save:
        _save(aligner, save)
    values = {"pairs": len(corpus), "links": len(links.links)}
    text = ""
    if truth is not None:
        from dataclasses import asdict

        from demotic.align import score_alignments

        score = score_alignments(links, truth)
        values |= asdict(score)
        text = str(score)
    _deliver(links, output, stdout=truth is None and not as_json)
    screen.result(values, text)
    if not as_json:
        _end(screen, values, source, target, output, save)


def _aligner(
    corpus: ParallelCorpus,
    paths: list[str],
    options: AlignOptions,
    load: str | None,
    threads: int,
    screen: Screen,
) -> Aligner:
    from demotic.align import Aligner
    from demotic.text.wordless import refuse_wordless

    if load:
        return Aligner.load(load, options)
    for side, path in ((corpus.source, paths[0]), (corpus.target, paths[-1])):
        refuse_wordless(side.sentences, path)
    with screen.progress("training the aligner") as advance:
        return Aligner(options).fit(corpus, threads=threads, progress=advance)


def _remark(aligner: Aligner, screen: Screen) -> None:
    native = aligner.native_
    if native.empty:
        screen.note(f"{counted(native.empty, 'pair')} with an empty side, without links")
    if native.too_long:
        screen.note(f"{counted(native.too_long, 'pair')} too long for training (--max-length)")
    if aligner.cut_:
        screen.note(f"{counted(aligner.cut_, 'pair')} longer than --max-length, aligned in pieces")


def _deliver(links: Alignments, output: str | None, *, stdout: bool) -> None:
    from demotic.align import write_links

    if output:
        write_links(output, links)
    elif stdout:
        for line in links.format().tolist():
            print(line)


def _save(aligner: Aligner, path: str) -> None:
    from demotic.outputs import fresh_folders

    with fresh_folders(Path(path).parent):
        aligner.save(path)


def _end(
    screen: Screen,
    values: dict[str, int],
    source: str,
    target: str | None,
    output: str | None,
    save: str | None,
) -> None:
    """Reports what was written on standard error, since standard output may hold the links."""
    from demotic.cli.final_output import file_text, next_text
    from demotic.suggestions import quoted

    steps = []
    if output:
        what = f"{values['links']:,} links in {values['pairs']:,} sentence pairs"
        screen.note(file_text(output, what))
        sides = f"--src {quoted(source)} --tgt {quoted(target or 'TGT')}"
        steps.append(("build", f"demotic build {sides} --links {quoted(output)} -o MODEL"))
    if save:
        screen.note(file_text(save, "trained aligner"))
        steps.append(("align more", f"demotic align SRC TGT --load {quoted(save)}"))
    if steps:
        screen.note(next_text(steps))
