"""`demotic translate` in shards: consecutive lines of one text."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import click

from demotic.cli.screen import Screen
from demotic.cli.sharded_verb import CollectingScreen, ShardOutput, note_all
from demotic.cli.translate_files import refuse_outputs
from demotic.lines import write_text
from demotic.workers.shards import Shard, ShardFile

__all__ = ["OUTPUTS", "merge", "refuse_undivided", "write_shard"]

OUTPUTS = ("out", "nbest_file", "forest")  # parameters that name files which are written
_UNDIVIDED = {"src_tags": "--src-tags", "trees": "--trees", "documents": "--file"}


def refuse_undivided(rest: dict[str, Any]) -> None:
    """Refuses work that cannot be cut by lines."""
    for name, flag in _UNDIVIDED.items():
        if rest[name]:
            raise click.UsageError(f"{flag} is not possible with --workers and --shard")
    if len(rest["files"]) != 1 or rest["files"][0] == "-":
        raise click.UsageError("--workers and --shard take exactly one FILE")


def write_shard(
    translate: Callable[[Screen, dict[str, Any]], None], rest: dict[str, Any], as_json: bool
) -> None:
    """Translates the lines of a shard and packs all outputs into the file `out`."""
    shard: Shard = rest["shard"]
    output = ShardOutput("translate", shard, rest["out"], OUTPUTS, rest["force"], rest["files"])
    screen = CollectingScreen(as_json=as_json)
    with tempfile.TemporaryDirectory(prefix="demotic-") as folder:
        names = {name: str(Path(folder) / name) for name in OUTPUTS if rest[name]}
        translate(screen, {**rest, **names})
        parts = {name: Path(path).read_bytes() for name, path in names.items()}
    about = {
        "said": screen.said,
        "outputs": {name: rest[name] for name in OUTPUTS[1:] if rest[name]},
    }
    output.write(about, parts)


def merge(
    screen: Screen,
    shards: Iterable[Path],
    out: str | None,
    params: Mapping[str, Any] | None = None,
    *,
    force: bool,
) -> None:
    """Writes the translations, and lists and forests to the files named when shards were made."""
    said = []
    with ExitStack() as stack:
        files: dict[str, IO[str]] = {}
        for path in shards:
            one = ShardFile.read(path)
            if not files:
                names = {**one.about["outputs"], **({"out": out} if out else {})}
                refuse_outputs(map(Path, names.values()), [], force=force)
                files = {name: stack.enter_context(write_text(to)) for name, to in names.items()}
            for name, data in one.parts.items():
                if name in files:
                    files[name].write(data.decode())
                else:
                    sys.stdout.buffer.write(data)
                    sys.stdout.buffer.flush()
            said.append(one.about)
    note_all(screen, said)
