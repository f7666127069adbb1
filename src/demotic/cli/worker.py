"""`demotic worker`: a worker for a command with --workers files:DIR."""

from __future__ import annotations

import click

from demotic.cli.flags import example
from demotic.cli.screen import Screen
from demotic.cli.worker_flags import interrupted_by_sigterm

__all__ = ["command"]


@click.command(
    epilog=example(
        "sbatch --array=1-64 --wrap 'demotic worker /shared/jobs'",
        "demotic tune zh-en --src dev.zh --ref dev.en -o tuned --workers files:/shared/jobs",
    )
)
@click.argument("folder", type=click.Path(file_okay=False), metavar="DIR")
@click.option(
    "--wait",
    type=click.IntRange(0),
    default=3600,
    show_default=True,
    help="Seconds to wait for a command.",
)
@click.option(
    "--stay",
    is_flag=True,
    help="Work for further commands, until none has come for --wait seconds.",
)
@click.option("--quiet", is_flag=True, help="Suppress remarks.")
def command(*, folder: str, wait: int, stay: bool, quiet: bool) -> None:
    """Do parts of the work of a command that was run with --workers files:DIR, with one thread.

    DIR is a folder on a file system that the command and all its workers share, as the models,
    texts and outputs must be. Any number of workers may join at any time, on any machine with the
    same installation; when the command ends, they end.
    """
    from demotic.workers.folder_worker import work

    with interrupted_by_sigterm():  # so that the command knows at once that this worker has left
        work(folder, wait=wait, stay=stay, tell=Screen(quiet=quiet).note)
