"""The output of `demotic make`: stage, time so far and time left; then the result."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from demotic.cli.program import program
from demotic.cli.screen import Screen
from demotic.durations import short_duration
from demotic.suggestions import quoted

if TYPE_CHECKING:
    from demotic.pipeline.progress import Advance, Plan
    from demotic.pipeline.result import Example, MakeResult, StageResult

__all__ = ["Display", "Estimate", "result_text", "show"]

_EVERY = 10.0  # seconds between lines without a terminal
_SHOWN = 3  # example translations


class Estimate:
    """The time left: the planned time, scaled by how long the finished stages took."""

    def __init__(self) -> None:
        self._plans: list[Plan] = []
        self._spent = 0.0
        self._expected = 0.0  # planned time of the finished stages

    def plan(self, stages: Sequence[Plan]) -> None:
        self._plans = list(stages)

    def place(self, name: str) -> tuple[int, int]:
        """The number of a stage, from 1, and how many there are."""
        names = [one.name for one in self._plans]
        return (names.index(name) + 1 if name in names else len(names)), len(names)

    def finish(self, name: str, seconds: float) -> None:
        """A stage that took no time was done by an earlier run and does not count."""
        expected = self._seconds(name)
        if seconds > 0.05 * expected:
            self._spent += seconds
            self._expected += expected

    def left(self, name: str, share: float, seconds: float) -> float:
        place, _ = self.place(name)
        own = self._seconds(name)
        after = sum(one.seconds for one in self._plans[place:])
        spent, expected = self._spent + seconds, self._expected + share * own
        pace = spent / expected if expected > 1 and share > 0 else self._pace
        return pace * (after + (1 - share) * own)

    @property
    def _pace(self) -> float:
        return self._spent / self._expected if self._expected > 1 else 1.0

    def _seconds(self, name: str) -> float:
        return next((one.seconds for one in self._plans if one.name == name), 0.0)


class Display:
    """One line per finished stage and, on a terminal, a bar for the current stage."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._begun = time.monotonic()
        self._estimate = Estimate()
        self._last = ("", 0.0)

    def __enter__(self) -> Display:
        return self

    def __exit__(self, *_: object) -> None: ...

    def plan(self, stages: Sequence[Plan]) -> None:
        self._estimate.plan(stages)

    @contextmanager
    def stage(self, name: str) -> Iterator[Advance]:
        started = time.monotonic()
        place, count = self._estimate.place(name)
        title = f"[{place}/{count}] {name}"

        def times(share: float) -> str:
            now = time.monotonic()
            left = self._estimate.left(name, share, now - started)
            return f"{short_duration(now - self._begun)} so far, about {short_duration(left)} left"

        with self._watched(title, times) as advance:
            yield advance
        seconds = time.monotonic() - started
        self._estimate.finish(name, seconds)
        self._last = (title, seconds)

    def done(self, text: str) -> None:
        title, seconds = self._last
        self._screen.note(f"{title}: {text} ({short_duration(seconds)})")

    def warn(self, text: str) -> None:
        self._screen.warn(text)

    @contextmanager
    def _watched(self, title: str, times: Any) -> Iterator[Advance]:
        if self._screen.quiet:
            yield lambda share, remark="": None
        elif sys.stderr.isatty():
            with _bar(title, times) as advance:
                yield advance
        else:
            yield _lines(title, times)


@contextmanager
def _bar(title: str, times: Any) -> Iterator[Advance]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[times]}"),
        TextColumn("{task.fields[remark]}", style="dim"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=1.0, times=times(0.0), remark="")

        def advance(share: float, remark: str = "") -> None:
            progress.update(task, completed=share, times=times(share), remark=remark)

        yield advance


def _lines(title: str, times: Any) -> Advance:
    last = time.monotonic()

    def advance(share: float, remark: str = "") -> None:
        nonlocal last
        if time.monotonic() - last >= _EVERY:
            last = time.monotonic()
            more = f", {remark}" if remark else ""
            print(f"{title}: {100 * share:.0f} %{more}; {times(share)}", file=sys.stderr)

    return advance


def show(screen: Screen, result: MakeResult) -> None:
    """Prints the result."""
    screen.result(
        result.as_dict() if screen.as_json else {}, "" if screen.as_json else result_text(result)
    )


def result_text(result: MakeResult) -> str:
    """The result as text."""
    from demotic.explain.plain import plain_table
    from demotic.text.language_names import language_name

    source, target = map(language_name, (result.source_language, result.target_language))
    seconds = sum(value for _, value in result.times)
    parts = [
        f"\n{source} to {target}: {result.best.scores['bleu'].value:.1f} BLEU on "
        f"{result.sentences['test']:,} held-out sentences "
        f"({result.sentences['train']:,} training pairs, {short_duration(seconds)})\n",
        plain_table(_HEADER, [_row(result, i) for i in range(len(result.stages))]),
        f"\nBLEU: {result.signatures['bleu']}, with 95 % intervals; p by paired bootstrap\n",
        *(_example(one) for one in _chosen(result)),
        *_commands(result),
    ]
    return "\n".join(part for part in parts if part)


_BETTER = (
    "better?    make it with --kind best: Hiero is often better where the order of words differs"
)


def _commands(result: MakeResult) -> list[str]:
    """The next commands, to copy."""
    name, source, model = program(), result.source_language, quoted(result.path)
    sentence = shlex.quote(result.good[0].source if result.good else "...")
    only_phrases = all(stage.kind == "phrase" for stage in result.stages)
    return [
        f"report     {result.path / 'report.html'}",
        f"try it     echo {sentence} | {name} translate {model}",
        f"a file     {name} translate {model} < new.{source} > new.{result.target_language}",
        f"why?       {name} explain {model} {sentence} -o why.html",
        *([_BETTER] if only_phrases else []),
    ]


_HEADER = ("stage", "dev BLEU", "test BLEU", "95 %", "chrF", "TER", "against the stage before")


def _row(result: MakeResult, i: int) -> tuple[str, ...]:
    stage = result.stages[i]
    bleu = stage.scores["bleu"]
    kept = "  <- this model" if i == result.final else ""
    name = (
        stage.label
        if len({one.kind for one in result.stages}) == 1
        else f"{stage.kind}, {stage.label}"
    )
    return (
        name,
        f"{stage.dev:.2f}",
        f"{bleu.value:.2f}",
        f"{bleu.low:.1f}-{bleu.high:.1f}",
        *(
            f"{stage.scores[one].value:.1f}" if one in stage.scores else ""
            for one in ("chrf", "ter")
        ),
        _compared(result.stages, stage) + kept,
    )


def _compared(stages: Sequence[StageResult], stage: StageResult) -> str:
    """The gain over the previous stage, and its significance."""
    if stage.p_value is None:
        return ""
    before = next(
        one for one in stages if one.kind == stage.kind and one.name == stage.compared_with
    )
    gain = stage.scores["bleu"].value - before.scores["bleu"].value
    p = "p < 0.001" if stage.p_value < 0.001 else f"p = {stage.p_value:.3f}"
    other = f" (against {before.label})" if stage.story else ""
    return f"{gain:+.2f}, {p}{other}"


def _chosen(result: MakeResult) -> list[Example]:
    """Some of the best examples and one of the worst."""
    return [*result.good[: _SHOWN - 1], *result.bad[:1]]


def _example(one: Example) -> str:
    return (
        f"  source       {one.source}\n  reference    {one.references[0]}\n"
        f"  translation  {one.after}\n"
    )
