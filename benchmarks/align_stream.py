"""A saved aligner on new text: throughput and error rate compared with others.

The aligners are trained on the news text without its last pairs; then the last pairs are aligned,
strings in, links out, both directions, one thread. sil-thot's FastAlign is the C++ implementation
of fast_align on the package index; eflomal has no saved aligner and learns from the text that it
aligns (its time is that of the same pairs, learning included).

The error rate is that of the hand-aligned Spanish pairs, which are not trained on; eflomal, and for
comparison our HMM, get them together with the text that the others are trained on.
"""

from __future__ import annotations

from typing import Any

from benchmarks.align_sides import RIVALS, Pairs, corpus_of, thot_fast_align, thot_links
from benchmarks.pairing import compare
from benchmarks.texts import data_folder, sentences
from demotic._core import Lines
from demotic.align import Aligner, Alignments, AlignOptions, align, read_gold, symmetrize
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
    error_rates([(t, s) for s, t in old[:TRAINED]])


def error_rates(old: Pairs) -> None:
    """Of English-Spanish aligners that are trained on `old`."""
    path = data_folder() / "gold-alignments" / "en-es.dev.tsv.gz"
    if not path.exists():
        print("error rates: not measured (no gold alignments; set DEMOTIC_DATA)")
        return
    gold = read_gold(path)
    new = [(s.lower(), t.lower()) for s, t in gold.sentences]

    def report(name: str, links: Alignments) -> None:
        last = [links[k] for k in range(len(links) - len(gold), len(links))]
        counts = link_counts(Alignments.from_lists(last), gold)
        print(f"{name:>28}: error rate {score_counts(counts).aer:.3f}", flush=True)

    print(f"{len(gold)} new pairs of en-es, trained on {len(old):,} pairs of news")
    for model in ("hmm", "diagonal"):
        aligner = Aligner(AlignOptions(model=model)).fit(corpus_of(old))
        report(f"demotic {model}, saved", aligner.align(corpus_of(new)))
    if "sil-thot FastAlign" in RIVALS:
        report("sil-thot FastAlign, trained", _thot_align(_thot(old), new))
    report("demotic hmm, together", align(corpus_of([*old, *new])))
    if "eflomal" in RIVALS:
        report("eflomal, together", RIVALS["eflomal"][0]([*old, *new]))


def _compare(model: str, old: Pairs, new: Pairs) -> None:
    aligner = Aligner(AlignOptions(model=model)).fit(corpus_of(old), threads=2)  # type: ignore[arg-type]
    stream = LinkStream(aligner)
    name = f"demotic {model}, saved"
    work = f"es-en-news, {len(new):,} new pairs"

    def ours() -> object:
        source, target = Lines(), Lines()
        for s, t in new:
            source.append(s)
            target.append(t)
        return stream.align(source, target)

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
