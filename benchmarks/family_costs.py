"""What families of features cost in decoding: CPU time of hierarchical search on the bundled corpus
with weights so small that the translations stay the same, relative to search without them.

    DEMOTIC_BENCH_MODELS=FOLDER python -m benchmarks.family_costs --rounds 5

The sets are run in turns, after a warm-up each; ratios are medians over the rounds.
"""

from __future__ import annotations

import argparse
import shutil
import time
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.family_tasks import open_task
from benchmarks.results import models_folder
from demotic import _core
from demotic.features import Templates
from demotic.features.families import with_lists
from demotic.features.sparse_part import compile_templates
from demotic.model import Model
from demotic.search.options import SearchOptions
from demotic.search.sentence import constituent_spans, constituents_of

SETS = ("syntax-fine", "distortion", "syntax-fine+distortion", "e13-sparse")
BEAM, POP_LIMIT = 50, 100
RULES = 200
"""Every so many rules have weights of their own."""


def with_weights(model: Model, name: str, source: list[str], folder: Path) -> Model:
    """The model with small random weights of the features that the sentences may have."""
    templates = with_lists(Templates.find(name), model.rules, constituents_of(source))
    features = compile_templates(templates, [], model.rules, "hiero")
    keys: set[int] = set()
    for rule in range(0, len(model.rules), max(1, len(model.rules) // (RULES * 40))):
        keys.update(features.rule_keys(rule).tolist())
    for line in source:
        words = np.array([model.vocabulary.find(word) for word in line.split()], np.int32)
        spans = constituent_spans(line)
        for begin in range(len(words)):
            for end in range(begin + 1, len(words) + 1):
                keys.update(features.span_keys(words, 2, begin, end, [], list(spans)).tolist())
    for size in range(1, 11) if features.has_gaps else ():
        for reordered in (False, True):
            keys.update(features.gap_keys(reordered, size).tolist())
    values = np.random.default_rng(1).standard_normal(len(keys)) * 1e-7
    stored = folder / "weights.bin"
    stored.parent.mkdir(parents=True, exist_ok=True)
    array = np.array(sorted(keys), np.uint64)
    _core.store_weights(str(stored), array, values.astype(np.float32), features.layout)
    home = folder / name.replace("+", "-")
    shutil.rmtree(home, ignore_errors=True)
    return model.derive(home, sparse=stored, templates=templates, classes=[])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sentences", type=int, default=300)
    parser.add_argument("--only", default="", help="decode once with this set, or `none`")
    arguments, _ = parser.parse_known_args()
    home = models_folder()
    if home is None:
        return
    task = open_task("bundled", "c08-baseline", "true", home)
    source = list(task.test.source)[: arguments.sentences]
    wanted = (arguments.only,) if arguments.only else ("none", *SETS)
    decoders = {}
    for name in wanted:
        model = task.model
        if name != "none":
            model = with_weights(model, name, source[:40], home / "costs")
        options = SearchOptions.for_model(model, {"beam_size": BEAM, "pop_limit": POP_LIMIT})
        decoders[name] = model.decoder(options)
    times: dict[str, list[float]] = {name: [] for name in decoders}
    outputs = {}
    for _ in range(arguments.rounds + 1):
        for name, decoder in decoders.items():
            begin = time.process_time()
            outputs[name] = decoder.translate(source, threads=1).text
            times[name].append(time.process_time() - begin)
    print("| families | CPU seconds | relative | same translations |")
    print("|---|--:|--:|--:|")
    first = next(iter(times))
    for name, found in times.items():
        relative = median(a / b for a, b in zip(found[1:], times[first][1:], strict=True))
        seconds = ", ".join(f"{one:.2f}" for one in found[1:])
        same = sum(a == b for a, b in zip(outputs[name], outputs[first], strict=True))
        print(f"| {name} | {seconds} | {relative:.2f} | {same} of {len(source)} |", flush=True)


if __name__ == "__main__":
    main()
