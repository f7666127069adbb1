"""Learners on forests: CPU time per sentence of a line search and of a visit, one thread.

With `--model FOLDER` the forests come from decoding the development set of zh-en-tatoeba
(`--sentences` of it); otherwise they are generated, with 5,000 edges in the shape of phrase search
and random features, so that envelopes have far more segments than real ones.
"""

from __future__ import annotations

import argparse
from functools import partial
from statistics import median

import numpy as np

from benchmarks.forest import WORDS, phrase
from benchmarks.pairing import measure
from benchmarks.texts import data_folder
from demotic.learn import ForestEvidence, ForestMira
from demotic.learn.forest_evidence import searched_forests
from demotic.learn.learner import form_of
from demotic.lines import read_lines
from demotic.metrics import Bleu, BleuOptions, References
from demotic.model import Model

GENERATED = 20
EDGES = 5_000
DIRECTIONS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model")
    parser.add_argument("--sentences", type=int, default=200)
    arguments, _ = parser.parse_known_args()
    found = searched(arguments.model, arguments.sentences) if arguments.model else generated()
    evidence, metric, weights = found
    print(f"{evidence}, {evidence.edges / len(evidence):,.0f} edges per sentence")
    line_searches(evidence, weights)
    cpu = measure(lambda: ForestMira().update(weights, evidence, metric)).cpu
    print(f"MIRA, 3 x 10 candidates: {1000 * cpu / len(evidence):.2f} ms per sentence")


def line_searches(evidence: ForestEvidence, weights: np.ndarray) -> None:
    """Along features, then along random directions; includes scoring the edges."""
    rng = np.random.default_rng(1)
    kinds = {
        "feature": np.eye(len(weights)),
        "random": rng.uniform(-1, 1, (DIRECTIONS, len(weights))),
    }
    native = evidence.native
    for name, directions in kinds.items():
        times, segments = [], []
        for direction in directions:
            search = partial(native.line_search, form_of(evidence.metric), weights, direction, 1)
            times.append(1000 * measure(search).cpu / len(evidence))
            segments.append(search()[2])
        print(
            f"line search, {name} direction: median {median(times):.2f} ms per sentence "
            f"({min(times):.2f}-{max(times):.2f}), {np.mean(segments) / len(evidence):.1f} segments"
        )


def searched(folder: str, count: int) -> tuple[ForestEvidence, Bleu, np.ndarray]:
    texts = data_folder() / "zh-en-tatoeba" / "tok"
    source = read_lines(texts / "dev.zh.gz").tolist()[:count]
    references = read_lines(texts / "dev.en.gz").tolist()[:count]
    metric = Bleu(References.from_streams([references]), BleuOptions(tokenize="none"))
    decoder = Model.load(folder).decoder()
    evidence = searched_forests(decoder, source, metric).evidence
    return evidence, metric, np.array(decoder.weights.array)


def generated() -> tuple[ForestEvidence, Bleu, np.ndarray]:
    rng = np.random.default_rng(1)
    texts = [" ".join(f"w{w}" for w in rng.integers(0, 1000, WORDS)) for _ in range(GENERATED)]
    metric = Bleu(References.from_streams([texts]), BleuOptions(tokenize="none"))
    forest = phrase(EDGES)
    bins = np.arange(forest.nodes) * WORDS // forest.nodes + 1
    evidence = ForestEvidence(
        (forest,) * GENERATED,
        np.arange(GENERATED),
        (bins.astype(np.int32),) * GENERATED,
        metric,
        forest.feature_names.names,
    )
    return evidence, metric, np.full(len(forest.feature_names), 1 / len(forest.feature_names))


if __name__ == "__main__":
    main()
