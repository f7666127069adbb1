"""Adds sentence pairs to a model with rules on demand, without building it again.

The pairs are aligned by the aligners of the model and indexed in a file of their own; the index of
the model's text is shared with the new model.  Language models and weights stay as they are.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from demotic._core import Alignments, VocabularyBuilder
from demotic.counts import counted
from demotic.errors import InputError, ModelError
from demotic.lines import PathLike
from demotic.model.file import ModelInfo
from demotic.model.model import Model
from demotic.model.recorded import recorded_aligners, recorded_options
from demotic.rules import RuleOptions, index_bitext
from demotic.text.parallel import ParallelCorpus

if TYPE_CHECKING:
    from demotic.text.pairs import Pair

__all__ = ["add_pairs"]


def add_pairs(
    model: Model,
    pairs: Sequence[Pair],
    path: PathLike,
    *,
    links: Sequence[PathLike] = (),
    threads: int = 1,
) -> Model:
    """A new model directory with tokenised pairs added, sharing the large files.

    `links` are files of word links, one per set of links of the model, instead of aligning.
    """
    options = _checked(model, pairs)
    corpus = ParallelCorpus.from_pairs(pairs, vocabulary=_grown(model), threads=threads)
    sets = _links(model, corpus, links, threads)
    parts = model.info.parts
    name = f"added-{len(parts.added) + 1}.bin"

    def write(home: Path, info: ModelInfo) -> ModelInfo:
        index_bitext(
            corpus.source.sentences,
            corpus.target.sentences,
            sets,
            home / name,
            kind=model.info.kind,
            options=options,
            threads=threads,
        )
        corpus.vocabulary.save(os.fspath(home / parts.vocabulary))  # replaces the shared file
        history = (*info.history, f"add {counted(len(pairs), 'sentence pair')}")
        return replace(info, parts=replace(parts, added=(*parts.added, name)), history=history)

    return model.derive(path, write=write)


def _checked(model: Model, pairs: Sequence[Pair]) -> RuleOptions:
    """Refuses models that nothing can be added to, and no pairs at all."""
    options = recorded_options(RuleOptions, model, "rules")
    if not model.rules.on_demand or options is None:
        raise ModelError(
            "a model with a table of rules",
            path=model.path,
            expected="a model with rules on demand, to which pairs can be added",
            advice="build the model with --rules on-demand, or build it again from all text",
        )
    if not pairs:
        raise InputError("no sentence pairs", expected="pairs to add")
    return options


def _grown(model: Model) -> VocabularyBuilder:
    """The words of the model with their numbers, to which others are added."""
    words = VocabularyBuilder()
    for word in model.vocabulary.words()[len(words) :]:
        words.add(word)
    return words


def _links(
    model: Model, corpus: ParallelCorpus, files: Sequence[PathLike], threads: int
) -> list[Alignments]:
    from demotic.align import Aligner, AlignOptions, read_links

    if files:
        return [read_links(file) for file in files]
    names = recorded_aligners(model)
    paths = [model.part(name) for name in model.info.parts.aligners]
    if not paths or len(paths) != len(names):
        raise ModelError(
            "a model without aligners: it was built from given word links",
            path=model.path,
            expected="word links for the added pairs",
            advice="give --links FILE, once per set of links that the model was built from",
        )
    return [
        Aligner.load(path, recorded_options(AlignOptions, model, name)).align(
            corpus, threads=threads
        )
        for name, path in zip(names, paths, strict=True)
    ]
