"""`demotic reduce`: merges the results of shards."""

from __future__ import annotations

import click

from demotic.cli.flags import example, force_flag
from demotic.cli.screen import Screen

__all__ = ["command"]


@click.command(
    epilog=example(
        "demotic translate zh-en test.zh --shard 1/2 -o 1.shard",
        "demotic translate zh-en test.zh --shard 2/2 -o 2.shard",
        "demotic reduce 1.shard 2.shard -o test.en",
    )
)
@click.argument(
    "shards", nargs=-1, required=True, type=click.Path(dir_okay=False), metavar="SHARD..."
)
@click.option(
    "-o",
    "--out",
    type=click.Path(),
    help="What the verb of the shards takes as -o: a file or a directory.",
)
@force_flag("Replace existing output files.")
@click.option("--quiet", is_flag=True, help="Suppress progress and remarks.")
def command(*, shards: tuple[str, ...], out: str | None, force: bool, quiet: bool) -> None:
    """Merge the files that a verb wrote with --shard, one per part, into its result.

    The order of the files does not matter, and a file may be given twice. Refuses files that are
    damaged, missing, or parts of something else.
    """
    from pathlib import Path

    from demotic.cli.sharded_verb import find_merger
    from demotic.workers.shards import ShardFile, in_order

    ordered = [Path(path) for path in in_order(shards)]
    merge = find_merger(ShardFile.read(ordered[0]).verb)
    merge(Screen(quiet=quiet), ordered, out, force=force)
