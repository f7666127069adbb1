"""The tour: everything that Demotic can do so far, done to the bundled corpus, with a report.

A stage takes the tour's folder and page, does its work and gives rows (stage, what, figure).
A new capability is a new stage in its place in `STAGES`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from demotic.demo.corpus import DemoCorpus, generate
from demotic.demo.files import write
from demotic.demo.statistics import statistics
from demotic.demo.training import train_stage
from demotic.demo.tuning import tune_stage
from demotic.report import Page
from demotic.report.drawing import alignment_grid, bars, tree

if TYPE_CHECKING:
    from demotic.model import Model
    from demotic.search import Step, Translations

__all__ = ["Row", "Tour", "run"]

Row = tuple[str, str, str]
ShowProgress = Callable[[str], AbstractContextManager[Callable[..., None]]]


@dataclass(frozen=True)
class Tour:
    """What every stage gets."""

    folder: Path
    corpus: DemoCorpus
    page: Page
    threads: int
    progress: ShowProgress

    def text(self, name: str) -> Path:
        return self.folder / "corpus" / name


def run(folder: Path, *, seed: int, threads: int, progress: ShowProgress) -> list[Row]:
    """Runs all stages and writes `report.html`; gives the rows of the table."""
    page = Page("Demotic: the tour", subtitle=f"The bundled Chinese-English corpus, seed {seed}.")
    with progress("draw the corpus"):
        corpus = generate(seed)
        write(corpus, folder / "corpus")
    tour = Tour(folder, corpus, page, threads, progress)
    rows = [row for stage in STAGES for row in stage(tour)]
    page.write(folder / "report.html")
    return rows


def corpus_stage(tour: Tour) -> list[Row]:
    figures = statistics(tour.corpus)
    page, pairs = tour.page, tour.corpus.test
    page.heading("The corpus")
    page.table(["figure", "value"], list(figures.items()))
    lengths = Counter(len(pair.source) for pair in tour.corpus.train)
    columns = [(str(n), lengths[n]) for n in range(min(lengths), max(lengths) + 1)]
    page.figure(bars(columns), "Training sentences by number of Chinese words")
    longest = max(pairs[:50], key=lambda pair: len(pair.source))
    wording = longest.targets[0]
    page.figure(
        alignment_grid(longest.source, wording.tokens, wording.links),
        f"{longest.raw_source} {wording.raw}",
    )
    page.figure(tree(longest.tree), "Its tree, as the grammar knows it")
    page.table(
        ["sentence", "four references"],
        [[pair.raw_source, " / ".join(w.raw for w in pair.targets)] for pair in pairs[:12]],
    )
    unknown = figures["test_unknown_words"]
    return [
        ("corpus", "training pairs", f"{figures['train_pairs']:,}"),
        ("corpus", "Chinese / English words", f"{figures['train_source_tokens']:,} / "
         f"{figures['train_target_tokens']:,}"),
        ("corpus", "unknown words in the test set", f"{100 * unknown:.1f} %"),
    ]  # fmt: skip


def check_stage(tour: Tour) -> list[Row]:
    from demotic.text.check import CheckOptions, check_files

    with tour.progress("check") as advance:
        report = check_files(
            tour.text("raw/train.zh"), tour.text("raw/train.en"), CheckOptions(), advance
        )
    verdict = "yes" if report.usable else "; ".join(report.unusable)
    return [("check", "usable", verdict), ("check", "pairs looked at", f"{report.pairs:,}")]


def prepare_stage(tour: Tour) -> list[Row]:
    from demotic.text.preparation import PrepareOptions
    from demotic.text.prepare import prepare
    from demotic.text.readers import read_pairs

    files = [tour.text("raw/train.zh"), tour.text("raw/train.en")]
    pairs = read_pairs(files, source_language="zh", target_language="en")
    with tour.progress("prepare") as advance:
        report = prepare(pairs, PrepareOptions(), "zh", "en", tour.folder / "prepared", advance)
    tokenizers = ", ".join(f"{name} for {lang}" for lang, name in report.tokenizers.items())
    return [
        ("prepare", "pairs kept", f"{report.kept:,} of {report.read:,}"),
        ("prepare", "tokenisers", tokenizers),
    ]


def classes_stage(tour: Tour) -> list[Row]:
    from demotic.text.brown import BrownOptions, brown_clusters, write_paths
    from demotic.text.parallel import ParallelCorpus

    corpus = ParallelCorpus.read(tour.text("tok/train.zh"), tour.text("tok/train.en"))
    rows: list[Row] = []
    tour.page.heading("Word classes")
    for side, name in ((corpus.source, "Chinese"), (corpus.target, "English")):
        with tour.progress(f"cluster {name} words") as advance:
            options = BrownOptions(classes=50)
            clusters = brown_clusters(side.sentences, corpus.vocabulary, options, advance)
        write_paths(tour.folder / f"classes.{name.lower()}", clusters, corpus.vocabulary)
        rows.append(("classes", f"{name}: information kept", f"{clusters.information:.3f} nats"))
        words: dict[int, list[tuple[int, str]]] = {}
        for word, cluster in enumerate(clusters.word_class.tolist()):
            if cluster >= 0:
                count = int(clusters.counts[word])
                words.setdefault(cluster, []).append((-count, corpus.vocabulary.word(word)))
        largest = sorted(words, key=lambda c: (-len(words[c]), c))[:12]
        tour.page.table(
            [f"{name} class", "most frequent words"],
            [[clusters.bits[c], " ".join(w for _, w in sorted(words[c])[:12])] for c in largest],
        )
    return rows


def build_stage(tour: Tour) -> list[Row]:
    from demotic.build import BuildOptions, build

    rows: list[Row] = []
    examples = []
    for kind in ("phrase", "hiero"):
        options = BuildOptions(
            source=tour.text("tok/train.zh"), target=tour.text("tok/train.en"), kind=kind
        )
        built = build(options, tour.folder / kind, threads=tour.threads, progress=tour.progress)
        rules = built.model.rules
        rows.append(("model", f"{kind} rules", f"{len(rules):,}"))
        found = rules.find("把 [X,1] 放 在 [X,2]" if kind == "hiero" else "打 电话")
        examples += [
            [kind, " ".join(r.source), " ".join(r.target), r.occurrences] for r in found[:8]
        ]
    tour.page.heading("Models")
    tour.page.table(["kind", "source side", "target side", "seen"], examples)
    return rows


def translate_stage(tour: Tour) -> list[Row]:
    """The test set with the weights to begin with, and one sentence explained."""
    from sacrebleu.metrics.bleu import BLEU

    from demotic.explain import explain
    from demotic.explain.page import add_to
    from demotic.lines import read_lines
    from demotic.model import Model

    source = read_lines(tour.text("tok/test.zh")).tolist()
    references = [read_lines(tour.text(f"tok/test.en.{i}")).tolist() for i in range(4)]
    metric = BLEU(tokenize="none", force=True)
    models = {kind: Model.load(tour.folder / kind) for kind in ("phrase", "hiero")}
    rows: list[Row] = []
    found = {}
    for kind, model in models.items():
        found[kind], speed = _translated(tour, model, source)
        score = metric.corpus_score(found[kind].text, references).score
        rows.append(("translate", f"{kind}: BLEU of the test set, untuned", f"{score:.2f}"))
        rows.append(("translate", f"{kind}: words a second", f"{speed:,.0f}"))
    tour.page.heading("Translations before tuning")
    tour.page.table(["what", "figure"], [row[1:] for row in rows])
    tour.page.text(f"BLEU: {metric.get_signature()}")
    columns = (source[:12], found["phrase"].text, found["hiero"].text, references[0])
    tour.page.table(
        ["sentence", "phrases", "hiero", "a reference"],
        [list(row) for row in zip(*columns, strict=False)],
    )
    chosen = max(range(50), key=lambda i: _jumps(found["phrase"].steps(i)))
    tour.page.heading("One of them explained")
    add_to(tour.page, explain(models["phrase"], source[chosen], reference=references[0][chosen]))
    return rows


def _translated(tour: Tour, model: Model, source: list[str]) -> tuple[Translations, float]:
    """The translations, and words a second."""
    import time

    with tour.progress(f"translate the test set ({model.kind})") as advance:
        started = time.perf_counter()
        found = model.decoder().translate(source, threads=tour.threads, progress=advance)
        seconds = time.perf_counter() - started
    return found, sum(len(line.split()) for line in source) / seconds


def _jumps(steps: list[Step]) -> int:
    """How often the next phrase is not the one that follows in the source."""
    return sum(before.end != after.begin for before, after in pairwise(steps))


def alignment_stage(tour: Tour) -> list[Row]:
    from demotic.align import read_gold, read_links, score_alignments

    links = read_links(tour.folder / "phrase" / "work" / "links.gz")
    score = score_alignments(links, read_gold(tour.text("tok/train.links")))
    return [("align", "alignment error rate", f"{score.aer:.3f}")]


def language_model_stage(tour: Tour) -> list[Row]:
    from demotic.lm import LanguageModel

    model = LanguageModel.load(tour.folder / "phrase" / "lm-0.lm")
    found = model.perplexity(tour.text("tok/test.en.0"), threads=tour.threads)
    return [("language model", "perplexity of the test set", f"{found.with_unknown:.1f}")]


STAGES: tuple[Callable[[Tour], list[Row]], ...] = (
    corpus_stage,
    check_stage,
    prepare_stage,
    classes_stage,
    build_stage,
    translate_stage,
    tune_stage,
    train_stage,
    alignment_stage,
    language_model_stage,
)
