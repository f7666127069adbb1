"""Hierarchical search on zh-en-tatoeba: words per second, growth with pop limit and sentence
length, memory, threads.

Models with tight and loose rules are built once into the folder in `DEMOTIC_BENCH_MODELS`, or a
temporary one: hmm links, 4-gram language model, initial phrases up to 10, initial weights.  All
times are CPU times.  The figures of Moses' chart decoder were measured on another machine, with
another model (span limit 20).
"""

from __future__ import annotations

import math
import multiprocessing
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from benchmarks.pairing import Seconds, measure
from benchmarks.phrase_models import model_folder
from benchmarks.texts import data_folder
from demotic.align.options import AlignOptions
from demotic.lines import LineFile
from demotic.lm.estimate import LmOptions
from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.rules import RuleOptions
from demotic.search import SearchOptions

POP_LIMITS = (10, 30, 100, 200, 400)
LENGTHS = (10, 20, 40, 160, 640)
LONG_TEXT = 5_120  # words
SPAN_LIMIT = 10
MOSES_CHART = {30: 3_300, 200: 730}  # words per second
SENTENCES = 500
STATUS = Path("/proc/self/status")


def main() -> None:
    folder = data_folder() / "zh-en-tatoeba" / "tok"
    if not folder.is_dir():
        print("hiero_search: not measured (no corpora; set DEMOTIC_DATA)")
        return
    lines = list(LineFile(folder / "test.zh.gz"))[:SENTENCES]
    words = sum(len(line.split()) for line in lines)
    with model_folder() as models:
        for kind in ("tight", "loose"):
            model = built(folder, models, kind)
            print(f"{kind} rules: {model!r}; {len(lines):,} sentences, {words:,} words")
            print(f"span limit {SPAN_LIMIT}; load average before {os.getloadavg()[0]:.1f}")
            by_pop_limit(model, lines, words)
            by_threads(model, lines, words)
            by_length(model, lines)
            memory(folder_of(models, kind), lines)


def folder_of(models: Path, kind: str) -> Path:
    return models / f"zh-en-hiero-{kind}"


def built(folder: Path, models: Path, kind: str) -> Model:
    options = BuildOptions(
        source=folder / "train.zh.gz",
        target=folder / "train.en.gz",
        kind="hiero",
        align=(AlignOptions(),),
        lm=LmOptions(order=4),
        rules=RuleOptions(tight=kind == "tight"),
    )
    return build(options, folder_of(models, kind), threads=2).model


def options(pop_limit: int) -> SearchOptions:
    return SearchOptions(pop_limit=pop_limit, beam_size=pop_limit, span_limit=SPAN_LIMIT)


def taken(model: Model, lines: Sequence[str], pop_limit: int, threads: int = 1) -> Seconds:
    """Medians of three; each run has its own decoder, so that nothing is cached."""
    runs = [
        measure(lambda: model.decoder(options(pop_limit)).translate(lines, threads=threads))
        for _ in range(3)
    ]
    return Seconds(median(run.cpu for run in runs), median(run.wall for run in runs))


def by_pop_limit(model: Model, lines: Sequence[str], words: int) -> None:
    model.decoder(options(10)).translate(lines[:50])
    print(f"{'pop limit':>9} {'words/s':>8} {'model score':>11}   Moses' chart (elsewhere), ratio")
    times = []
    for pop_limit in POP_LIMITS:
        seconds = taken(model, lines, pop_limit).cpu
        score = model.decoder(options(pop_limit)).translate(lines).scores.mean()
        anchor = MOSES_CHART.get(pop_limit)
        beside = f"{anchor:,} {words / seconds / anchor:.1f}" if anchor else "-"
        print(f"{pop_limit:>9} {words / seconds:>8,.0f} {score:>11.3f}   {beside}", flush=True)
        times.append((pop_limit, seconds))
    print(f"time grows as the pop limit to the power of {exponent(times[1:]):.2f}")


def by_threads(model: Model, lines: Sequence[str], words: int) -> None:
    for threads in (1, 2):
        seconds = taken(model, lines, 200, threads)
        print(
            f"{threads} threads, pop limit 200: {words / seconds.cpu:,.0f} words a CPU second, "
            f"{words / seconds.wall:,.0f} per second"
        )


def by_length(model: Model, lines: Sequence[str]) -> None:
    """Sentences of a given length are pieces of the whole test text, repeated."""
    words = " ".join(lines).split()
    text = (words * (LONG_TEXT // len(words) + 1))[:LONG_TEXT]
    times = []
    for length in LENGTHS:
        cut = [" ".join(text[i : i + length]) for i in range(0, LONG_TEXT, length)]
        seconds = taken(model, cut, 100).cpu
        print(f"{length:>4} words per sentence: {LONG_TEXT / seconds:,.0f} words/s", flush=True)
        times.append((length, seconds / len(cut)))
    print(
        f"from {LENGTHS[2]} words on, time grows as the length to the power of "
        f"{exponent(times[2:]):.2f} (pop limit 100)"
    )


def exponent(points: Sequence[tuple[int, float]]) -> float:
    (x, a), *_, (y, b) = points
    return math.log(b / a) / math.log(y / x)


def memory(folder: Path, lines: Sequence[str]) -> None:
    """In separate processes, since memory freed by an earlier search would be reused."""
    if not STATUS.exists():
        print("memory: not measured (no /proc)")
        return
    for pop_limit in (30, 200):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            most = pool.apply(most_memory, (folder, lines, pop_limit))
        print(f"pop limit {pop_limit}: {most / 1e6:,.0f} MB in addition to the model, one thread")


def most_memory(folder: Path, lines: Sequence[str], pop_limit: int) -> int:
    """The maximum memory of a search in addition to the mapped model, sampled regularly."""
    decoder = Model.load(folder).decoder(options(pop_limit))
    before, most = private_memory(), 0
    with ThreadPoolExecutor(1) as pool:
        work = pool.submit(decoder.translate, lines)
        while not work.done():
            most = max(most, private_memory() - before)
            time.sleep(0.002)
    return most


def private_memory() -> int:
    found = next(line for line in STATUS.read_text().splitlines() if line.startswith("RssAnon"))
    return 1024 * int(found.split()[1])
