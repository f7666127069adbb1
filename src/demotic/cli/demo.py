"""`demotic demo`: a translator made from the bundled corpus."""

from __future__ import annotations

from pathlib import Path

import click

from demotic.cli.flags import example, quiet_and_json, seed_flag, threads_flag
from demotic.cli.screen import Screen

__all__ = ["command"]


@click.command(
    epilog=example("demotic demo", "demotic demo --corpus-only -o corpus", "demotic demo --seed 2")
)
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("demo-out"),
    show_default=True,
    help="Folder for the corpus and the translator (zh-en).",
)
@click.option("--corpus-only", is_flag=True, help="Write the corpus and nothing else.")
@click.option("--force", is_flag=True, help="Make the translator anew if it is there already.")
@seed_flag
@threads_flag
@quiet_and_json
def command(
    *,
    out: Path,
    corpus_only: bool,
    force: bool,
    seed: int,
    threads: int,
    quiet: bool,
    as_json: bool,
) -> None:
    """Make a Chinese-English translator from the bundled corpus, as `demotic make` would.

    The corpus is drawn from a grammar that was written for this purpose: 8,000 training pairs, 300
    dev and 300 test sentences with four references, with trees, tags and gold alignments. The same
    seed gives the same bytes everywhere. The same command again resumes, or shows the result.
    """
    screen = Screen(quiet=quiet, as_json=as_json)
    if corpus_only:
        _write_corpus(screen, out, seed)
        return
    from demotic.cli.make_view import Display, show
    from demotic.demo.tour import run

    with Display(screen) as display:
        made = run(out, seed=seed, threads=threads, force=force, progress=display)
    show(screen, made)


def _write_corpus(screen: Screen, out: Path, seed: int) -> None:
    from demotic.demo import generate, write

    with screen.progress("draw the corpus"):
        paths = write(generate(seed), out)
    names = [str(path) for path in paths]
    screen.result({"seed": seed, "files": names}, "\n".join(names))
