"""`demotic force` in shards: consecutive pairs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demotic.cli.screen import Screen
from demotic.cli.sharded_verb import invoke_verb, plain_params, shard_key
from demotic.cli.translate_files import refuse_outputs
from demotic.workers.shards import ShardFile

if TYPE_CHECKING:
    from demotic.force.directory import ForceRequest

__all__ = ["OUTPUTS", "merge", "write_shard"]

OUTPUTS = ("out",)


def write_shard(request: ForceRequest, rest: dict[str, Any]) -> None:
    """Writes the result of a shard to the file `out`."""
    refuse_outputs([rest["out"]], [], force=rest["force"])
    context = click.get_current_context()
    with tempfile.TemporaryDirectory(prefix="demotic-") as folder:
        parts = request.write_shard(rest["shard"], Path(folder))
    about = {"params": plain_params(context)}
    ShardFile("force", shard_key(context, OUTPUTS), rest["shard"], about, parts).write(rest["out"])


def merge(
    screen: Screen,
    shards: Iterable[Path],
    out: str | None,
    params: Mapping[str, Any] | None = None,
    *,
    force: bool,
) -> None:
    """Runs the verb with the results of the shards."""
    if out is None:
        raise click.UsageError("the shards of demotic force need a directory: -o DIR")
    files = [ShardFile.read(path) for path in shards]
    known = dict(params or files[0].about["params"])
    changed = {"out": out, "force": force, "workers": None, "shard": None}
    invoke_verb("force", {**known, **changed}, files)
