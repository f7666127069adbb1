"""Rules on demand: indexing of generated text, and decoding compared with a stored table.

Indexing: 1,000,000 generated pairs (`generated.py`) with two sets of links along the diagonal, or
as many as DEMOTIC_PAIRS says; for Hiero, which has too many rules with such links, the last pairs
of es-en-news with those of an HMM, and for a million pairs copies of the last 10,000 with words of
their own, so that each copy is another text of the same kind.  Decoding: zh-en-tatoeba; all models
of a kind have the same links, language model and weights, so that only the origin of the rules
differs.  Each run translates the test set with a fresh model, so that every rule is extracted anew.

    python -m benchmarks.on_demand --kind phrase --index     # only indexing
"""

from __future__ import annotations

import argparse
import os
import resource
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from benchmarks.align_sides import corpus_of
from benchmarks.generated import Generator
from benchmarks.pairing import compare, measure
from benchmarks.texts import data_folder, sentences
from demotic._core import Alignments, Corpus, CorpusBuilder, Lines, VocabularyBuilder
from demotic.align import Aligner
from demotic.lines import LineFile
from demotic.metrics import References, evaluate
from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.model.presets import DEFAULT_PRESET, PRESETS
from demotic.model.sharing import link_files
from demotic.rules import RuleKind, RuleOptions, index_bitext

NEWS_PAIRS = (10_000, 30_000)
SAMPLES = (0, 100, 300, 1000)
THREADS = 2
_BATCH = 20_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=["phrase", "hiero"])
    parser.add_argument("--index", action="store_true")
    arguments, _ = parser.parse_known_args()
    pairs = int(os.environ.get("DEMOTIC_PAIRS", "1000000"))
    kinds: tuple[RuleKind, ...] = ("phrase", "hiero")
    for kind in kinds:
        if arguments.kind not in (None, kind):
            continue
        with TemporaryDirectory() as folder:
            if kind == "phrase":
                _index_generated(Path(folder), pairs)
            elif (data_folder() / "es-en-news").is_dir():
                for count in NEWS_PAIRS:
                    _index_news(Path(folder), count)
                _index_news(Path(folder), NEWS_PAIRS[0], pairs // NEWS_PAIRS[0])
            if not arguments.index and (data_folder() / "zh-en-tatoeba").is_dir():
                _decode(Path(folder), kind)


def _index_generated(home: Path, pairs: int) -> None:
    words = VocabularyBuilder()
    sides = [CorpusBuilder(words), CorpusBuilder(words)]
    generator = Generator()
    for begin in range(0, pairs, _BATCH):
        texts = Lines(), Lines()
        for pair in generator.pairs(min(_BATCH, pairs - begin)):
            for lines, text in zip(texts, pair, strict=True):
                lines.append(text)
        for side, lines in zip(sides, texts, strict=True):
            side.add(lines)
    source, target = (side.finish() for side in sides)
    links = [_diagonal(source, target, kept) for kept in (1.0, 0.9)]
    _index(home, f"{pairs:,} generated pairs", (source, target), links, "phrase")


def _index_news(home: Path, pairs: int, copies: int = 1) -> None:
    sides = [sentences(f"es-en-news/tok/train.{side}.gz")[0][-pairs:] for side in ("es", "en")]
    text = corpus_of([(" ".join(s), " ".join(t)) for s, t in zip(*sides, strict=True)])
    links = Aligner().fit(text, threads=THREADS).align(text, threads=THREADS)
    words = len(text.vocabulary)
    source, target = (_copied(side.sentences, copies, words) for side in (text.source, text.target))
    offsets, pooled = _repeated(links.offsets, copies), np.concatenate([links.links] * copies)
    name = f"the last {pairs:,} pairs of es-en-news" + (f", {copies} copies" if copies > 1 else "")
    _index(home, name, (source, target), [Alignments.from_arrays(offsets, pooled)], "hiero")


def _copied(side: Corpus, copies: int, words: int) -> Corpus:
    """Copies one after another, each with words of its own."""
    reserved = len(VocabularyBuilder())
    numbers = [
        np.where(side.words < reserved, side.words, side.words + copy * words)
        for copy in range(copies)
    ]
    return Corpus(_repeated(side.offsets, copies), np.concatenate(numbers).astype(np.int32))


def _repeated(offsets: NDArray[np.int64], copies: int) -> NDArray[np.int64]:
    parts = [offsets[1:] + copy * offsets[-1] for copy in range(copies)]
    return np.concatenate([offsets[:1], *parts])


def _index(
    home: Path, text: str, sides: tuple[Corpus, Corpus], links: list[Alignments], kind: RuleKind
) -> None:
    """Time and size of an index."""
    path = home / "index.bin"
    preset = PRESETS[DEFAULT_PRESET].options(kind)["rules"]
    options = RuleOptions(storage="on-demand", min_gapped_count=preset.min_gapped_count)
    taken = measure(
        lambda: index_bitext(*sides, links, path, kind=kind, options=options, threads=THREADS)
    )
    tokens = len(sides[0].words)
    size = path.stat().st_size
    print(f"{kind}: index of {text}, {tokens:,} source words, sets of links: {len(links)}")
    print(f"  {taken.wall:.1f} s ({taken.cpu:.1f} CPU s), {THREADS} threads")
    print(f"  {size:,} bytes, {size / tokens:.1f} per source word")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  peak of the process so far: {peak:,.0f} MB", flush=True)


def _diagonal(source: Corpus, target: Corpus, kept: float) -> Alignments:
    """Links of words at the same positions, of which some are omitted."""
    rng = np.random.default_rng(1)
    texts = [f"{i}-{i}" for i in range(100)]
    rows = Lines()
    for words in np.minimum(np.diff(source.offsets), np.diff(target.offsets)).tolist():
        rows.append(" ".join(texts[i] for i in np.flatnonzero(rng.random(words) < kept)))
    return Alignments.parse(rows, "links")


def _decode(home: Path, kind: RuleKind) -> None:
    """Time and BLEU of the test set, default weights."""
    text = data_folder() / "zh-en-tatoeba" / "tok"
    table = _built(home / "table", text, kind, RuleOptions())
    source = [*LineFile(text / "test.zh.gz")]
    references = References.from_streams([[*LineFile(text / "test.en.gz")]])

    def run(path: Path) -> list[str]:
        return Model.load(path).decoder().translate(source).text

    def bleu(path: Path) -> float:
        return evaluate(run(path), references)["bleu"].systems[0].score

    print(f"{kind}, table: BLEU {bleu(table):.2f}, {_megabytes(table)}", flush=True)
    for sample in SAMPLES:
        options = RuleOptions(storage="on-demand", sample=sample)
        ours = _built(home / f"sample-{sample}", text, kind, options, link_files(table / "work"))
        print(f"on demand, sample {sample or 'all'}: BLEU {bleu(ours):.2f}, {_megabytes(ours)}")
        result = compare(
            ("table", lambda: run(table)),
            ("on demand", lambda ours=ours: run(ours)),  # type: ignore[misc]
            pairs=5,
        )
        print(result.report(f"zh-en-tatoeba, {len(source):,} sentences", "1 thread"), flush=True)


def _megabytes(model: Path) -> str:
    return f"{(model / 'rules.bin').stat().st_size / 1e6:.0f} MB"


def _built(
    home: Path, text: Path, kind: RuleKind, rules: RuleOptions, links: Sequence[Path] = ()
) -> Path:
    source, target = text / "train.zh.gz", text / "train.en.gz"
    options = BuildOptions(source=source, target=target, kind=kind, rules=rules, links=links)
    build(options, home, threads=THREADS)
    return home


if __name__ == "__main__":
    main()
