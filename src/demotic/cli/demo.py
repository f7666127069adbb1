"""`demotic demo`: the bundled corpus, and everything that exists so far done to it."""

from __future__ import annotations

from pathlib import Path

import click

from demotic.cli.flags import example, quiet_and_json, seed_flag, threads_flag
from demotic.cli.screen import Screen

__all__ = ["command"]


@click.command(
    epilog=example(
        "demotic demo", "demotic demo --corpus-only --out corpus", "demotic demo --seed 2"
    )
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("demo-out"),
    show_default=True,
    help="Folder for all that is made.",
)
@click.option("--corpus-only", is_flag=True, help="Write the corpus and nothing else.")
@seed_flag
@threads_flag
@quiet_and_json
def command(
    out: Path, corpus_only: bool, seed: int, threads: int, quiet: bool, as_json: bool
) -> None:
    """Make the bundled corpus and run everything on it.

    The corpus is Chinese and English, drawn from a grammar that was written for this purpose: 8,000
    training pairs, 300 dev and 300 test sentences with four references, with trees, tags and gold
    alignments. The same seed gives the same bytes everywhere.
    """
    screen = Screen(quiet=quiet, as_json=as_json)
    if corpus_only:
        _write_corpus(screen, out, seed)
        return
    from demotic.demo.tour import run

    rows = run(out, seed=seed, threads=threads, progress=screen.progress)
    if as_json:
        screen.result({f"{stage}: {what}": figure for stage, what, figure in rows}, "")
        return
    screen.table("Demotic on its bundled corpus", ["stage", "what", "figure"], rows)
    click.echo(f"The report is {out / 'report.html'}")


def _write_corpus(screen: Screen, out: Path, seed: int) -> None:
    from demotic.demo import generate, write

    with screen.progress("draw the corpus"):
        paths = write(generate(seed), out)
    names = [str(path) for path in paths]
    screen.result({"seed": seed, "files": names}, "\n".join(names))
