"""`demotic align`: word alignment of parallel text."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demotic.align.options import AlignOptions
from demotic.cli.flags import (
    example,
    force_flag,
    from_options,
    quiet_and_json,
    seed_flag,
    threads_flag,
)
from demotic.cli.screen import Screen
from demotic.cli.worker_flags import shard_flags, started
from demotic.counts import counted

if TYPE_CHECKING:
    from demotic.align import Aligner
    from demotic.align.pair_text import PairText
    from demotic.text.parallel import ParallelCorpus

__all__ = ["AlignRequest", "command"]


@dataclass(frozen=True)
class AlignRequest:
    """The flags of the verb."""

    files: tuple[str, ...]
    pairs: bool
    columns: str
    output: str | None
    force: bool
    gold: str | None
    save: str | None
    load: str | None
    sample: int | None
    seed: int
    train_only: bool
    priors: str | None
    write_scores: bool
    write_posteriors: bool
    write_lex: str | None
    lex_minimum: float
    write_priors: str | None
    options: AlignOptions
    threads: int
    workers: str | None
    after: Path | None

    @property
    def plain(self) -> bool:
        """Whether only links are to be written."""
        return not (self.write_scores or self.write_posteriors)


@click.command(
    epilog=example(
        "demotic align train.es train.en -o train.links",
        "demotic align train.es train.en --model diagonal --gold gold.links",
        "demotic align joined.txt > links      # lines 'source ||| target' or source TAB target",
        "demotic align big.tsv --sample 1000000 --save es-en.aligner --train-only",
        "demotic align --load es-en.aligner - < pairs.tsv > links",
    )
)
@click.argument("files", nargs=-1, type=click.Path(allow_dash=True), metavar="SRC TGT | PAIRS...")
@click.option(
    "--pairs", is_flag=True, help="Both of two FILES hold pairs (implied by one file and by three)."
)
@click.option(
    "--columns",
    default="1,2",
    show_default=True,
    metavar="S,T",
    help="Columns of the two sides in files with tabs, from 1.",
)
@click.option(
    "-o",
    "--out",
    "output",
    type=click.Path(),
    help="File for the links (default: standard output); for several files of pairs, a directory.",
)
@force_flag("Replace existing files, and begin unfinished ones again.")
@click.option("--gold", type=click.Path(), help="Gold alignments to score against.")
@click.option("--save", type=click.Path(), help="Save the trained aligner to this file.")
@click.option("--load", type=click.Path(), help="Use a saved aligner instead of training one.")
@click.option(
    "--sample", type=click.IntRange(1), help="Train on this many randomly chosen pairs, align all."
)
@seed_flag
@click.option("--train-only", is_flag=True, help="Train, but align nothing.")
@click.option("--priors", type=click.Path(), help="Priors to train with, in eflomal's format.")
@click.option(
    "--write-scores",
    is_flag=True,
    help="Add columns log p(target | source) per target word and log p(source | target) per "
    "source word.",
)
@click.option("--write-posteriors", is_flag=True, help="Add a column with p(link) of each link.")
@click.option(
    "--write-lex",
    type=click.Path(),
    metavar="NAME",
    help="Write lexical tables for Moses and bicleaner to NAME.f2e and NAME.e2f.",
)
@click.option(
    "--lex-minimum",
    type=click.FloatRange(0, 1),
    default=1e-4,
    show_default=True,
    help="Smallest probability in the lexical tables.",
)
@click.option(
    "--write-priors",
    type=click.Path(),
    help="Write counts of the training text's links as priors, in eflomal's format.",
)
@from_options(AlignOptions)
@shard_flags
@click.option(
    "--after",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --shard and --train-only: what demotic reduce wrote at the end of the pass before.",
)
@threads_flag
@quiet_and_json
def command(quiet: bool, as_json: bool, **flags: Any) -> None:
    """Align the words of SRC and TGT, which have one tokenised sentence per line.

    One file, or three and more, hold both sides: 'source ||| target' or columns separated by tabs.
    Links are written as '0-0 1-2', source first. With --gold, prints precision, recall and
    alignment error rate; links are written only with -o. With --load or --sample, the text is read
    in batches and may be of any size; the same command resumes an unfinished file of -o. With
    --workers, training is divided, or with --load the text; --shard does so by files.
    """
    from demotic.cli.align_run import check_flags, into_folder, links_in_memory, stream_links
    from demotic.cli.sharded_verb import shards_of

    screen = Screen(quiet=quiet, as_json=as_json)
    shards = shards_of(click.get_current_context())
    if flags["after"] and not (flags["shard"] or shards):
        raise click.UsageError("--after is about parts of training; give --shard, or omit it")
    if flags["shard"] or (flags["workers"] and flags["load"]):
        _divided(screen, flags)
        return
    request = _request(flags)
    texts = check_flags(request)
    if shards:
        from demotic.cli.align_passes import end

        end(request, texts, shards, screen)
        return
    aligner, corpus = _aligner(request, texts, screen)
    written = _write_tables(request, aligner, corpus)
    values: dict[str, Any] = {}
    if request.train_only or not texts:
        screen.result({"pairs": aligner.native_.used}, "")
    elif corpus is None or request.sample or into_folder(request, texts):
        values = stream_links(request, aligner, texts, screen)
    else:
        values = links_in_memory(request, aligner, corpus, screen)
    if not as_json:
        _end(request, values, written, screen)


def _request(flags: dict[str, Any]) -> AlignRequest:
    return AlignRequest(**{one.name: flags[one.name] for one in fields(AlignRequest)})


def _divided(screen: Screen, flags: dict[str, Any]) -> None:
    """One part of training or of the text for --shard, or all parts of the text by --workers."""
    from demotic.align import Aligner
    from demotic.align.stream import Columns, LinkStream
    from demotic.cli.align_run import check_flags
    from demotic.cli.align_shards import OUTPUTS, refuse_undivided, write_shard
    from demotic.cli.sharded_verb import ShardOutput, run_with_workers

    refuse_undivided(flags)
    request = _request(flags)
    (text,) = check_flags(request)
    if request.train_only:
        from demotic.cli.align_passes import write_shard as write_posteriors

        write_posteriors(request, [text], flags["shard"], screen)
        return
    if flags["workers"]:
        run_with_workers(screen, click.get_current_context(), request.output, OUTPUTS)
        return
    output = ShardOutput("align", flags["shard"], request.output, OUTPUTS, request.force)
    aligner = Aligner.load(str(request.load), request.options)
    columns = Columns(request.write_scores, request.write_posteriors)
    write_shard(LinkStream(aligner, columns, threads=request.threads), text, output)


def _aligner(
    request: AlignRequest, texts: list[PairText], screen: Screen
) -> tuple[Aligner, ParallelCorpus | None]:
    """The aligner, and the text in memory unless a stream will read it."""
    from demotic.align import Aligner
    from demotic.align.priors import read_priors
    from demotic.cli.align_run import read_text

    if request.load:
        aligner = Aligner.load(request.load, request.options)
        return aligner, read_text(request, texts, screen) if request.gold else None
    priors = read_priors(request.priors) if request.priors else None
    corpus = read_text(request, texts, screen)
    with (
        started(screen, request.workers) as workers,
        screen.progress("training the aligner") as advance,
    ):
        aligner = Aligner(request.options).fit(
            corpus, priors=priors, threads=request.threads, progress=advance, workers=workers
        )
    native = aligner.native_
    if native.empty:
        screen.note(f"{counted(native.empty, 'pair')} with an empty side, without links")
    if native.too_long:
        screen.note(f"{counted(native.too_long, 'pair')} too long for training (--max-length)")
    return aligner, corpus


def _write_tables(
    request: AlignRequest, aligner: Aligner, corpus: ParallelCorpus | None
) -> dict[str, str]:
    """What is learnt from training: the aligner, lexical tables, priors. Files by name."""
    from demotic.outputs import fresh_folders

    written = {}
    if request.save:
        with fresh_folders(Path(request.save).parent):
            aligner.save(request.save)
        written[request.save] = "trained aligner"
    if request.write_lex:
        from demotic.align.lexical import lexical_paths, write_lexical_tables

        counts = write_lexical_tables(aligner, request.write_lex, request.lex_minimum)
        for path, count in zip(lexical_paths(request.write_lex), counts, strict=True):
            written[path] = f"lexical table of {count:,} entries"
    if request.write_priors and corpus is not None:
        from demotic.align.priors import count_priors, write_priors

        priors = count_priors(aligner, corpus, threads=request.threads)
        lines = write_priors(request.write_priors, priors)
        written[request.write_priors] = f"priors, {lines:,} lines"
    return written


def _end(
    request: AlignRequest, values: dict[str, Any], written: dict[str, str], screen: Screen
) -> None:
    """Reports what was written on standard error, since standard output may hold the links."""
    from demotic.cli.final_output import file_text, next_text
    from demotic.suggestions import quoted

    steps = []
    if request.output and values:
        what = f"{values['links']:,} links in {values['pairs']:,} sentence pairs"
        written = {request.output: what, **written}
        if request.plain and len(request.files) == 2 and not request.pairs:
            source, target = map(quoted, request.files)
            links = quoted(request.output)
            command = f"demotic build --src {source} --tgt {target} --links {links} -o MODEL"
            steps.append(("build", command))
    for path, what in written.items():
        screen.note(file_text(path, what) if Path(path).is_file() else f"{path}: {what}")
    if request.save:
        steps.append(("align more", f"demotic align SRC TGT --load {quoted(request.save)}"))
    if steps:
        screen.note(next_text(steps))
