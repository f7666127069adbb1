"""BLEU, TER, chrF and their tests compared with sacrebleu: strings in, scores out, one process.

Both get the same lines and the same references, and both prepare the references again in every run.
sacrebleu's tokenisers cache lines; the caches are emptied before each run, since a user evaluates a
text once.  Translations are the references with words deleted, inserted, changed and moved.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median

from sacrebleu.metrics.base import Metric as Theirs
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.significance import PairedTest
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from benchmarks.pairing import compare, measure
from benchmarks.texts import data_folder, sentences
from demotic.metrics import Bleu, BleuOptions, Chrf, Metric, References, Ter, evaluate

Streams = list[list[str]]
SETS = {
    "es-en-news dev, 1 reference": ["es-en-news/raw/dev.en.gz"],
    "es-en-bible dev, 5 references": [f"es-en-bible/raw/dev.en.{k}.gz" for k in range(5)],
}


def main() -> None:
    for name, files in SETS.items():
        if (data_folder() / files[0]).exists():
            streams = [[" ".join(words) for words in sentences(file)[0]] for file in files]
        elif len(files) == 1:
            name = "generated news"  # noqa: PLW2901 - said in the output
            streams = [[" ".join(words) for words in sentences(files[0])[0][:3000]]]
        else:
            print(f"{name}: not measured (set DEMOTIC_DATA)")
            continue
        compare_with_sacrebleu(name, streams)
    statistics_of_lists()


def compare_with_sacrebleu(name: str, streams: Streams) -> None:
    lines = damaged(streams[0], 1)
    work = f"{name}: {len(lines):,} sentences, {sum(len(s.split()) for s in lines):,} words"
    some = 300 // len(streams)  # sacrebleu's TER is slow
    sides: list[tuple[str, type[Metric], Theirs, int]] = [
        ("BLEU, 13a", Bleu, BLEU(force=True), len(lines)),
        (f"TER, {some} sentences", Ter, TER(), some),
        ("chrF", Chrf, CHRF(), len(lines)),
    ]
    for label, ours, theirs, size in sides:
        part, references = lines[:size], [stream[:size] for stream in streams]
        pairing = compare(
            ("demotic", partial(_our_score, ours, part, references)),
            ("sacrebleu", partial(_their_score, theirs, part, references)),
            pairs=3 if label.startswith("TER") else 5,
        )
        print(pairing.report(f"{label}: {work}", "1 thread, references prepared in each run"))
        a, b = _our_score(ours, part, references), _their_score(theirs, part, references)
        print(f"scores {a:.10f} {b:.10f}\n", flush=True)
    _sentence_scores(work, lines, streams)
    _paired_tests(work, lines, streams)


def _our_score(kind: type[Metric], lines: list[str], streams: Streams) -> float:
    return kind(References.from_streams(streams)).score(lines)


def _their_score(metric: Theirs, lines: list[str], streams: Streams) -> float:
    _forget()
    return float(metric.corpus_score(lines, streams).score)


def _forget() -> None:
    for tokenizer in (Tokenizer13a, TokenizerRegexp, TercomTokenizer):
        tokenizer.__call__.cache_clear()


def _sentence_scores(work: str, lines: list[str], streams: Streams) -> None:
    sentence_references = list(zip(*streams, strict=True))

    def ours() -> list[float]:
        bleu = Bleu(References.from_streams(streams), BleuOptions(sentence_smoothing="exp"))
        return [100 * gain for gain in bleu.gain(bleu.statistics(lines)).tolist()]

    def theirs() -> list[float]:
        _forget()
        bleu = BLEU(effective_order=True)
        return [
            bleu.sentence_score(line, texts).score
            for line, texts in zip(lines, sentence_references, strict=True)
        ]

    pairing = compare(("demotic", ours), ("sacrebleu", theirs), pairs=5)
    print(
        pairing.report(f"sentence BLEU, 13a: {work}", "1 thread, one call / one call per sentence")
    )
    gap = max(abs(a - b) for a, b in zip(ours(), theirs(), strict=True))
    print(f"largest difference of two scores {gap:.1e}\n", flush=True)


def _paired_tests(work: str, lines: list[str], streams: Streams) -> None:
    other = damaged(streams[0], 2)
    references = References.from_streams(streams)

    def ours() -> object:
        return evaluate(lines, references, baselines={"other": other})

    def theirs() -> object:
        _forget()
        systems: list[tuple[str, Sequence[str]]] = [("other", other), ("system", lines)]
        for kind, samples in (("bs", 1000), ("ar", 10_000)):
            test = PairedTest(systems, {"BLEU": BLEU(force=True)}, streams, kind, samples)
            test()
        return None

    pairing = compare(("demotic", ours), ("sacrebleu", theirs), pairs=1, warm_ups=0)
    print(
        pairing.report(
            f"interval, paired bootstrap (1,000) and randomisation (10,000): {work}", "1 thread"
        )
        + "\n",
        flush=True,
    )


def statistics_of_lists() -> None:
    """The work of tuning: a hundred candidates per sentence, as numbers and as text."""
    texts = [" ".join(words) for words in sentences("es-en-news/tok/dev.en.gz")[0][:500]]
    candidates = [line for i in range(100) for line in damaged(texts, i)]
    order = sorted(range(len(candidates)), key=lambda i: i % len(texts))
    candidates = [candidates[i] for i in order]
    ids = [i // 100 for i in range(len(candidates))]
    bleu = Bleu(References.from_streams([texts]), BleuOptions(tokenize="none"))
    _rate("text", len(candidates), lambda: bleu.statistics(candidates, ids))
    import numpy as np

    words = sorted({word for line in candidates for word in line.split()})
    number = {word: i for i, word in enumerate(words)}
    flat = bleu.ids_of(words)[[number[word] for line in candidates for word in line.split()]]
    offsets = np.cumsum([0, *(len(line.split()) for line in candidates)])
    numbers = np.array(ids)
    _rate("ids", len(candidates), lambda: bleu.statistics_of_ids(offsets, flat, numbers))
    rows = bleu.statistics_of_ids(offsets, flat, numbers)
    _rate("gains of rows", len(candidates), lambda: bleu.gain(rows))


def _rate(name: str, count: int, work: Callable[[], object]) -> None:
    work()
    seconds = median(measure(work).cpu for _ in range(5))
    print(f"{name}: {count:,} candidates, {count / seconds:,.0f} per CPU second", flush=True)


def damaged(lines: list[str], seed: int) -> list[str]:
    draw = random.Random(seed)
    known = [word for line in lines[:500] for word in line.split()]
    return [" ".join(_damaged(line.split(), known, draw)) for line in lines]


def _damaged(words: list[str], known: list[str], draw: random.Random) -> list[str]:
    for _ in range(len(words) // 3):
        at, kind = draw.randrange(len(words)), draw.randrange(4)
        if kind == 0 and len(words) > 1:
            del words[at]
        elif kind == 1:
            words.insert(at, draw.choice(known))
        elif kind == 2:
            words[at] = draw.choice(known)
        else:
            moved = words[at : at + draw.randint(1, 4)]
            del words[at : at + len(moved)]
            to = draw.randint(0, len(words))
            words[to:to] = moved
    return words
