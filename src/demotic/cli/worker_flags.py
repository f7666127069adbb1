"""The flags of verbs whose work can be divided: --workers, --shards and --shard."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

import click

from demotic.cli.screen import Screen
from demotic.errors import InputError

if TYPE_CHECKING:
    from demotic.workers import Shard, Workers

__all__ = [
    "interrupted_by_sigterm",
    "shard_flag",
    "shard_flags",
    "start_workers",
    "started",
    "workers_flag",
]

_Command = TypeVar("_Command", bound=Callable[..., Any])
_SHARDS = 64
_WORKERS = "local:N|ray|ray:N|ray://HOST:PORT|files:DIR"


def workers_flag(function: _Command) -> _Command:
    """--workers alone, for work in many rounds."""
    return click.option(
        "--workers",
        metavar=_WORKERS,
        help="Let N processes, a Ray on this machine, a Ray cluster, or the jobs that run demotic "
        "worker DIR do the work, with one thread each; does not affect the result.",
    )(function)


def shard_flag(function: _Command) -> _Command:
    """--shard, for batch systems, whose results `demotic reduce` merges."""
    return click.option(
        "--shard",
        metavar="K/N",
        callback=_parsed,
        help="Do only part K of N, and write a file for demotic reduce to -o.",
    )(function)


def shard_flags(function: _Command) -> _Command:
    """--workers, --shards and --shard."""
    function = shard_flag(function)
    function = click.option(
        "--shards",
        type=click.IntRange(1),
        default=_SHARDS,
        show_default=True,
        help="Number of parts that --workers get, one at a time; does not affect the result.",
    )(function)
    return workers_flag(function)


def started(screen: Screen, name: str | None) -> AbstractContextManager[Workers | None]:
    """The workers that were asked for, if any."""
    return nullcontext() if name is None else start_workers(screen, name)


@contextmanager
def interrupted_by_sigterm() -> Iterator[None]:
    """SIGTERM, by which batch systems end jobs, acts as Ctrl-C, so that the other side knows."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def start_workers(screen: Screen, name: str) -> Iterator[Workers]:
    """Workers whose losses are reported, and in the end how much each has done."""
    from demotic.workers import open_workers

    with interrupted_by_sigterm():
        with screen.progress(f"starting workers ({name})"):
            workers = open_workers(name, notify=screen.warn)
        with workers:
            yield workers
            screen.note(f"parts of the work: {workers.shares}")


def _parsed(context: click.Context, flag: click.Parameter, text: str | None) -> Shard | None:
    if text is None:
        return None
    from demotic.workers import Shard

    try:
        shard = Shard.parse(text)
    except InputError as error:
        raise click.BadParameter(str(error), context, flag) from None
    if context.params.get("workers"):
        raise click.UsageError("--shard does one part here; omit it, or omit --workers")
    return shard
