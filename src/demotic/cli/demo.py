"""`demotic demo`: a translator made from the bundled corpus."""

from __future__ import annotations

from pathlib import Path

import click

from demotic.cli.flags import example, quiet_and_json, threads_flag
from demotic.cli.screen import Screen

__all__ = ["command"]


def _refuse_seed(_: click.Context, __: click.Parameter, value: str | None) -> None:
    if value is not None:
        raise click.UsageError(
            "--seed is not a flag of this verb: the bundled corpus is always the same; to tune "
            f"with another seed, write it with --corpus-only and give --seed {value} to "
            "`demotic make`"
        )


@click.command(epilog=example("demotic demo", "demotic demo --corpus-only -o corpus"))
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("demo-out"),
    show_default=True,
    help="Folder for the corpus and the translator (zh-en).",
)
@click.option("--corpus-only", is_flag=True, help="Write the corpus and nothing else.")
@click.option("--force", is_flag=True, help="Rebuild the translator if it exists already.")
@click.option("--seed", hidden=True, expose_value=False, callback=_refuse_seed)
@threads_flag
@quiet_and_json
def command(
    *,
    out: Path,
    corpus_only: bool,
    force: bool,
    threads: int,
    quiet: bool,
    as_json: bool,
) -> None:
    """Make a Chinese-English translator from the bundled corpus, as `demotic make` would.

    The corpus has 8,000 training pairs, 300 dev and 300 test sentences with four references each,
    and trees, tags and gold alignments. It was generated from a grammar that was written for this
    purpose. The same command again resumes, or shows the result.
    """
    screen = Screen(quiet=quiet, as_json=as_json)
    if corpus_only:
        _write_corpus(screen, out)
        return
    from demotic.cli.make_view import Display, show
    from demotic.demo.tour import run

    with Display(screen) as display:
        made = run(out, threads=threads, force=force, progress=display)
    show(screen, made)


def _write_corpus(screen: Screen, out: Path) -> None:
    from demotic.demo import write_corpus

    names = [str(path) for path in write_corpus(out)]
    screen.result({"files": names}, "\n".join(names))
