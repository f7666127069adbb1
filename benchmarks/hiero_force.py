"""Forced Hiero decoding of training pairs: sentences per second, share of reachable pairs and
causes by length, and sizes of forests; with loose and tight rules, with and without rules
seen once, and leave-one-out.

Models are built once into the folder in `DEMOTIC_BENCH_MODELS`, or a temporary one: hmm links,
initial phrases up to 10; the language model does not matter.  Pairs are spread evenly over the
training text.  All times are CPU times of one thread after a first pass, and include the indexing
of rules.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.pairing import measure
from benchmarks.phrase_models import model_folder
from benchmarks.texts import data_folder
from demotic import _core
from demotic.force import ForceOptions
from demotic.lines import LineFile
from demotic.lm.estimate import LmOptions
from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.model.sharing import link_files
from demotic.rules import RuleOptions

TASKS = {"zh-en-tatoeba": "zh", "ja-en-tanaka": "ja"}
PAIRS = 5_000
SPAN_LIMIT = 20
LENGTHS = (1, 6, 11, 16, 21, 31, 1_000)  # source words


def main() -> None:
    if not data_folder().is_dir():
        print("hiero_force: not measured (no corpora; set DEMOTIC_DATA)")
        return
    lengths = " ".join(f"{f'{a}-{b - 1}' if b < 1_000 else f'{a}-':>6}" for a, b in ranges())
    print(f"load average before {os.getloadavg()[0]:.1f}; span limit {SPAN_LIMIT}")
    print(f"{'':33} pairs/s reachable words {lengths} | nodes edges most | why not")
    with model_folder() as folder:
        for name in TASKS:
            for kind, model in models(name, folder):
                for leave_one_out in (False, True):
                    row(name, kind, model, leave_one_out)


def ranges() -> Iterator[tuple[int, int]]:
    return pairwise(LENGTHS)


def models(name: str, folder: Path) -> Iterator[tuple[str, Model]]:
    """All models share the links of the first."""
    text: Path = data_folder() / name / "tok"
    links: list[Path] = []
    for tight in (False, True):
        for min_count in (1, 2):
            kind = ("tight" if tight else "loose") + ("-2" if min_count == 2 else "")
            options = BuildOptions(
                source=text / f"train.{TASKS[name]}.gz",
                target=text / "train.en.gz",
                kind="hiero",
                links=links,
                lm=LmOptions(order=2),
                rules=RuleOptions(tight=tight, min_count=min_count),
            )
            home = folder / f"{name}-{kind}"
            yield kind, build(options, home, threads=2).model
            links = links or link_files(home / "work")


def row(name: str, kind: str, model: Model, leave_one_out: bool) -> None:
    text = data_folder() / name / "tok"
    source, target = (list(LineFile(text / f"train.{side}.gz")) for side in (TASKS[name], "en"))
    chosen = range(0, len(source), max(1, len(source) // PAIRS))[:PAIRS]
    options = ForceOptions(span_limit=SPAN_LIMIT).native()
    pairs = _core.SourceSentences(
        model.native,
        [source[i] for i in chosen],
        [target[i] for i in chosen],
        [],
        list(chosen) if leave_one_out else [],
    )
    found: list[_core.ForcedPairs] = []

    def run() -> None:
        found.append(_core.force_corpus(model.native, options, pairs, None, 1, None))

    run()  # maps the pages of the model
    seconds = measure(run).cpu
    words = np.array([len(source[i].split()) for i in chosen])
    title = f"{name} {kind}{' leave-one-out' if leave_one_out else ''}"
    print(f"{title:<42}"[:42], end=" ")
    print(f"{len(chosen) / seconds:7,.0f} {described(found[0], words)}", flush=True)


def described(found: _core.ForcedPairs, words: NDArray[np.int64]) -> str:
    reachable = found.outcome == _core.Outcome.reachable.value
    shares = [reachable[(a <= words) & (words < b)] for a, b in ranges()]
    by_length = " ".join(f"{part.mean():6.1%}" if part.size else f"{'-':>6}" for part in shares)
    causes = (cause for cause in _core.Cause if cause != _core.Cause.none)
    why = ", ".join(f"{one.name} {(found.cause == one.value).mean():.1%}" for one in causes)
    undecided = (found.outcome == _core.Outcome.undecided.value).mean()
    nodes, edges = found.nodes, found.edges
    return (
        f"{reachable.mean():6.1%} {words[reachable].sum() / words.sum():6.1%} {by_length} | "
        f"{nodes[reachable].mean():,.0f} {edges[reachable].mean():,.0f} {edges.max():,} | "
        f"{why}; undecided {undecided:.1%}"
    )


if __name__ == "__main__":
    main()
