"""Training of an aligner by workers, with the same bits as here.

In every pass, workers compute the posteriors of parts of the text, and the driver adds them to the
expected counts in the order of the text, as it does with its own (`core/.../expectation.h`).  Each
worker has the text; it gets the parameters of every pass as a file.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from demotic._core import (
    AlignerTrainer,
    AlignmentModel,
    AlignmentPriors,
    Corpus,
    ExpectationWorker,
    NativeAligner,
)
from demotic.align.aligner import train_options
from demotic.align.options import AlignOptions
from demotic.text.parallel import ParallelCorpus
from demotic.workers.rounds import of_round
from demotic.workers.shards import Shard

if TYPE_CHECKING:
    from demotic.workers import Arguments, Workers
    from demotic.workers.protocol import Progress

__all__ = ["PosteriorActor", "train_shared"]

_PARTS = 64  # of the text in a pass, at least; does not affect the result
_CHUNKS = 512  # per part, at most: about 16 MB of posteriors


def train_shared(
    corpus: ParallelCorpus,
    options: AlignOptions,
    priors: AlignmentPriors,
    workers: Workers,
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> NativeAligner:
    """What `train_aligner` returns; `threads` are those of the driver."""
    sides = corpus.source.sentences, corpus.target.sentences
    trainer = AlignerTrainer(*sides, train_options(options), priors, threads)
    with tempfile.TemporaryDirectory(prefix="demotic-") as name:
        home = Path(name)
        for side, file in zip(sides, ("source", "target"), strict=True):
            side.save(str(home / file))
        actors = workers.actors(
            "alignment",
            {
                "source": workers.share(home / "source"),
                "target": workers.share(home / "target"),
                "options": asdict(options),
            },
        )
        parts = _parts(trainer.chunks)
        for number in range(trainer.passes):
            path = home / f"parameters-{number}"
            trainer.save(corpus.vocabulary, str(path))
            asked = {
                "pass": number,
                "model": trainer.model.name,
                "parameters": workers.share(path),
            }
            items = [({**asked, "part": [part.start, part.stop]}, b"") for part in parts]
            told = of_round(progress, number, trainer.passes)
            for part, posteriors in zip(parts, actors.map(items, told), strict=True):
                trainer.add(part.start, part.stop, posteriors)
            trainer.maximize()
            if number:  # a late worker may still read those of this pass
                os.unlink(home / f"parameters-{number - 1}")
    return trainer.finish()


def _parts(chunks: int) -> list[range]:
    count = max(_PARTS, -(-chunks // _CHUNKS))
    parts = [Shard(number + 1, count).part(chunks) for number in range(count)]
    return [part for part in parts if part]


class PosteriorActor:
    """The other end: the text, and the parameters of the last pass."""

    def __init__(self, arguments: Arguments, data: bytes) -> None:
        source, target = (Corpus.open(arguments[side], True) for side in ("source", "target"))
        options = train_options(AlignOptions(**arguments["options"]))
        self._worker = ExpectationWorker(source, target, options)
        self._pass = -1

    def tell(self, arguments: Arguments, data: bytes) -> None:
        raise NotImplementedError("questions say which parameters they are about")

    def ask(self, arguments: Arguments, data: bytes) -> bytes:
        if self._pass != arguments["pass"]:
            model = AlignmentModel[arguments["model"]]
            self._worker.use(arguments["parameters"], model)
            self._pass = arguments["pass"]
        return self._worker.posteriors(*arguments["part"])
