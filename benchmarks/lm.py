"""Language models compared with KenLM's Python module: the same ARPA file, the same sentences.

Kinds of queries: whole sentences, one call each; word by word with states or, ours only, with a
cursor; and, ours only, whole texts in one call, which is what a decoder's speed depends on.
Estimation has no competitor on the package index (lmplz is measured separately); its time and
growth are measured by themselves.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.pairing import compare, measure
from benchmarks.texts import Text, encoded, sentences
from demotic._core import LmCursor, score_corpus
from demotic.lm import LanguageModel, LmOptions, estimate_lm
from demotic.lm.text import EncodedText

TRAIN = "es-en-news/tok/train.en.gz"
TEST = "es-en-news/tok/test.en.gz"
REPEATS = 5
SIZES = (10_000, 40_000, 116_904)  # sentences


def main() -> None:
    train, train_name = sentences(TRAIN)
    test, test_name = sentences(TEST)
    text = EncodedText(*encoded(train))
    for order in (3, 5):
        growth(order)
    with tempfile.TemporaryDirectory() as folder:
        for order in (3, 4, 5):
            path = Path(folder) / f"{order}.arpa"
            model = estimation(text, order, train_name, path)
            if order == 4:
                continue
            whole_texts(model, {test_name: test, f"{train_name} (its own text)": train})
            compare_with_kenlm(model, path, test, test_name)
            print(flush=True)


def estimation(text: EncodedText, order: int, name: str, path: Path) -> LanguageModel:
    """Both parts of `demotic lm` after reading: median of several runs, 1 thread."""
    made: list[LanguageModel] = []
    options = LmOptions(order=order)
    times = [measure(lambda: made.append(estimate_lm(text, options))) for _ in range(REPEATS)]
    writing = measure(lambda: made[-1].save(path))
    cpu = median(time.cpu for time in times)
    tokens = len(text.corpus.words)
    size = made[-1].native.size_bytes / sum(made[-1].counts)
    print(
        f"order {order}, {name}, {tokens:,} words: estimation {cpu:.2f} CPU s"
        f" ({tokens / cpu / 1e6:.1f} M words/s), ARPA written in {writing.cpu:.2f} CPU s;"
        f" {sum(made[-1].counts):,} n-grams, {size:.1f} bytes each to query",
        flush=True,
    )
    return made[-1]


def growth(order: int) -> None:
    """Growth of time and memory of estimation with the text; both should be linear."""
    points = []
    for size in SIZES:
        # One process each: memory kept by the allocator from the last size would hide growth.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            points.append(process.submit(_estimated, size, order).result())
        words, cpu, memory = points[-1]
        print(
            f"order {order}, {words:,} words: {cpu:.3f} CPU s ({words / cpu / 1e6:.1f} M words/s),"
            f" {memory / 1e6:.0f} MB"
        )
    first, last = points[0], points[-1]
    powers = [math.log(last[i] / first[i]) / math.log(last[0] / first[0]) for i in (1, 2)]
    print(f"order {order}: grows as words^{powers[0]:.2f} (time), ^{powers[1]:.2f} (memory)\n")


def _estimated(size: int, order: int) -> tuple[int, float, int]:
    """Words, minimum CPU seconds, and the maximum of bytes above those in use before."""
    text = EncodedText(*encoded(sentences(TRAIN)[0][:size]))
    Path("/proc/self/clear_refs").write_text("5")  # resets the peak
    before = _status("VmRSS")
    first = measure(lambda: estimate_lm(text, LmOptions(order=order)))
    memory = _status("VmHWM") - before
    times = [measure(lambda: estimate_lm(text, LmOptions(order=order))) for _ in range(REPEATS)]
    return len(text.corpus.words), min(time.cpu for time in [first, *times]), memory


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def whole_texts(model: LanguageModel, texts: dict[str, Text]) -> None:
    """Nanoseconds per query, ids ready, 1 thread."""
    for name, text in texts.items():
        corpus, vocabulary = encoded(text)
        words = model.native.map(vocabulary)

        def work(corpus: Any = corpus, words: Any = words) -> None:
            score_corpus(model.native, corpus, words, True, True, False, 1, None)

        work()
        cpu = sorted(measure(work).cpu for _ in range(9))
        queries = len(corpus.words) + len(corpus)
        low, middle, high = (cpu[i] / queries * 1e9 for i in (0, 4, 8))
        print(
            f"order {model.order}, {name}: {middle:.0f} ns per query"
            f" (min {low:.0f}, max {high:.0f}; {queries:,} queries in one call)",
            flush=True,
        )


def compare_with_kenlm(model: LanguageModel, path: Path, test: Text, name: str) -> None:
    try:
        import kenlm
    except ImportError:
        print("kenlm: not measured (not installed; `make .venv/.bench`)")
        return
    theirs = _silently(lambda: kenlm.Model(str(path)))
    lines = [" ".join(sentence) for sentence in test]
    cursor = model.cursor()
    settings = f"order {model.order}, KenLM probing from the same ARPA, load excluded, 1 thread"
    for label, ours_work, their_work in (
        (
            "score(sentence)",
            lambda: [model.score(line) for line in lines],
            lambda: [theirs.score(line) for line in lines],
        ),
        (
            "word by word with states",
            lambda: [_ours_by_state(model, sentence) for sentence in test],
            lambda: [_theirs_by_state(kenlm, theirs, sentence) for sentence in test],
        ),
        (
            "word by word, our cursor against their states",
            lambda: [_ours_by_cursor(cursor, sentence) for sentence in test],
            lambda: [_theirs_by_state(kenlm, theirs, sentence) for sentence in test],
        ),
    ):
        pairing = compare(("demotic", ours_work), ("kenlm", their_work))
        print(pairing.report(f"{label}, {name}", settings), flush=True)


def _ours_by_state(model: LanguageModel, sentence: list[str]) -> float:
    state, total = model.begin_state, 0.0
    for word in sentence:
        score, state = model.step(state, word)
        total += score
    return total


def _ours_by_cursor(cursor: LmCursor, sentence: list[str]) -> float:
    cursor.begin()
    score, total = cursor.score, 0.0
    for word in sentence:
        total += score(word)
    return total


def _theirs_by_state(kenlm: Any, model: Any, sentence: list[str]) -> float:
    state, after, total = kenlm.State(), kenlm.State(), 0.0
    model.BeginSentenceWrite(state)
    for word in sentence:
        total += model.BaseScore(state, word, after)
        state, after = after, state
    return total


def _silently(work: Callable[[], Any]) -> Any:
    """Suppresses KenLM's progress on file descriptor 2."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        return work()
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
