"""Phrase search: speed, score and BLEU by pop limit, threads, fixed costs, growth, competitors.

CPU seconds of one thread, with models opened and pages warm before the clock starts, and a new
decoder for every run.  Moses and Moses2 are not run here: their columns were measured on another
machine, on the test set of zh-en-tatoeba with models from another aligner and tuned weights, so
only the order of magnitude can be compared.
"""

from __future__ import annotations

import os
from pathlib import Path
from statistics import median

from benchmarks.pairing import compare, measure
from benchmarks.phrase_competitors import compare_with_nltk, compare_with_thot
from benchmarks.phrase_costs import calls, fixed_costs
from benchmarks.phrase_growth import Point, growth
from benchmarks.phrase_models import Task, decoder, model_folder, open_task, rescored
from benchmarks.texts import data_folder
from demotic.lm import LanguageModel
from demotic.search import Translations

POP_LIMITS = (5, 10, 30, 100, 400, 1000, 3000)
ENOUGH = 6.0  # CPU seconds per row: slow settings run only once
# words/s by pop limit on zh-en-tatoeba, measured on another machine
MOSES = {30: 9_000, 100: 3_500, 400: 1_050, 1000: 500}
MOSES2 = {30: 25_500, 100: 11_700, 400: 3_600, 1000: 1_850}


def main() -> None:
    if not data_folder().is_dir():
        print("phrase_search: not measured (no corpora; set DEMOTIC_DATA)")
        return
    print(f"load average before {os.getloadavg()[0]:.1f}; figures in CPU time, indicative")
    with model_folder() as folder:
        tasks = [open_task("zh-en-tatoeba", folder), open_task("es-en-news", folder, 1000)]
        curves = {task.name: curve(task) for task in tasks}
        for task in tasks:
            threads(task)
        fixed_costs(folder)
        growth(tasks[1], tasks[0], curves)
        calls(tasks[0])
        compare_with_nltk(tasks[0])
        compare_with_thot()


def curve(task: Task) -> list[Point]:
    """One row per pop limit; returns (pop limit, CPU seconds)."""
    language_model = LanguageModel.load(Path(task.model.language_models[0]))
    print(
        f"\n{task.name}, test set: {len(task.source):,} sentences, {task.words:,} words;"
        " 4-gram, distortion limit 6, 20 rules a source side, beam max(pop limit, 200)\n"
        f"{'pop limit':>9} {'words/s':>9} {'(min-max)':>19} {'runs':>4} {'mean score':>11}"
        f" {'recomputed':>11} {'BLEU':>6}  | measured elsewhere: Moses, Moses2 words/s"
    )
    decoder(task.model, 30).translate(task.source)  # touches the pages
    points = []
    for pop_limit in POP_LIMITS:
        times, found = _timed(task, pop_limit)
        speeds = sorted(task.words / time for time in times)
        elsewhere = [
            f"{known[pop_limit]:>7,}" if pop_limit in known and "zh" in task.name else f"{'-':>7}"
            for known in (MOSES, MOSES2)
        ]
        print(
            f"{pop_limit:>9} {median(speeds):>9,.0f} {f'({speeds[0]:,.0f}-{speeds[-1]:,.0f})':>19}"
            f" {len(times):>4} {found.scores.mean():>11.4f}"
            f" {rescored(task.model, language_model, found):>11.4f} {task.bleu(found.text):>6.2f}"
            f"  | {' '.join(elsewhere)}",
            flush=True,
        )
        points.append((float(pop_limit), median(times)))
    return points


def _timed(task: Task, pop_limit: int) -> tuple[list[float], Translations]:
    times: list[float] = []
    found: list[Translations] = []

    def work() -> None:
        found[:] = [decoder(task.model, pop_limit).translate(task.source)]

    while not times or (len(times) < 5 and sum(times) + times[-1] < ENOUGH):
        times.append(measure(work).cpu)
    return times, found[0]


def threads(task: Task, pop_limit: int = 100) -> None:
    """One thread against two, in wall time; the output must be identical."""
    results: dict[int, Translations] = {}

    def work(count: int) -> None:
        results[count] = decoder(task.model, pop_limit).translate(task.source, threads=count)

    pairing = compare(("2 threads", lambda: work(2)), ("1 thread", lambda: work(1)))
    one, two = results[1], results[2]
    if one.text != two.text or one.scores.tobytes() != two.scores.tobytes():
        raise AssertionError("two threads give another translation than one")
    print()
    print(pairing.report(f"{task.name}, {task.words:,} words", f"pop limit {pop_limit}"))
    print("output of one and two threads is the same, scores bit by bit", flush=True)
