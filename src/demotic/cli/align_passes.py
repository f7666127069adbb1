"""`demotic align --train-only` in shards: a pass of training by jobs, ended by `demotic reduce`."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from demotic._core import AlignmentPriors
from demotic.align.priors import read_priors
from demotic.align.training_files import PARAMETERS, end_pass, posteriors_of, state_of
from demotic.cli.align_run import read_text
from demotic.cli.final_output import file_text
from demotic.cli.sharded_verb import ShardOutput, plain_params, shard_key
from demotic.errors import Error
from demotic.workers.shards import Shard, ShardFile

if TYPE_CHECKING:
    from demotic.align.pair_text import PairText
    from demotic.cli.align import AlignRequest
    from demotic.cli.screen import Screen
    from demotic.text.parallel import ParallelCorpus

__all__ = ["end", "write_shard"]

_VERB = "align --train-only"
_OUTPUTS = ("output", "after")


def write_shard(request: AlignRequest, texts: list[PairText], shard: Shard, screen: Screen) -> None:
    """Writes the posteriors of a part of the text."""
    output = ShardOutput(_VERB, shard, request.output, _OUTPUTS, request.force)
    before = _before(request.after, output.key)
    corpus = read_text(request, texts, screen)
    state, posteriors = posteriors_of(corpus, request.options, shard, before)
    about = {"params": plain_params(click.get_current_context()), "state": asdict(state)}
    output.write(about, posteriors, f"{output.key} pass {state.ended + 1}")


def end(
    request: AlignRequest, texts: list[PairText], shards: Sequence[ShardFile], screen: Screen
) -> None:
    """Writes the parameters after a pass, or after the last one the aligner."""
    _refuse_parameters(shards[0])
    context = click.get_current_context()
    key = shard_key(context, _OUTPUTS)
    before = _before(request.after, key)
    state = state_of(shards[0])
    if shards[0].key != f"{key} pass {state.ended + 1}" or state.ended != _ended(before):
        raise Error(
            "posteriors of another text or of other parameters than their command names",
            expected="the same text, and the same file for --after, as when the jobs ran",
        )
    corpus = read_text(request, texts, screen)
    priors = _priors(request, corpus)
    out = Path(str(request.output))
    with tempfile.TemporaryDirectory(prefix="demotic-") as folder:
        last = state.ended + 1 == state.passes
        path = out if last else Path(folder) / PARAMETERS
        with screen.progress("adding posteriors"):
            state = end_pass(
                corpus, request.options, priors, before, shards, path, threads=request.threads
            )
        if last:
            screen.note(file_text(out, "trained aligner"))
            return
        about = {"params": plain_params(context), "state": asdict(state)}
        parts = {PARAMETERS: path.read_bytes()}
        ShardFile(_VERB, f"{key} after {state.ended}", Shard(1, 1), about, parts).write(out)
    screen.note(file_text(out, f"parameters after pass {state.ended} of {state.passes}"))
    screen.note(f"next: the jobs of pass {state.ended + 1}, with --after {out}")


def _priors(request: AlignRequest, corpus: ParallelCorpus) -> AlignmentPriors:
    if not request.priors:
        return AlignmentPriors()
    return read_priors(request.priors).native(corpus.vocabulary, request.options.max_jump)


def _before(path: Path | None, key: str) -> ShardFile | None:
    """The parameters after the pass before, of a training with the same text and flags."""
    if path is None:
        return None
    one = ShardFile.read(path)
    if PARAMETERS not in one.parts or one.key != f"{key} after {state_of(one).ended}":
        raise Error(
            "not the parameters after a pass of this training",
            path=str(path),
            expected="what demotic reduce made of the files of the same command",
            advice="check the text and the flags",
        )
    return one


def _ended(before: ShardFile | None) -> int:
    return state_of(before).ended if before else 0


def _refuse_parameters(shard: ShardFile) -> None:
    if PARAMETERS in shard.parts:
        raise Error(
            f"the parameters after pass {state_of(shard).ended}, which are merged already",
            expected="the files of all jobs of a pass",
            advice="run those of the next pass with --after and this file",
        )
