"""`demotic align --load` in shards: consecutive pairs of one text.  Training: `align_passes.py`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demotic.cli.screen import Screen
from demotic.cli.sharded_verb import ShardOutput
from demotic.cli.translate_files import refuse_outputs
from demotic.lines import write_text
from demotic.workers.shards import ShardFile

if TYPE_CHECKING:
    from demotic.align.pair_text import Batch, PairText
    from demotic.align.stream import LinkStream

__all__ = ["OUTPUTS", "merge", "refuse_undivided", "write_shard"]

OUTPUTS = ("output",)


def refuse_undivided(flags: Mapping[str, Any]) -> None:
    """Refuses work that cannot be cut by lines."""
    if not (flags["load"] or flags["train_only"]):
        raise click.UsageError(
            "--shard divides either training (--train-only), or the text that a trained aligner "
            "reads (--load)"
        )
    sides = 1 if flags["pairs"] else 2
    if not 1 <= len(flags["files"]) <= sides or "-" in flags["files"]:
        raise click.UsageError("--workers and --shard take one text: SRC TGT, or one file of pairs")
    for name in ("gold", "write_lex", "save", "write_priors"):
        if flags[name]:
            flag = name.replace("_", "-")
            raise click.UsageError(f"--{flag} is not possible with --workers and --shard")


def write_shard(stream: LinkStream, text: PairText, output: ShardOutput) -> None:
    """Writes the links of a shard to a file for `merge`."""
    total = sum(len(source) for source, _ in text.batches())
    links = b"".join(stream.lines(_within(output.shard.part(total), text.batches())))
    output.write(asdict(stream.counts), {"links": links})


def merge(
    screen: Screen,
    shards: Iterable[Path],
    out: str | None,
    params: Mapping[str, Any] | None = None,
    *,
    force: bool,
) -> None:
    """Writes the links of all pairs, and says how many there are."""
    counts: Counter[str] = Counter()
    refuse_outputs([Path(out)] if out else [], [], force=force)
    with ExitStack() as stack:
        file = stack.enter_context(write_text(out)) if out else None
        for path in shards:
            one = ShardFile.read(path)
            counts.update(one.about)
            if file is not None:
                file.write(one.parts["links"].decode())
            else:
                sys.stdout.buffer.write(one.parts["links"])
    screen.note(f"{counts['links']:,} links in {counts['pairs']:,} sentence pairs")


def _within(part: range, batches: Iterator[Batch]) -> Iterator[Batch]:
    """The pairs of a part."""
    begin = 0
    for source, target in batches:
        end = begin + len(source)
        if own := range(max(part.start, begin), min(part.stop, end)):
            first, last = own.start - begin, own.stop - begin
            yield source.slice(first, last), target.slice(first, last)
        begin = end
