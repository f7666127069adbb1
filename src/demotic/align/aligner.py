"""Word aligners: learnt from parallel text, saved, applied to more text.

Both directions are trained in parallel; the result depends only on the text and the options, not on
the number of threads, and there is no randomness.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Self

from demotic import _core
from demotic._core import (
    AlignerFile,
    AlignmentPriors,
    Alignments,
    NativeAligner,
    Symmetrization,
    TrainOptions,
    Vocabulary,
    train_aligner,
)
from demotic.align.options import AlignOptions
from demotic.lines import PathLike
from demotic.native_options import to_native
from demotic.text.corpus import Corpus
from demotic.text.parallel import ParallelCorpus
from demotic.verified import Verification, open_verified

if TYPE_CHECKING:
    from demotic.align.priors import Priors
    from demotic.workers import Workers

__all__ = ["Aligner", "ProgressFunction", "align"]

ProgressFunction = Callable[[int, int], None]


def train_options(options: AlignOptions) -> TrainOptions:
    """The native struct of the same options."""
    return to_native(TrainOptions, options, alpha=options.alpha_used, agree=options.agree_used)


class Aligner:
    """`Aligner(options).fit(corpus).align(corpus)`."""

    def __init__(self, options: AlignOptions | None = None) -> None:
        self.options = options or AlignOptions()
        self.cut_ = 0  # sentence pairs of the last `align` that were aligned in pieces
        self._native: NativeAligner | None = None
        self._vocabulary: Vocabulary | None = None

    def fit(
        self,
        corpus: ParallelCorpus,
        *,
        priors: Priors | None = None,
        threads: int = 1,
        progress: Callable[..., None] | None = None,
        workers: Workers | None = None,
    ) -> Self:
        """Learns from the pairs of `corpus`; pairs with an empty side are ignored.

        `workers` change nothing but the time.
        """
        known = AlignmentPriors()
        if priors is not None:
            known = priors.native(corpus.vocabulary, self.options.max_jump)
        self._vocabulary = corpus.vocabulary
        if workers is not None:
            from demotic.align.shared_training import train_shared

            self._native = train_shared(
                corpus, self.options, known, workers, threads=threads, progress=progress
            )
            return self
        self._native = train_aligner(
            corpus.source.sentences,
            corpus.target.sentences,
            train_options(self.options),
            known,
            threads,
            progress,
        )
        return self

    def align(
        self,
        corpus: ParallelCorpus,
        *,
        threads: int = 1,
        progress: Callable[..., None] | None = None,
        workers: Workers | None = None,
    ) -> Alignments:
        """The links of each pair of the training text or of another text."""
        source, target = (self._in_own_words(side) for side in (corpus.source, corpus.target))
        if workers is not None:
            from demotic.align.shared_training import align_shared

            file = AlignerFile(self.native_, self.vocabulary_)
            sides = source.sentences, target.sentences
            alignments, self.cut_ = align_shared(
                file, sides, self.options, workers, progress=progress
            )
            return alignments
        alignments, self.cut_ = self.native_.align(
            source.sentences,
            target.sentences,
            Symmetrization[self.options.symmetrize],
            self.options.posterior,
            threads,
            progress,
        )
        return alignments

    def save(self, path: PathLike) -> None:
        """Writes the parameters and the vocabulary to one file."""
        AlignerFile(self.native_, self.vocabulary_).save(os.fspath(path))

    @classmethod
    def load(
        cls,
        path: PathLike,
        options: AlignOptions | None = None,
        *,
        verification: Verification = "auto",
    ) -> Self:
        """Opens a saved aligner; `options` determine how links are extracted."""
        file = open_verified(AlignerFile.open, path, verification)
        self = cls(options)
        self._native = file.aligner
        self._vocabulary = file.vocabulary
        return self

    def adopt(self, other: Aligner) -> Self:
        """Takes the parameters of another aligner, to extract links with other options."""
        self._native, self._vocabulary = other.native_, other.vocabulary_
        return self

    def digest(self) -> str:
        """A hash of all parameters and of the vocabulary."""
        native = self.native_
        parts = (native.row_offsets, native.row_targets, native.probabilities)
        digest = hashlib.blake2b(digest_size=16)
        for array in (*parts, native.forward_null, native.backward_null):
            digest.update(array.data)
        scalars = (native.model.name, native.null_probability, native.tension, native.max_length)
        jumps = (native.jumps(False), native.jumps(True))
        digest.update(repr((scalars, jumps)).encode())
        digest.update("\0".join(self.vocabulary_.words()).encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    @property
    def native_(self) -> NativeAligner:
        """The trained parameters."""
        if self._native is None:
            raise ValueError("this aligner is not trained; call fit or load first")
        return self._native

    @property
    def vocabulary_(self) -> Vocabulary:
        """The vocabulary of both sides."""
        if self._vocabulary is None:
            raise ValueError("this aligner is not trained; call fit or load first")
        return self._vocabulary

    @property
    def log_likelihoods_(self) -> list[tuple[float, float]]:
        """The log likelihood of the text before each iteration, forward and backward."""
        return self.native_.log_likelihoods

    def __repr__(self) -> str:
        state = f"{self._native.pairs} word pairs" if self._native else "not trained"
        return f"Aligner({self.options.model}, {state})"

    def _in_own_words(self, corpus: Corpus) -> Corpus:
        """The same text encoded with this aligner's vocabulary."""
        if corpus.vocabulary is self.vocabulary_:
            return corpus
        ids = self.vocabulary_.map(corpus.vocabulary)
        sentences = _core.Corpus(corpus.sentences.offsets, ids[corpus.sentences.words])
        return Corpus(sentences, self.vocabulary_)


def align(
    corpus: ParallelCorpus,
    options: AlignOptions | None = None,
    *,
    threads: int = 1,
    progress: ProgressFunction | None = None,
) -> Alignments:
    """Trains an aligner on a text and aligns the text with it."""
    aligner = Aligner(options).fit(corpus, threads=threads, progress=progress)
    return aligner.align(corpus, threads=threads)
