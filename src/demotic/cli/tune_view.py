"""The output of `demotic tune`: one line per round, then the curve and the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from demotic.cli.screen import OneBar
from demotic.counts import counted
from demotic.durations import short_duration
from demotic.learn.options import PATIENCE
from demotic.options import kind_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demotic.cli.screen import Screen
    from demotic.learn.dev_set import DevSet
    from demotic.learn.journal import Round
    from demotic.learn.runs import Tuned, TuneRequest
    from demotic.learn.tune_result import TuneResult
    from demotic.options import Option

__all__ = ["RoundLines", "as_dict", "options_table", "result_text", "sparkline"]

_LEVELS = "▁▂▃▄▅▆▇█"
_HEADER = (
    "round  {name:>{width}}{dev}  candidates  {their:>{their_width}}    change  seconds"
    "  left at most"
)


class RoundLines:
    """One line per round, under a header; remarks before the first."""

    def __init__(self, screen: Screen, request: TuneRequest, dev: DevSet) -> None:
        self._screen = screen
        name = request.metric.make(dev.references).name
        self._width, self._their_width = max(5, len(name)), max(10, len(name) + len("their "))
        self._header = _HEADER.format(
            name=name,
            width=self._width,
            dev=f"  {'dev ' + name:>{self._width + 4}}" if dev.held_out else "",
            their=f"their {name}",
            their_width=self._their_width,
        )
        self._bar = OneBar(screen)
        self._request = request
        self._run = 0
        self._seconds: list[float] = []
        words = request.effective.max_words
        if words is not None:
            kept = len(dev.up_to(words))
            asked = f", the default of search-aware {request.method}"
            why = "" if request.options.max_words else asked
            screen.note(
                f"tuning on {kept:,} of {len(dev):,} sentences: those of at most {words} words{why}"
            )

    def __enter__(self) -> RoundLines:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def progress(self, label: str, done: int, total: int) -> None:
        self._bar.show(label, done, total)

    def report(self, run: int, done: Round) -> None:
        self._bar.close()
        if run != self._run:
            self._run = run
            seed = self._request.options.seed + run - 1
            of_all = f"run {run} of {self._request.runs}, seed {seed}\n"
            self._screen.note((of_all if self._request.runs > 1 else "") + self._header)
        self._seconds.append(done.seconds)
        stop = f"  {done.stop}" if done.stop else ""
        dev = "" if done.dev_score is None else f"  {done.dev_score:>{self._width + 4}.2f}"
        self._screen.note(
            f"{done.number:>5}  {done.score:>{self._width}.2f}{dev}  {done.size:>10,}"
            f"  {done.evidence_score:>{self._their_width}.2f}"
            f"  {done.change:>8.5f}  {done.seconds:>7.1f}  {self._left(run, done):>12}{stop}"
        )

    def _left(self, run: int, done: Round) -> str:
        """Estimated from the rounds so far; a run may end before its last round."""
        rounds = self._request.options.rounds
        more = rounds * (self._request.runs - run) + (0 if done.stop else rounds - done.number)
        seconds = more * sum(self._seconds) / len(self._seconds)
        return short_duration(seconds)


def sparkline(values: Sequence[float]) -> str:
    """One bar character per value, scaled from the lowest to the highest."""
    low, high = min(values), max(values)
    step = (high - low) / (len(_LEVELS) - 1)
    return "".join(_LEVELS[round((value - low) / step) if step > 0 else 0] for value in values)


def result_text(tuned: Tuned, request: TuneRequest) -> str:
    """The result as text."""
    run, lines = tuned.runs[tuned.best], []
    for number, one in enumerate(tuned.runs, 1):
        start = f"run {number}: " if len(tuned.runs) > 1 else ""
        for name, curve in (("tuning", one.curve), ("dev", one.dev_curve)):
            if curve:
                lines.append(
                    f"{start}{one.metric} on the {name} set by round: "
                    f"{curve[0]:.2f} {sparkline(curve)} {curve[-1]:.2f}"
                )
    seconds = sum(one.seconds for one in tuned.runs)
    kind, path = kind_name(tuned.model.kind), tuned.model.path
    lines.append(
        f"Wrote the {kind} model {path}, tuned by {request.method}: {_scores(run)}"
        f"{_spread(tuned)}. {_kept(run)} {_stopped(run, request)}; "
        f"{short_duration(seconds)} in total. {_named(run)}.{_sparse(run)}"
    )
    return "\n".join(lines)


def _scores(run: TuneResult) -> str:
    """Before and after, on every set."""
    texts = [f"on the tuning set {run.curve[0]:.2f} before, {run.score:.2f} after"]
    if run.dev_score is not None:
        dev = f"on the dev set {run.dev_curve[0]:.2f} before, {run.dev_score:.2f} after"
        texts.insert(0, dev)
    return f"{run.metric} {'; '.join(texts)}"


def _sparse(run: TuneResult) -> str:
    """How many sparse weights are in use."""
    if run.sparse is None:
        return ""
    if run.kept == 0:
        return " Its sparse weights are the initial ones, too."
    return (
        f" Of {run.sparse.seen:,} sparse features of the candidates, {run.sparse.active:,} have a "
        "weight other than 0."
    )


def _named(run: TuneResult) -> str:
    """The metric, which way is better if that is not obvious, and its signature."""
    direction = "" if run.higher_is_better else " (lower is better)"
    return f"{run.metric}{direction} {run.signature}"


def _spread(tuned: Tuned) -> str:
    if tuned.deviation is None:
        return ""
    return (
        f" (run {tuned.best + 1}, the best of {len(tuned.runs)}: "
        f"{tuned.mean:.2f} ± {tuned.deviation:.2f})"
    )


def _kept(run: TuneResult) -> str:
    """Which weights were kept, and by which set they were chosen."""
    name, curve = ("dev", run.dev_curve) if run.dev_curve else ("tuning", run.curve)
    if run.keep == "best":
        why = ", since the last were no better than the initial ones" if run.fell_back else ""
        return f"It kept {_weights(run.kept)}, the best on the {name} set{why}."
    best = max(curve) if run.higher_is_better else min(curve)
    other = "" if best == curve[-1] else f" ({best:.2f} by {_weights(curve.index(best))})"
    return f"It kept the last weights, whether or not they are the best on the {name} set{other}."


def _weights(number: int) -> str:
    return "the initial weights" if number == 0 else f"the weights of round {number}"


def _stopped(run: TuneResult, request: TuneRequest) -> str:
    """How many rounds there were, and why tuning stopped."""
    patience = request.options.patience or PATIENCE
    stopped = {
        "flat": f"the score had not improved for {patience} rounds",
        "nothing new": "the search found nothing new",
        "nothing moved": "the weights no longer changed",
        "refused": "the update was not finite",
        "": f"--rounds is {request.options.rounds}",
    }
    return f"It stopped after {counted(len(run.rounds), 'round')}, because {stopped[run.stop]}"


def as_dict(tuned: Tuned, request: TuneRequest) -> dict[str, Any]:
    """The result for JSON."""
    best = tuned.runs[tuned.best]
    return {
        "model": str(tuned.model.path),
        "method": request.method,
        "metric": best.metric,
        "higher_is_better": best.higher_is_better,
        "score": best.score,
        "score_before": best.curve[0],
        "dev_score": best.dev_score,
        "dev_score_before": best.dev_curve[0] if best.dev_curve else None,
        "rounds": len(best.rounds),
        "keep": best.keep,
        "kept_round": best.kept,
        "chosen_on": _chosen_on(best),
        "stop": best.stop or "rounds",
        "seconds": sum(run.seconds for run in tuned.runs),
        "signature": best.signature,
        "best_run": tuned.best + 1,
        "mean": tuned.mean,
        "deviation": tuned.deviation,
        "runs": [
            {
                "seed": request.options.seed + i,
                "score": run.score,
                "curve": run.curve,
                "dev_curve": run.dev_curve,
                "kept_round": run.kept,
                "stop": run.stop or "rounds",
                "seconds": run.seconds,
            }
            for i, run in enumerate(tuned.runs)
        ],
        "weights": dict(best.weights),
        "sparse": best.sparse and {"seen": best.sparse.seen, "active": best.sparse.active},
    }


def _chosen_on(run: TuneResult) -> str | None:
    """The set on which the kept round was chosen; None for the last round."""
    if run.keep == "last":
        return None
    return "tuning set" if run.dev_score is None else "dev set"


def options_table(request: TuneRequest) -> tuple[dict[str, Any], str]:
    """The settings of a method and of a metric: for JSON, and as text."""
    method, metric = request.tuning_method, request.metric
    learnt, scored = _table(method.options), _table(metric.known)
    values = {"method": learnt[0], "metric": scored[0]}
    lines = [
        *_section(f"{request.method}: {method.text}", "--option", learnt[1]),
        *_section(f"{metric.name}: {metric.text}", "--metric-option", scored[1]),
    ]
    return values, "\n".join(lines)


def _section(title: str, flag: str, rows: list[str]) -> list[str]:
    if not rows:
        return [f"{title}. It has no settings."]
    return [f"{title}. Settings, given as {flag} NAME=VALUE:", *rows]


def _table(known: Sequence[tuple[Option, Any]]) -> tuple[dict[str, Any], list[str]]:
    values = {one.name: {"default": value, "meaning": one.text} for one, value in known}
    rows = [(f"{one.name}={value}", one) for one, value in known]
    width = max((len(left) for left, _ in rows), default=0)
    return values, [f"  {left.ljust(width)}  {one.text} ({one.expected})" for left, one in rows]
