"""Rule extraction: CPU time, working memory, bytes on disk, look-up, growth with the text.

Text is aligned before the clock starts; counting word translation tables is included.  Each
extraction runs in a separate process, which reports the growth of its memory.  Moses took 10.8 CPU
seconds (extract, sort, score both ways, consolidate, reordering) for the 485,585 phrase pairs of
zh-en-tatoeba, aligned by fast_align; compare this with the rows with links of our diagonal model,
which give a similar number of pairs.
"""

from __future__ import annotations

import math
import os
import resource
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from benchmarks.pairing import measure
from benchmarks.texts import data_folder
from demotic._core import Corpus, RuleStore, encode, match_phrases
from demotic.align import AlignOptions, align
from demotic.align.links import read_links, write_links
from demotic.lines import read_lines
from demotic.rules import RuleKind, extract
from demotic.text import ParallelCorpus

SIZES = (10_000, 40_000, 116_904)
KINDS: tuple[RuleKind, ...] = ("phrase", "hiero")
GROWING = ("cpu", "memory", "stored", "occurrences", "rules")
MOSES_SECONDS = 10.8


@dataclass(frozen=True)
class Figures:
    occurrences: int
    rules: int
    cpu: float
    wall: float
    memory: int  # maximum growth of the process in bytes
    stored: int  # bytes of the store


def main() -> None:
    folder = data_folder()
    if not folder.is_dir():
        print("rules: not measured (no corpora; set DEMOTIC_DATA)")
        return
    print(f"load average before {os.getloadavg()[0]:.1f}; medians of three runs")
    print(
        f"{'text':<14} {'links':<8} {'kind':<6} {'threads':>7} {'pairs':>7} {'occurrences':>11} "
        f"{'rules':>9} {'CPU s':>6} {'wall s':>6} {'us/occ':>6} {'MB':>5} {'B/rule':>6}"
    )
    compare_with_moses(folder)
    growth(folder)


def compare_with_moses(folder: Path) -> None:
    tatoeba = folder / "zh-en-tatoeba" / "tok"
    corpus = ParallelCorpus.read(tatoeba / "train.zh.gz", tatoeba / "train.en.gz")
    for model in ("diagonal", "hmm"):
        options = AlignOptions(model=model)
        with prepared(corpus, options) as place:
            for kind in KINDS if model == "hmm" else KINDS[:1]:
                for threads in (1, 2):
                    found = row("zh-en-tatoeba", place, model, kind, threads)
                    if model == "diagonal":
                        print(f"Moses / ours in CPU time: {MOSES_SECONDS / found.cpu:.1f}")
                if kind == "phrase":
                    look_up(place / "rules", corpus, tatoeba / "test.zh.gz")


def growth(folder: Path) -> None:
    news = folder / "es-en-news" / "tok"
    whole = ParallelCorpus.read(news / "train.es.gz", news / "train.en.gz")
    points: dict[RuleKind, list[tuple[int, Figures]]] = {kind: [] for kind in KINDS}
    for size in SIZES:
        corpus = whole.select(range(min(size, len(whole))))
        with prepared(corpus, AlignOptions()) as place:
            for kind in KINDS:
                found = row("es-en-news", place, "hmm", kind, 1)
                points[kind].append((corpus.source.tokens, found))
    for kind, ((words, a), *_, (more, b)) in points.items():
        grown = {name: math.log(getattr(b, name) / getattr(a, name)) for name in GROWING}
        shown = ", ".join(f"{n} {g / math.log(more / words):.2f}" for n, g in grown.items())
        print(
            f"{kind}: exponents of growth in source words: {shown};"
            f" of cpu in occurrences: {grown['cpu'] / grown['occurrences']:.2f}"
        )


@contextmanager
def prepared(corpus: ParallelCorpus, options: AlignOptions) -> Iterator[Path]:
    """A folder with the two sides and their links, for a separate process."""
    with tempfile.TemporaryDirectory() as place:
        corpus.source.sentences.save(f"{place}/source")
        corpus.target.sentences.save(f"{place}/target")
        write_links(f"{place}/links", align(corpus, options, threads=2))
        yield Path(place)


def row(name: str, place: Path, model: str, kind: RuleKind, threads: int) -> Figures:
    runs = []
    for _ in range(3):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as one:
            runs.append(one.submit(extraction, place, kind, threads).result())
    found = Figures(
        *(int(median(getattr(run, name) for run in runs)) for name in ("occurrences", "rules")),
        *(median(getattr(run, name) for run in runs) for name in ("cpu", "wall")),
        *(int(median(getattr(run, name) for run in runs)) for name in ("memory", "stored")),
    )
    pairs = len(Corpus.open(str(place / "source"), False))
    print(
        f"{name:<14} {model:<8} {kind:<6} {threads:>7} {pairs:>7,} {found.occurrences:>11,} "
        f"{found.rules:>9,} {found.cpu:>6.2f} {found.wall:>6.2f} "
        f"{1e6 * found.cpu / found.occurrences:>6.2f} {found.memory / 1e6:>5.0f} "
        f"{found.stored / found.rules:>6.1f}",
        flush=True,
    )
    return found


def extraction(place: Path, kind: RuleKind, threads: int) -> Figures:
    source, target = (Corpus.open(str(place / side), True) for side in ("source", "target"))
    links = read_links(place / "links")
    reports = []
    before = memory_now()
    taken = measure(
        lambda: reports.append(
            extract(source, target, links, place / "rules", kind=kind, threads=threads)
        )
    )
    stored = (place / "rules").stat().st_size
    grown = most_memory() - before
    return Figures(reports[0].occurrences, reports[0].rules, taken.cpu, taken.wall, grown, stored)


def memory_now() -> int:
    """Current bytes of this process, where that can be measured; else the maximum so far."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text().split()[1]) * resource.getpagesize()
    return most_memory()


def most_memory() -> int:
    """Maximum bytes of this process so far."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size if sys.platform == "darwin" else 1024 * size


def look_up(rules: Path, corpus: ParallelCorpus, test: Path) -> None:
    """Matching called from Python, including the lists of the result."""
    store = RuleStore.open(str(rules), True)
    sentences = encode(corpus.vocabulary, read_lines(test), 1)
    texts = [sentences.words[begin:end] for begin, end in pairwise(sentences.offsets)]
    words = sum(map(len, texts))
    taken = min(
        measure(lambda: [match_phrases(store, text) for text in texts]).cpu for _ in range(5)
    )
    print(f"look-up of {words:,} words of the test set: {1e9 * taken / words:.0f} ns per word")
