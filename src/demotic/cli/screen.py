"""What a verb shows: results on standard output, everything else on standard error.

On a terminal progress is a bar with an estimate; elsewhere it is a plain line now and then.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

__all__ = ["Advance", "Screen"]


class Advance(Protocol):
    """Called with what is done and, where it is known, how much there is in all."""

    def __call__(self, done: int, total: int = 0, remark: str = "") -> None: ...


class Screen:
    """The two streams of a verb, as quiet as it was told to be."""

    def __init__(self, *, quiet: bool = False, as_json: bool = False) -> None:
        self.quiet = quiet
        self.as_json = as_json

    def note(self, text: str) -> None:
        if not self.quiet:
            print(text, file=sys.stderr)

    def warn(self, text: str) -> None:
        print(f"demotic: warning: {text}", file=sys.stderr)

    def result(self, values: dict[str, Any], text: str) -> None:
        """The outcome, as JSON or as text."""
        if self.as_json:
            json.dump(values, sys.stdout, ensure_ascii=False, indent=2)
            print()
        elif text:
            print(text)

    def table(self, title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """A table for people; numbers to the right."""
        from rich.console import Console
        from rich.table import Table

        drawn = Table(title=title, title_justify="left")
        for i, name in enumerate(header):
            numeric = all(_numeric(row[i]) for row in rows)
            drawn.add_column(name, justify="right" if numeric else "left")
        for row in rows:
            drawn.add_row(*row)
        Console(highlight=False, markup=False).print(drawn)

    @contextmanager
    def progress(self, label: str) -> Iterator[Advance]:
        if self.quiet:
            yield lambda done, total=0, remark="": None
        elif sys.stderr.isatty():
            with _bar(label) as advance:
                yield advance
        else:
            yield _plain_lines(label)


def _numeric(text: str) -> bool:
    return (
        text.replace(",", "").replace(".", "").replace("%", "").replace("-", "").strip().isdigit()
    )


@contextmanager
def _bar(label: str) -> Iterator[Advance]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[remark]}"),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(label, total=None, remark="")

        def advance(done: int, total: int = 0, remark: str = "") -> None:
            progress.update(task, completed=done, total=total or None, remark=remark)

        yield advance


def _plain_lines(label: str, every: float = 5.0) -> Advance:
    """A line each `every` seconds: short work stays silent, long work shows that it lives."""
    last = time.monotonic()

    def advance(done: int, total: int = 0, remark: str = "") -> None:
        nonlocal last
        if time.monotonic() - last >= every:
            last = time.monotonic()
            share = f" of {total:,} ({100 * done / total:.0f} %)" if total else ""
            more = f", {remark}" if remark else ""
            print(f"{label}: {done:,}{share}{more}", file=sys.stderr)

    return advance
