"""Word alignment compared with eflomal and sil-thot: alignment error rate, speed, growth.

Error rates are measured on four hand-aligned sets of English with Spanish, Portuguese, Hungarian
and Russian, lower-cased. The Spanish pairs are appended to the news text; the others have no bitext
and are aligned without further text, which is hard for all aligners. The pooled rate is that of all
405 pairs together, with its 95 % bootstrap interval; aligners that use random numbers run five
times, and the means are shown with minimum and maximum.
"""

from __future__ import annotations

import math
import resource
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks.align_sides import OURS, RIVALS, Pairs, Side, corpus_of, fitted
from benchmarks.pairing import Seconds, compare, measure
from benchmarks.texts import data_folder, sentences
from demotic.align import Alignments, AlignOptions, Gold, align, read_gold
from demotic.align.score import link_counts, score_counts
from demotic.text.parallel import ParallelCorpus

Counts = NDArray[np.int64]
SETS = ("es", "pt", "hu", "ru")


def main() -> None:
    if not (data_folder() / "gold-alignments").exists():
        print("error rates: not measured (no gold alignments; set DEMOTIC_DATA)")
    else:
        error_rates()
    print()
    compare_with_others()
    print()
    growth()


def _read(name: str, source: str, target: str) -> Pairs:
    sides = [sentences(f"{name}/tok/train.{side}.gz")[0] for side in (source, target)]
    return [(" ".join(s), " ".join(t)) for s, t in zip(*sides, strict=True)]


def _gold_sets() -> dict[str, tuple[Pairs, Gold]]:
    """By language: the training pairs, the last of which have gold alignments."""
    found = {}
    for language in SETS:
        gold = read_gold(data_folder() / "gold-alignments" / f"en-{language}.dev.tsv.gz")
        pairs: Pairs = [(s.lower(), t.lower()) for s, t in gold.sentences]
        if language == "es":
            pairs = [*_read("es-en-news", "en", "es"), *pairs]
        found[language] = pairs, gold
    return found


def _counts(links: Alignments, gold: Gold) -> Counts:
    last = [links[k] for k in range(len(links) - len(gold), len(links))]
    return link_counts(Alignments.from_lists(last), gold)


def error_rates() -> None:
    sets = _gold_sets()
    sides: dict[str, tuple[Side, int]] = {name: (side, 1) for name, side in OURS.items()} | RIVALS
    languages = " ".join(f"{language:>6}" for language in sets)
    print(f"{'aligner':<30} {languages} {'pooled':>7}  {'interval':<14} {'CPU s':>8}")
    for name, (side, runs) in sides.items():
        results = [_run(side, sets) for _ in range(runs)]
        print(f"{name:<30} {_row(results)}", flush=True)


def _row(results: list[tuple[dict[str, Counts], float]]) -> str:
    """Means over the runs."""
    rates = [
        np.mean([score_counts(counts[language]).aer for counts, _ in results])
        for language in results[0][0]
    ]
    pooled = [score_counts(np.concatenate(list(counts.values()))) for counts, _ in results]
    low = np.mean([score.aer_low for score in pooled])
    high = np.mean([score.aer_high for score in pooled])
    every = sorted(score.aer for score in pooled)
    row = " ".join(f"{rate:6.3f}" for rate in rates)
    row += f" {np.mean(every):7.4f}  [{low:.3f}, {high:.3f}]"
    row += f" {np.mean([seconds for _, seconds in results]):8.1f}"
    spread = f"  {len(every)} runs, pooled {every[0]:.4f} to {every[-1]:.4f}"
    return row + (spread if len(every) > 1 else "")


def _run(side: Side, sets: dict[str, tuple[Pairs, Gold]]) -> tuple[dict[str, Counts], float]:
    """Counts of links by language, and CPU seconds in total."""
    counts: dict[str, Counts] = {}
    total = 0.0
    for language, (pairs, gold) in sets.items():
        links: list[Alignments] = []
        total += measure(lambda p=pairs, out=links: out.append(side(p))).cpu  # type: ignore[misc]
        counts[language] = _counts(links[0], gold)
    return counts, total


def compare_with_others() -> None:
    pairs = _read("zh-en-tatoeba", "zh", "en")
    work = f"zh-en-tatoeba train, {len(pairs):,} pairs, strings in, links out, both directions"
    for ours, theirs, settings in (
        ("demotic hmm (default)", "eflomal", "defaults of both"),
        ("demotic diagonal", "sil-thot FastAlign", "5 passes, variational Bayes"),
    ):
        if theirs not in RIVALS:
            print(f"{theirs}: not measured (not installed; `make .venv/.bench`)")
            continue
        a, b = OURS[ours], RIVALS[theirs][0]
        pairing = compare((ours, _bound(a, pairs)), (theirs, _bound(b, pairs)), pairs=3)
        print(pairing.report(work, f"{settings}, 1 thread (eflomal: its own)"), flush=True)
        print()
    aligner = fitted(pairs, AlignOptions(model="diagonal"))
    words = aligner.log_likelihoods_[-1][0]
    print(f"diagonal: log-likelihood of p(en | zh) before the last pass {words:,.0f}")


def _bound(side: Side, pairs: Pairs) -> Callable[[], object]:
    return lambda: side(pairs)


def growth() -> None:
    every = _read("es-en-news", "es", "en")
    header = f"{'model':<10} {'threads':>7} {'CPU s':>8} {'wall s':>8} {'ns/cell':>8}"
    print(f"{'es-en-news':<12} {header}")
    slopes: dict[str, list[tuple[float, float]]] = {"diagonal": [], "hmm": []}
    for size in (10_000, 20_000, 40_000, 80_000, len(every)):
        chosen = [every[k * len(every) // size] for k in range(size)]
        cells = sum(len(s.split()) * len(t.split()) for s, t in chosen)
        corpus = corpus_of(chosen)
        for model, passes in (("diagonal", 5), ("hmm", 9)):
            for threads in (1, 2):
                taken = _taken(corpus, model, threads)
                share = taken.cpu * 1e9 / (2 * passes * cells)
                times = f"{taken.cpu:>8.2f} {taken.wall:>8.2f} {share:>8.1f}"
                print(f"{size:<12,} {model:<10} {threads:>7} {times}", flush=True)
                if threads == 1:
                    slopes[model].append((math.log(cells), math.log(taken.cpu)))
    for model, points in slopes.items():
        logs = np.array(points)
        slope = float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])
        print(f"{model}: CPU time with one thread grows as cells^{slope:.2f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the whole run, strings included: {peak:,.0f} MB")


def _taken(corpus: ParallelCorpus, model: str, threads: int) -> Seconds:
    """Medians of three runs of training and alignment."""
    options = AlignOptions(model=model)  # type: ignore[arg-type]
    runs = [measure(lambda: align(corpus, options, threads=threads)) for _ in range(3)]
    return sorted(runs, key=lambda taken: taken.cpu)[1]
