"""Epoch 0: the score of the given model on the dev set.

It is measured with the search settings of the training run, before any other work, and stored in
`start.json` for resuming.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from demotic.learn.journal import key_of, read_keyed
from demotic.learn.low_score import refuse_low_score
from demotic.lines import write_text
from demotic.train.dev_score import DevScorer
from demotic.train.epochs import Epoch

if TYPE_CHECKING:
    from demotic.learn.dev_set import DevSet
    from demotic.metrics.named import MetricChoice
    from demotic.model import Model
    from demotic.search.decoder import Progress
    from demotic.search.options import SearchOptions
    from demotic.train.options import TrainOptions

__all__ = ["start_score"]

_NAME = "start.json"


def start_score(
    model: Model,
    dev: DevSet,
    options: TrainOptions,
    search: SearchOptions,
    folder: Path,
    *,
    metric: MetricChoice | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> Epoch:
    """Raises ModelError if the score is close to zero, which no weights could fix."""
    scorer = DevScorer(dev, options.ref_length, metric)
    key = key_of(
        {
            "search": asdict(search),
            "model": {name: one.digest for name, one in model.info.files.items()},
            "weights": dict(model.weights),
            "dev": dev.digest,
            "metric": [scorer.metric.name, scorer.metric.signature],
        }
    )
    path = folder / _NAME
    known = read_keyed(path, key, Epoch.read, "training")
    if known:
        return known[0]
    score = scorer(model.decoder(search), threads, progress)
    refuse_low_score(score.bleu, options.min_bleu, model, dev)
    start = Epoch.start(score.score, score.length_ratio, len(model.sparse or ()))
    with write_text(path) as file:
        for line in ({"key": key}, asdict(start)):
            file.write(json.dumps(line) + "\n")
    return start
