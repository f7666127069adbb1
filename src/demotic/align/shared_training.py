"""Training of an aligner and alignment by workers, with the same bits as here.

In every pass, workers compute the posteriors of parts of the text, and the driver adds them to the
expected counts in the order of the text, as it does with its own (`core/.../expectation.h`).  Each
worker has the text; it gets the parameters of every pass, and at last those that it finds links
with, as a file.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from demotic._core import (
    AlignerFile,
    AlignerTrainer,
    AlignmentModel,
    AlignmentPriors,
    Alignments,
    Corpus,
    ExpectationWorker,
    NativeAligner,
    Symmetrization,
)
from demotic.align.aligner import train_options
from demotic.align.options import AlignOptions
from demotic.text.parallel import ParallelCorpus
from demotic.workers.arrays import from_bytes, to_bytes
from demotic.workers.rounds import of_round
from demotic.workers.shards import Shard

if TYPE_CHECKING:
    from demotic.workers import Actors, Arguments, Workers

__all__ = ["AlignmentActor", "align_shared", "train_shared"]

_SIDES = ("source", "target")

_PARTS = 64  # of the text in a pass, at least; does not affect the result
_CHUNKS = 512  # per part, at most: about 16 MB of posteriors


def train_shared(
    corpus: ParallelCorpus,
    options: AlignOptions,
    priors: AlignmentPriors,
    workers: Workers,
    *,
    threads: int = 1,
    progress: Callable[..., None] | None = None,
) -> NativeAligner:
    """What `train_aligner` returns; `threads` are those of the driver."""
    sides = corpus.source.sentences, corpus.target.sentences
    trainer = AlignerTrainer(*sides, train_options(options), priors, threads)
    with workers.folder() as home:
        actors = _actors(workers, sides, options, home)
        count = max(_PARTS, -(-trainer.chunks // _CHUNKS))
        parts = _parts(trainer.chunks, count)
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


def align_shared(
    file: AlignerFile,
    sides: tuple[Corpus, Corpus],
    options: AlignOptions,
    workers: Workers,
    *,
    progress: Callable[..., None] | None = None,
) -> tuple[Alignments, int]:
    """What `NativeAligner.align` returns; the sides are encoded with the file's vocabulary."""
    with workers.folder() as home:
        file.save(str(home / "aligner"))
        actors = _actors(workers, sides, options, home)
        asked = {"aligner": workers.share(home / "aligner")}
        parts = _parts(len(sides[0]), _PARTS)
        items = [({**asked, "part": [part.start, part.stop]}, b"") for part in parts]
        found = [from_bytes(data) for data in actors.map(items, progress)]
    links = [one["links"] for one in found]
    sizes = [one["sizes"] for one in found]
    offsets = np.cumsum(np.concatenate([np.zeros(1, np.int64), *sizes]))
    joined = np.concatenate([np.zeros((0, 2), np.int32), *links])
    return Alignments.from_arrays(offsets, joined), sum(int(one["cut"][0]) for one in found)


def _actors(
    workers: Workers, sides: tuple[Corpus, Corpus], options: AlignOptions, home: Path
) -> Actors:
    """Actors with the text."""
    for side, file in zip(sides, _SIDES, strict=True):
        side.save(str(home / file))
    shared = {file: workers.share(home / file) for file in _SIDES}
    return workers.actors("alignment", {**shared, "options": asdict(options)})


def _parts(size: int, count: int) -> list[range]:
    parts = [Shard(number + 1, count).part(size) for number in range(count)]
    return [part for part in parts if part]


class AlignmentActor:
    """The other end: the text, and the parameters of the last pass or question."""

    def __init__(self, arguments: Arguments, data: bytes) -> None:
        source, target = (Corpus.open(arguments[side], True) for side in _SIDES)
        self._sides = source, target
        self._options = AlignOptions(**arguments["options"])
        self._worker = ExpectationWorker(*self._sides, train_options(self._options))
        self._pass = -1
        self._aligner: NativeAligner | None = None

    def tell(self, arguments: Arguments, data: bytes) -> None:
        raise NotImplementedError("questions say which parameters they are about")

    def ask(self, arguments: Arguments, data: bytes) -> bytes:
        begin, end = arguments["part"]
        if "aligner" in arguments:
            return self._links(arguments["aligner"], begin, end)
        if self._pass != arguments["pass"]:
            self._worker.use(arguments["parameters"], AlignmentModel[arguments["model"]])
            self._pass = arguments["pass"]
        return self._worker.posteriors(begin, end)

    def _links(self, path: str, begin: int, end: int) -> bytes:
        if self._aligner is None:  # actors have one aligner, and are asked for nothing else then
            self._aligner = AlignerFile.open(path, True).aligner
        kind = Symmetrization[self._options.symmetrize]
        source, target = (_slice(side, begin, end) for side in self._sides)
        links, cut = self._aligner.align(source, target, kind, self._options.posterior, 1, None)
        sizes, counts = np.diff(links.offsets), np.array([cut], np.int64)
        return to_bytes({"sizes": sizes, "links": links.links, "cut": counts})


def _slice(side: Corpus, begin: int, end: int) -> Corpus:
    offsets = side.offsets[begin : end + 1]
    return Corpus(offsets - offsets[0], side.words[offsets[0] : offsets[-1]])
