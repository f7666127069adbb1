"""A saved aligner on new text: throughput and error rate compared with others.

The aligners are trained on the news text without its last pairs; then the last pairs are aligned,
strings in, links out, both directions, one thread. sil-thot's FastAlign is the C++ implementation
of fast_align on the package index; eflomal has no saved aligner and learns from the text that it
aligns (its time is that of the same pairs, learning included).

The error rate is that of the hand-aligned Spanish pairs, which are not trained on; eflomal, and for
comparison our HMM, get them together with the text that the others are trained on. At last eflomal
is compared with our saved HMM that has learnt from the text that it aligns, as eflomal does.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from benchmarks.align_sides import RIVALS, Pairs, corpus_of, fitted, thot_fast_align, thot_links
from benchmarks.pairing import compare, measure
from benchmarks.texts import data_folder, sentences
from demotic._core import Lines
from demotic.align import Aligner, Alignments, AlignOptions, Gold, align, read_gold, symmetrize
from demotic.align.score import link_counts, score_counts
from demotic.align.stream import LinkStream

NEW = 10_000  # pairs
TRAINED = 30_000  # pairs, before the error rate is measured


def main() -> None:
    sides = [sentences(f"es-en-news/tok/train.{side}.gz")[0] for side in ("es", "en")]
    pairs = [(" ".join(s), " ".join(t)) for s, t in zip(*sides, strict=True)]
    step = len(pairs) // NEW
    new = pairs[::step][:NEW]
    old = [pair for k, pair in enumerate(pairs) if k % step]
    for model in ("hmm", "diagonal"):
        _compare(model, old, new)
    path = data_folder() / "gold-alignments" / "en-es.dev.tsv.gz"
    if not path.exists():
        print("error rates: not measured (no gold alignments; set DEMOTIC_DATA)")
        return
    gold = read_gold(path)
    turned = [(t, s) for s, t in old[:TRAINED]]
    error_rates(turned, gold)
    if "eflomal" in RIVALS:
        same_text(turned, gold)


def error_rates(old: Pairs, gold: Gold) -> None:
    """Of English-Spanish aligners that are trained on `old`."""
    new = _lower(gold)

    def report(name: str, links: Alignments) -> None:
        print(f"{name:>28}: error rate {_error_rate(links, gold):.3f}", flush=True)

    print(f"{len(gold)} new pairs of en-es, trained on {len(old):,} pairs of news")
    for model in ("hmm", "diagonal"):
        aligner = Aligner(AlignOptions(model=model)).fit(corpus_of(old))
        report(f"demotic {model}, saved", aligner.align(corpus_of(new)))
    if "sil-thot FastAlign" in RIVALS:
        report("sil-thot FastAlign, trained", _thot_align(_thot(old), new))
    report("demotic hmm, together", align(corpus_of([*old, *new])))
    if "eflomal" in RIVALS:
        report("eflomal, together", RIVALS["eflomal"][0]([*old, *new]))


def same_text(old: Pairs, gold: Gold, runs: int = 2) -> None:
    """The saved HMM that has learnt from all pairs, and eflomal, which does as it aligns them."""
    pairs = [*old, *_lower(gold)]
    sides = _lines(s for s, _ in pairs), _lines(t for _, t in pairs)
    print(f"{len(pairs):,} pairs, learnt from and aligned, 1 thread")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "aligner"
        for _ in range(runs):
            begin = process_time()
            fitted(pairs, AlignOptions()).save(path)
            trained = process_time()
            links = LinkStream(Aligner.load(path)).align(*sides).decode().splitlines()
            ours = process_time()
            rate = _error_rate(Alignments.parse(_lines(links), "links"), gold)
            print(
                f"demotic hmm: training {trained - begin:.2f} CPU s, streaming"
                f" {ours - trained:.2f}, error rate {rate:.3f}",
                flush=True,
            )
            found: list[Alignments] = []
            taken = measure(partial(_align_by_eflomal, pairs, found))
            rate = _error_rate(found[0], gold)
            print(f"eflomal: {taken.cpu:.2f} CPU s, error rate {rate:.3f}", flush=True)


def _align_by_eflomal(pairs: Pairs, found: list[Alignments]) -> None:
    found.append(RIVALS["eflomal"][0](pairs))


def _lines(texts: Iterable[str]) -> Lines:
    lines = Lines()
    for text in texts:
        lines.append(text)
    return lines


def _lower(gold: Gold) -> Pairs:
    return [(s.lower(), t.lower()) for s, t in gold.sentences]


def _error_rate(links: Alignments, gold: Gold) -> float:
    """Of the gold pairs, which are the last ones."""
    last = [links[k] for k in range(len(links) - len(gold), len(links))]
    return score_counts(link_counts(Alignments.from_lists(last), gold)).aer


def _compare(model: str, old: Pairs, new: Pairs) -> None:
    aligner = Aligner(AlignOptions(model=model)).fit(corpus_of(old), threads=2)  # type: ignore[arg-type]
    stream = LinkStream(aligner)
    name = f"demotic {model}, saved"
    work = f"es-en-news, {len(new):,} new pairs"

    def ours() -> object:
        return stream.align(_lines(s for s, _ in new), _lines(t for _, t in new))

    if "eflomal" in RIVALS and model == "hmm":
        rival = RIVALS["eflomal"][0]
        result = compare((name, ours), ("eflomal", lambda: rival(new)), pairs=3)
        print(result.report(work, "1 thread (eflomal: its own), learning included for eflomal"))
    if "sil-thot FastAlign" in RIVALS:
        rivals = _thot(old)
        result = compare(
            (name, ours), ("sil-thot FastAlign, trained", lambda: _thot_align(rivals, new)), pairs=3
        )
        print(result.report(work, "1 thread, trained on the other pairs"), flush=True)


def _thot(old: Pairs) -> tuple[Any, Any]:
    return thot_fast_align(old), thot_fast_align([(t, s) for s, t in old])


def _thot_align(models: tuple[Any, Any], new: Pairs) -> Alignments:
    turned = [(t, s) for s, t in new]
    forward = Alignments.from_lists(thot_links(models[0], new))
    back = [[(i, j) for j, i in row] for row in thot_links(models[1], turned)]
    return symmetrize(forward, Alignments.from_lists(back))
