"""`demotic status`: what is done in a directory, what is stale and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from demotic.cli.flags import example, quiet_and_json
from demotic.cli.screen import Screen

if TYPE_CHECKING:
    from demotic.status import Part, Status

__all__ = ["command"]


@click.command(epilog=example("demotic status zh-en", "demotic status zh-en --json | jq .stale"))
@click.argument("path", type=click.Path(), metavar="DIR")
@quiet_and_json
def command(*, path: str, quiet: bool, as_json: bool) -> None:
    """Show what is done in DIR, a directory of demotic make or a model, and what is stale and why.

    A step is stale if its inputs were changed since, or its outputs are not as it left them. Input
    files with another time or size are read to compare their contents.
    """
    from demotic.status import status_of

    screen = Screen(quiet=quiet, as_json=as_json)
    found = status_of(path)
    screen.result(found.as_dict(), "\n".join(_lines(found)))


def _lines(found: Status) -> list[str]:
    from demotic.durations import short_duration
    from demotic.sizes import bytes_text

    state = "finished" if found.finished else "unfinished"
    if found.running:
        state = "running now"
    made_by = f" by {found.made_by}" if found.made_by else ""
    if found.stale:
        made_by += ", but stale"
    total = f"{bytes_text(found.bytes)}, {short_duration(found.seconds)} of work"
    lines = [f"{found.path}: {state}{made_by}, {total}"]
    for title, parts in (("stages", found.stages), ("steps", found.steps)):
        if parts:
            lines += [f"  {title}", *_rows(parts)]
    if any(part.state == "stale" for part in found.stages):
        lines.append("  the text has changed: demotic make --force starts again with it")
    elif found.stale:
        lines.append(f"  {len(found.stale)} stale: the command that made it makes them again")
    elif not found.finished and found.made_by:
        lines.append("  the command that began it resumes")
    return lines


def _rows(parts: list[Part]) -> list[str]:
    from demotic.durations import short_duration
    from demotic.sizes import bytes_text

    width = max(len(part.name) for part in parts)
    rows = []
    for part in parts:
        taken = short_duration(part.seconds) if part.seconds else ""
        size = bytes_text(part.bytes) if part.bytes else ""
        row = f"    {part.name:<{width}}  {part.state:<10} {taken:>8} {size:>9}  {part.written}"
        rows.append((row.rstrip() + f"  {part.why or part.note}").rstrip())
    return rows
