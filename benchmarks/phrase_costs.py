"""Costs of phrase search other than searching: opening, memory, and calls from Python."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import TypeVar

from benchmarks.pairing import compare, measure
from benchmarks.phrase_models import SOURCES, Task, decoder
from benchmarks.texts import sentences
from demotic.model import Model

__all__ = ["calls", "fixed_costs"]

T = TypeVar("T")

SENTENCES = 20_000
STAGES = (1_000, 5_000, 10_000, 20_000)
OPENINGS = 5
GOAL_MS_PER_GB, GOAL_MB, GOAL_GROWTH, GOAL_CALL_US, GOAL_BATCH = 100, 64, 1.02, 20, 1.05


def fixed_costs(folder: Path) -> None:
    """Each in a separate process; files are in the page cache."""
    for name, language in SOURCES.items():
        runs = [_apart(_opened, folder / name) for _ in range(OPENINGS)]
        size = sum(file.stat().st_size for file in (folder / name).glob("*.*")) / 1e9
        opening, first, cold = (1000 * median(run[i] for run in runs) for i in range(3))
        print(
            f"\n{name}: {size:.3f} GB open in {opening:.1f} ms CPU ({opening / size:.0f} ms a GB,"
            f" {_judged(opening / size, GOAL_MS_PER_GB)}); first translation {first:.1f} ms later;"
            f" first opening of a process, imports included, {cold:.1f} ms"
        )
        peak, mapped, grown = _apart(_memory, folder / name, language)
        ratio = peak / (peak - grown[-1] + grown[0])
        stages = ", ".join(f"after {n:,} {grown[n // 1000 - 1]:.1f}" for n in STAGES)
        print(
            f"{name}: {SENTENCES:,} sentences of the training set in calls of 1,000, pop limit 100,"
            f" 1 thread: peak {peak:.0f} MB, of which mapped {mapped:.0f}; own memory in MB over"
            f" that after the first sentence: {stages} ({_judged(grown[-1], GOAL_MB)}); the whole"
            f" grew to {ratio:.2f} times that after 1,000 ({_judged(ratio, GOAL_GROWTH)})",
            flush=True,
        )


def _apart(work: Callable[..., T], *arguments: object) -> T:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(work, *arguments).result()


def _opened(path: Path) -> tuple[float, float, float]:
    """Seconds of the second opening, of the first translation after it, of the first opening."""
    made: list[Model] = []

    def opening() -> None:
        made[:] = [Model.load(path)]
        _ = made[0].native

    language = SOURCES[path.name]
    line = " ".join(sentences(f"{path.name}/tok/test.{language}.gz")[0][0])
    cold, opened = measure(opening).cpu, measure(opening).cpu
    return opened, measure(lambda: decoder(made[0], 100).translate([line])).cpu, cold


def _memory(path: Path, language: str) -> tuple[float, float, list[float]]:
    """Peak and mapped MB; growth of its own memory in MB after each thousand sentences."""
    text, _ = sentences(f"{path.name}/tok/train.{language}.gz", SENTENCES)
    lines = [" ".join(sentence) for sentence in text]
    search = decoder(Model.load(path), 100)
    search.translate(lines[:1])
    before = _status("RssAnon")
    grown = []
    for begin in range(0, len(lines), 1000):
        search.translate(lines[begin : begin + 1000])
        grown.append(_status("RssAnon") - before)
    return _status("VmHWM"), _status("RssFile"), grown


def _status(field: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(field))


def calls(task: Task, pop_limit: int = 30) -> None:
    """One call with all sentences, compared with one call per sentence and with the native call.

    Time inside native code cannot be measured from here, so the call of the binding with prepared
    sentences is used instead.
    """
    search = decoder(task.model, pop_limit)
    ready = search.sentences(task.source)

    def native() -> None:
        decoder(task.model, pop_limit)._searchers.translate(ready, 1, None)

    def batch() -> None:
        assert decoder(task.model, pop_limit).translate(task.source).text

    def kept() -> None:
        assert search.translate(task.source).text

    def one_by_one() -> None:
        for line in task.source:
            assert search.translate([line]).text is not None

    name = f"{len(task.source):,} sentences of {task.name}, pop limit {pop_limit}"
    overhead = compare(("native", native), ("one call", batch))
    print()
    print(overhead.report(f"{name}: the batch call", "sentences encoded before or inside"))
    ratio = median(overhead.ratios())
    print(f"batch call / native {ratio:.3f}: {_judged(ratio, GOAL_BATCH)}")
    single = compare(("one call", kept), ("a call each", one_by_one))
    print(single.report(f"{name}: calls of one sentence", "one decoder, used before, for both"))
    times = zip(*single.times, strict=True)
    more = 1e6 * median(b.cpu - a.cpu for a, b in times) / len(task.source)
    print(f"a call costs {more:.0f} us over its share: {_judged(more, GOAL_CALL_US)}", flush=True)


def _judged(value: float, goal: float) -> str:
    return f"{'ok' if value <= goal else 'over'}: goal {goal:g}"
