"""The output of a verb: results on standard output, everything else on standard error.

On a terminal, progress is a bar with an estimate; otherwise it is an occasional plain line.
"""

from __future__ import annotations

import json
import math
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

from demotic.durations import short_duration

__all__ = ["Advance", "OneBar", "Screen"]


class Advance(Protocol):
    """Called with the amount done and, if known, the total."""

    def __call__(self, done: int, total: int = 0, remark: str = "") -> None: ...


class Screen:
    """The two streams of a verb, respecting --quiet and --json."""

    def __init__(self, *, quiet: bool = False, as_json: bool = False) -> None:
        self.quiet = quiet
        self.as_json = as_json

    def note(self, text: str) -> None:
        if not self.quiet:
            print(text, file=sys.stderr)

    def warn(self, text: str) -> None:
        print(f"demotic: warning: {text}", file=sys.stderr)

    def result(self, values: dict[str, Any], text: str) -> None:
        """The result, as JSON or as text."""
        if self.as_json:
            json.dump(values, sys.stdout, ensure_ascii=False, indent=2)
            print()
        elif text:
            print(text)

    def written(self, values: dict[str, Any], text: str, next_steps: str = "") -> None:
        """Reports what a verb has written, and what to do with it."""
        self.result(values, "" if self.quiet else text)
        if next_steps and not self.as_json:
            self.note(next_steps)

    def table(self, title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """A table with right-aligned numbers."""
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
    def progress(self, label: str, *, transient: bool = False) -> Iterator[Advance]:
        """The progress of one task; a transient bar disappears at the end."""
        if self.quiet:
            yield lambda done, total=0, remark="": None
        elif sys.stderr.isatty():
            with _bar(label, transient=transient) as advance:
                yield advance
        else:
            with _PlainLines(label) as advance:
                yield advance


class OneBar:
    """Progress of work with changing labels, one display at a time."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._open: AbstractContextManager[Advance] | None = None
        self._advance: Advance | None = None
        self._label = ""

    def __enter__(self) -> OneBar:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def show(self, label: str, done: int, total: int = 0, remark: str = "") -> None:
        """A new label ends the previous display."""
        if label != self._label:
            self.close()
            self._label = label
            self._open = self._screen.progress(label, transient=True)
            self._advance = self._open.__enter__()
        if self._advance:
            self._advance(done, total, remark)

    def close(self) -> None:
        if self._open is not None:
            self._open.__exit__(None, None, None)
        self._open, self._advance, self._label = None, None, ""


def _numeric(text: str) -> bool:
    return (
        text.replace(",", "").replace(".", "").replace("%", "").replace("-", "").strip().isdigit()
    )


@contextmanager
def _bar(label: str, *, transient: bool) -> Iterator[Advance]:
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
    with Progress(*columns, console=Console(stderr=True), transient=transient) as progress:
        task = progress.add_task(label, total=None, remark="")

        def advance(done: int, total: int = 0, remark: str = "") -> None:
            progress.update(task, completed=done, total=total or None, remark=remark)

        yield advance
        if (total := progress.tasks[0].total) is not None:
            progress.update(task, completed=total)


def _amount(done: int, total: int) -> str:
    if total:
        return f"{math.floor(100 * min(done, total) / total)} %"
    return f"{done:,} so far" if done else ""


class _PlainLines:
    """Progress without a terminal: a line after some seconds and occasionally, one at the end.

    Work of less than two seconds is silent, and lines become rarer the longer it takes.
    """

    FIRST, BETWEEN = 2.0, 5.0  # seconds
    SHARE = 0.1  # minimum time between two lines, as a share of the time so far

    def __init__(self, label: str) -> None:
        self._label = label
        self._started = time.monotonic()
        self._next = self._started + self.FIRST
        self._said = ""
        self._lock = threading.Lock()
        # Work that does not report its progress shows at least its name.
        self._timer = threading.Timer(self.FIRST, self._begin)
        self._timer.daemon = True

    def __enter__(self) -> Advance:
        self._timer.start()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._timer.cancel()
        if self._said and kind is None:
            seconds = time.monotonic() - self._started
            self._print(f"{self._label}: done in {short_duration(seconds)}")

    def __call__(self, done: int, total: int = 0, remark: str = "") -> None:
        now = time.monotonic()
        if now < self._next:
            return
        spent = now - self._started
        self._next = now + max(self.BETWEEN, self.SHARE * spent)
        known = [_amount(done, total), _left(spent, done, total), remark]
        self._print(f"{self._label}: {', '.join(part for part in known if part) or '...'}")

    def _begin(self) -> None:
        if not self._said:
            self._print(f"{self._label} ...")

    def _print(self, line: str) -> None:
        with self._lock:  # shared by the timer and the work
            if line != self._said:
                print(line, file=sys.stderr, flush=True)
            self._said = line


def _left(spent: float, done: int, total: int) -> str:
    if not 0 < done < total:
        return ""
    return f"{short_duration(spent * (total - done) / done)} left"
