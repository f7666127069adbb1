"""Rule extraction alone: time, memory on disk, and growth with the number of sentence pairs.

Text is aligned before the clock starts.  The goal beside Moses (extract, sort, score both ways,
reordering) is measured where Moses is; here are our own figures a rule and an occurrence.
"""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

from benchmarks.pairing import measure
from benchmarks.texts import data_folder
from demotic._core import RuleStore
from demotic.align import align
from demotic.rules import RuleKind, extract
from demotic.text import ParallelCorpus

SIZES = (10_000, 40_000, 116_904)
KINDS: tuple[RuleKind, ...] = ("phrase", "hiero")


def main() -> None:
    folder = data_folder()
    if not folder.is_dir():
        print("rules: not measured (no corpora; set DEMOTIC_DATA)")
        return
    print(
        f"{'text':<22} {'kind':<7} {'pairs':>8} {'occurrences':>12} {'rules':>11} {'CPU s':>7} "
        f"{'us/occ':>7} {'B/rule':>7}"
    )
    row(folder, "zh-en-tatoeba", ("zh", "en"), "phrase", None)
    row(folder, "zh-en-tatoeba", ("zh", "en"), "hiero", None)
    for kind in KINDS:
        points = [row(folder, "es-en-news", ("es", "en"), kind, size) for size in SIZES]
        (x, a), *_, (y, b) = points
        print(f"{kind}: growth exponent in words {math.log(b / a) / math.log(y / x):.2f}")


def row(
    folder: Path, name: str, languages: tuple[str, str], kind: RuleKind, pairs: int | None
) -> tuple[int, float]:
    """Words of the source side, and CPU seconds."""
    files = [folder / name / "tok" / f"train.{language}.gz" for language in languages]
    corpus = ParallelCorpus.read(files[0], files[1])
    if pairs is not None:
        corpus = corpus.select(range(min(pairs, len(corpus))))
    links = align(corpus, threads=2)
    source, target = corpus.source.sentences, corpus.target.sentences
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "rules"
        found = []
        taken = sorted(
            measure(lambda: found.append(extract(source, target, links, path, kind=kind))).cpu
            for _ in range(3)
        )[1]
        store = RuleStore.open(str(path), True)
        occurrences, size = found[0].occurrences, store.size_bytes / len(store)
        print(
            f"{name:<22} {kind:<7} {len(corpus):>8,} {occurrences:>12,} {len(store):>11,} "
            f"{taken:>7.2f} {1e6 * taken / occurrences:>7.2f} {size:>7.1f}",
            flush=True,
        )
    return corpus.source.tokens, taken
