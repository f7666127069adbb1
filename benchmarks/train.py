"""Training on the bitext: a pass with sparse features against a plain decoding pass of the same
sentences, the trained model's own decoding speed, two threads, and memory a feature.

zh-en-tatoeba, shipped default templates, beam 30, pop limit 100, leave-one-out, one pass to learn
and one that is measured.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from benchmarks.pairing import compare
from benchmarks.phrase_models import model_folder, open_task
from benchmarks.texts import data_folder
from demotic import _core
from demotic.lines import LineFile
from demotic.model import Model
from demotic.search import SearchOptions
from demotic.search.kinds import decoder_with, native_model
from demotic.train import Bitext, Part, TrainOptions, find_parts
from demotic.train.checkpoint import Checkpoint
from demotic.train.features import FeatureSet, training_features
from demotic.train.trainers import Trainers
from demotic.weights import FeatureIndex, Weights

__all__ = ["main"]

NAME = "zh-en-tatoeba"
SENTENCES = 6_000
GOAL = 3.0
OPTIONS = TrainOptions(held_out="leave-one-out")


def main() -> None:
    with model_folder() as folder, tempfile.TemporaryDirectory() as scratch:
        model = open_task(NAME, folder, 1).model
        tok = data_folder() / NAME / "tok"
        bitext = Bitext(*(list(LineFile(tok / f"train.{side}.gz")) for side in ("zh", "en")))
        search = SearchOptions(beam_size=30, pop_limit=100)
        parts = find_parts(model, bitext, OPTIONS, search, Path(scratch))
        features = training_features(model, "default", bitext, Path(scratch))
        assert features is not None
        report(model, parts[0], features, search, Path(scratch))


def trainers(
    part: Part,
    features: FeatureSet,
    table: _core.SparseTable,
    search: SearchOptions,
    threads: int,
) -> Trainers:
    size = len(part.model.weights) + 1
    made = Trainers(
        [part],
        features,
        table,
        OPTIONS,
        search,
        rates=[0.0] * size,
        sparse_rate=OPTIONS.rate,
        threads=threads,
    )
    start = [*part.model.weights.array.tolist(), 1.0]
    made.restore(Checkpoint(0, 0, start, [0.0] * size, [0.0] * size, 0))
    return made


def report(
    model: Model, part: Part, features: FeatureSet, search: SearchOptions, scratch: Path
) -> None:
    order = np.arange(min(SENTENCES, len(part.pairs)), dtype=np.int64)
    lines = [part.pairs.bitext.source[i] for i in part.pairs.number[order]]
    table = _core.SparseTable(features.native.layout)
    learner = trainers(part, features, table, search, 1)
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
    print(f"bytes a feature in training: {table.size_bytes / len(table):.1f} of {len(table):,}")

    path = str(scratch / "sparse.bin")
    _core.store_table(path, table, learner.steps)
    stored = _core.StoredSparseWeights.open(path, False)
    names = FeatureIndex([*model.weights, "sparse"])
    weights = Weights(names, [*model.weights.array.tolist(), 0.2])
    sparse = native_model(model, _core.Sparse(features.native, stored))
    trained = decoder_with(model, sparse, search, weights)
    found = compare(
        ("dense", lambda: dense.translate(lines)),
        ("sparse", lambda: trained.translate(lines)),
        pairs=3,
    )
    print(found.report(work, f"decoding with {len(stored):,} stored features"))

    two = trainers(part, features, table, search, 2)
    one = trainers(part, features, table, search, 1)
    found = compare(
        ("two threads", lambda: two.run(0, order)),
        ("one thread", lambda: one.run(0, order)),
        pairs=3,
    )
    print(found.report(work, "training; what counts is wall time"))
