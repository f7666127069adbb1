"""What a verb shows: results on standard output, everything else on standard error.

On a terminal progress is a bar with an estimate; elsewhere it is a plain line now and then.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

from demotic.cli.duration import duration

__all__ = ["Advance", "OneBar", "Screen"]

_FIRST, _EVERY, _SELDOM = 2.0, 5.0, 30.0  # seconds to the first plain line, and between others


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
    def progress(self, label: str, *, transient: bool = False) -> Iterator[Advance]:
        """The progress of one piece of work; a transient bar disappears when it is done."""
        if self.quiet:
            yield lambda done, total=0, remark="": None
        elif sys.stderr.isatty():
            with _bar(label, transient=transient) as advance:
                yield advance
        else:
            lines = _PlainLines(label)
            yield lines
            lines.end()


class OneBar:
    """Work with changing labels, one progress display at a time."""

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
        """A new label ends the display of the one before."""
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


class _PlainLines:
    """A line every few seconds, later less often; short work is silent, no state shown twice."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._began = self._last = time.monotonic()
        self._wait = _FIRST
        self._state: tuple[int, int, str] = (0, 0, "")
        self._shown: tuple[int, int] | None = None

    def __call__(self, done: int, total: int = 0, remark: str = "") -> None:
        now = time.monotonic()
        if done < self._state[0]:  # begun anew, so that the time before says nothing about it
            self._began = now
        self._state = (done, total, remark)
        if now - self._last >= self._wait:
            elapsed = now - self._began
            self._last, self._wait = now, min(_SELDOM, max(_EVERY, 0.1 * elapsed))
            self._show(elapsed)

    def end(self) -> None:
        """The work is done: says so if lines have been shown."""
        if self._shown is not None:
            done, total, remark = self._state
            self._state = (total or done, total, remark)
            self._show(0.0)

    def _show(self, seconds: float) -> None:
        done, total, remark = self._state
        if self._shown == (done, total):
            return
        self._shown = (done, total)
        share = f" of {total:,} ({100 * done / total:.0f} %)" if total else ""
        left = duration(seconds * (total - done) / done) if 0 < done < total and seconds else ""
        more = "".join(f", {part}" for part in (remark, f"{left} left" if left else "") if part)
        print(f"{self._label}: {done:,}{share}{more}", file=sys.stderr)
