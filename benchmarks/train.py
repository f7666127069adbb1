"""Training on the bitext: a pass with sparse features against a plain decoding pass of the same
sentences, the trained model's decoding speed, two threads, and memory per feature.

zh-en-tatoeba, one pass to learn and one that is measured.  Phrases: `default` templates or those of
`--features NAME`, beam 30, pop limit 100, leave-one-out.  Hiero: tight rules, `z14` templates, beam
and pop limit 30, the beginning of the text without held-out data.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks import hiero_search
from benchmarks.pairing import compare
from benchmarks.phrase_models import model_folder, open_task
from benchmarks.texts import data_folder
from demotic import _core
from demotic.features.weights import FeatureIndex, Weights
from demotic.lines import LineFile
from demotic.model import Model
from demotic.search import Decoder, SearchOptions
from demotic.search.kinds import decoder_with, native_model
from demotic.train import Bitext, Part, TrainOptions, find_parts
from demotic.train.checkpoint import Checkpoint
from demotic.train.features import FeatureSet, training_features
from demotic.train.trainers import Trainers

__all__ = ["OPTIONS", "Prepared", "decoder_of", "main", "prepared"]

NAME = "zh-en-tatoeba"
SENTENCES = {"phrase": 6_000, "hiero": 1_000}
GOAL = 3.0
OPTIONS = TrainOptions(held_out="leave-one-out", unreachable="skip")


@dataclass(frozen=True)
class Prepared:
    """A model and the text it is trained on."""

    model: Model
    part: Part
    features: FeatureSet
    search: SearchOptions
    scratch: Path

    def order(self, sentences: int) -> NDArray[np.int64]:
        return np.arange(min(sentences, len(self.part.pairs)), dtype=np.int64)

    def lines(self, order: NDArray[np.int64]) -> list[str]:
        return [self.part.pairs.bitext.source[i] for i in self.part.pairs.number[order]]

    def table(self) -> _core.SparseTable:
        return _core.SparseTable(self.features.native.layout)

    def trainers(self, table: _core.SparseTable, threads: int = 1) -> Trainers:
        start = [*self.model.weights.array.tolist(), 1.0]
        nothing = [0.0] * len(start)
        made = Trainers(
            [self.part],
            self.features,
            table,
            OPTIONS,
            self.search,
            rates=nothing,
            sparse_rate=OPTIONS.rate,
            threads=threads,
        )
        made.restore(Checkpoint(0, 0, start, nothing, nothing, 0))
        return made


@contextmanager
def prepared(kind: str = "phrase", features_name: str = "default") -> Iterator[Prepared]:
    tok = data_folder() / NAME / "tok"
    sides = [list(LineFile(tok / f"train.{side}.gz")) for side in ("zh", "en")]
    with model_folder() as folder, tempfile.TemporaryDirectory() as made:
        scratch = Path(made)
        if kind == "phrase":
            model, templates = open_task(NAME, folder, 1).model, features_name
            options = OPTIONS
            search = SearchOptions(beam_size=30, pop_limit=100)
            bitext = Bitext(*sides)
        else:
            model, templates = hiero_search.built(tok, folder, "tight"), "z14"
            search, options = SearchOptions(pop_limit=30), replace(OPTIONS, held_out="none")
            bitext = Bitext(*(side[: 2 * SENTENCES[kind]] for side in sides))
        parts = find_parts(model, bitext, options, search, scratch)
        features = training_features(model, templates, bitext, scratch)
        assert features is not None
        yield Prepared(model, parts[0], features, search, scratch)


def decoder_of(ready: Prepared, stored: _core.StoredSparseWeights) -> Decoder:
    """With the stored weights, and a typical weight for their sum."""
    model = ready.model
    names = FeatureIndex([*model.weights, "sparse"])
    weights = Weights(names, [*model.weights.array.tolist(), 0.2])
    native = native_model(model, _core.Sparse(ready.features.native, stored))
    return decoder_with(model, native, ready.search, weights)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--features", default="default", help="templates for phrases")
    arguments, _ = parser.parse_known_args()
    for kind, sentences in SENTENCES.items():
        print(f"\n{kind}")
        with prepared(kind, arguments.features) as ready:
            report(ready, sentences)


def report(ready: Prepared, sentences: int) -> None:
    model, search, features = ready.model, ready.search, ready.features
    order = ready.order(sentences)
    lines = ready.lines(order)
    table = ready.table()
    learner = ready.trainers(table)
    learner.run(0, order)
    dense = model.decoder(search)
    dense.translate(lines)

    def fresh_decoding() -> None:
        model.decoder(search).translate(lines)

    work = f"{len(lines):,} sentences, {sum(len(line.split()) for line in lines):,} words"
    settings = (
        f"{len(features.templates)} templates, {len(table):,} features, batch {OPTIONS.batch}"
    )
    training = ("training", lambda: learner.run(0, order))
    found = compare(("decoding", fresh_decoding), training, pairs=3)
    print(found.report(work, settings))
    print(f"goal: training / decoding at most {GOAL:.1f}")
    print(f"bytes per feature in training: {table.size_bytes / len(table):.1f} of {len(table):,}")

    path = str(ready.scratch / "sparse.bin")
    _core.store_table(path, table, learner.steps)
    stored = _core.StoredSparseWeights.open(path, False)
    trained = decoder_of(ready, stored)
    found = compare(
        ("dense", lambda: dense.translate(lines)),
        ("sparse", lambda: trained.translate(lines)),
        pairs=3,
    )
    print(found.report(work, f"decoding with {len(stored):,} stored features"))

    two, one = ready.trainers(table, 2), ready.trainers(table)
    found = compare(
        ("two threads", lambda: two.run(0, order)),
        ("one thread", lambda: one.run(0, order)),
        pairs=3,
    )
    print(found.report(work, "training; what counts is wall time"))
