"""Training of an aligner by jobs that leave files, instead of workers that stay.

In each pass of expectation maximisation, N jobs compute the posteriors of their parts of the text
(`posteriors_of`).  One process then adds them to the expected counts in the order of the text, as a
single process does, and writes the next parameters (`end_pass`), with which the jobs of the next
pass begin.  Each of them reads the whole text.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from demotic._core import (
    AlignerTrainer,
    AlignmentModel,
    AlignmentPriors,
    Corpus,
    ExpectationWorker,
)
from demotic.align.aligner import train_options
from demotic.align.options import AlignOptions
from demotic.text.parallel import ParallelCorpus
from demotic.workers.shards import Shard, ShardFile

__all__ = ["PARAMETERS", "TrainingState", "end_pass", "posteriors_of", "state_of"]

PARAMETERS = "parameters"  # the section with those that a pass begins with
_CHUNKS = 512  # per section of posteriors, at most: about 16 MB


@dataclass(frozen=True)
class TrainingState:
    """How far a training is."""

    ended: int
    """Number of passes that have ended."""
    passes: int
    """Number of all passes."""
    chunks: int
    """Number of parts of the text, of similar work."""
    model: str
    """Model of the next pass; empty if there is none."""

    @property
    def done(self) -> bool:
        return self.ended == self.passes


def state_of(file: ShardFile) -> TrainingState:
    return TrainingState(**file.about["state"])


def posteriors_of(
    corpus: ParallelCorpus, options: AlignOptions, shard: Shard, before: ShardFile | None
) -> tuple[TrainingState, dict[str, bytes]]:
    """The posteriors of a shard, in sections.

    `before`: the parameters after the pass before; none in the first pass.
    """
    worker = ExpectationWorker(*_sides(corpus), train_options(options))
    with tempfile.TemporaryDirectory(prefix="demotic-") as folder:
        path = Path(folder) / PARAMETERS
        if before is None:
            trainer = _trainer(corpus, options, AlignmentPriors(), threads=1)
            state = _state(trainer, 0)
            trainer.save(corpus.vocabulary, str(path))
            del trainer  # its tables are larger than those of the worker
        else:
            state = state_of(before)
            path.write_bytes(before.parts[PARAMETERS])
        worker.use(str(path), AlignmentModel[state.model])
    parts = enumerate(_sections(shard, state.chunks))
    return state, {str(k): worker.posteriors(part.start, part.stop) for k, part in parts}


def end_pass(
    corpus: ParallelCorpus,
    options: AlignOptions,
    priors: AlignmentPriors,
    before: ShardFile | None,
    shards: Sequence[ShardFile],
    path: Path,
    *,
    threads: int = 1,
) -> TrainingState:
    """Writes the next parameters to a file of an aligner, from the posteriors of all shards."""
    trainer = _trainer(corpus, options, priors, threads)
    ended = 0
    if before is not None:
        ended = state_of(before).ended
        with tempfile.TemporaryDirectory(prefix="demotic-") as folder:
            old = Path(folder) / PARAMETERS
            old.write_bytes(before.parts[PARAMETERS])
            trainer.resume(str(old), ended)
    for one in shards:
        for number, part in enumerate(_sections(one.shard, trainer.chunks)):
            trainer.add(part.start, part.stop, one.parts[str(number)])
    trainer.maximize()
    trainer.save(corpus.vocabulary, str(path))
    return _state(trainer, ended + 1)


def _trainer(
    corpus: ParallelCorpus, options: AlignOptions, priors: AlignmentPriors, threads: int
) -> AlignerTrainer:
    return AlignerTrainer(*_sides(corpus), train_options(options), priors, threads)


def _state(trainer: AlignerTrainer, ended: int) -> TrainingState:
    model = "" if trainer.done else trainer.model.name
    return TrainingState(ended, trainer.passes, trainer.chunks, model)


def _sides(corpus: ParallelCorpus) -> tuple[Corpus, Corpus]:
    return corpus.source.sentences, corpus.target.sentences


def _sections(shard: Shard, chunks: int) -> Iterator[range]:
    part = shard.part(chunks)
    for begin in range(part.start, part.stop, _CHUNKS):
        yield range(begin, min(begin + _CHUNKS, part.stop))
