"""`demotic worker`: a worker for a command with --workers files:DIR."""

from __future__ import annotations

import click

from demotic.cli.flags import example
from demotic.cli.screen import Screen

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
    type=click.FloatRange(0),
    default=3600.0,
    show_default=True,
    help="Seconds to wait for a command.",
)
@click.option(
    "--stay",
    is_flag=True,
    help="Work for further commands, until none has come for --wait seconds.",
)
@click.option("--quiet", is_flag=True, help="Suppress remarks.")
def command(*, folder: str, wait: float, stay: bool, quiet: bool) -> None:
    """Do parts of the work of a command that was run with --workers files:DIR, with one thread.

    DIR is a folder on a file system that the command and all its workers share, as the models and
    texts must be. Any number of workers may join at any time, on any machine with the same
    installation; when the command ends, they end.
    """
    import signal
    import sys

    from demotic.workers.folder_worker import work

    # A batch system ends jobs by it; the command is told at once that this worker has left.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    work(folder, wait=wait, stay=stay, tell=Screen(quiet=quiet).note)
