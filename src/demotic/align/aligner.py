"""Word aligners: learnt from parallel text, saved, applied to more of it.

Both directions are trained side by side; the result depends on the text and the options alone,
not on the number of threads, and there is no randomness.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Self

from demotic._core import (
    AlignerFile,
    AlignmentModel,
    Alignments,
    NativeAligner,
    Symmetrization,
    TrainOptions,
    Vocabulary,
    decode,
    encode,
    train_aligner,
)
from demotic.align.bitext import Bitext
from demotic.align.options import AlignOptions
from demotic.lines import PathLike
from demotic.options import declared

__all__ = ["Aligner", "ProgressFunction", "align"]

ProgressFunction = Callable[[int, int], None]

_DECODING = {"symmetrize", "posterior"}  # options that training does not need
_MODELS = {"model", "initial_model"}


def train_options(options: AlignOptions) -> TrainOptions:
    """The native struct of the same options."""
    native = TrainOptions()
    for known in declared(AlignOptions):
        value = getattr(options, known.name)
        if known.name in _MODELS:
            value = AlignmentModel[value]
        if known.name not in _DECODING and value is not None:
            setattr(native, known.name, value)
    native.alpha, native.agree = options.alpha_used, options.agree_used
    return native


class Aligner:
    """`Aligner(options).fit(bitext).align(bitext)`."""

    def __init__(self, options: AlignOptions | None = None) -> None:
        self.options = options or AlignOptions()
        self.cut_ = 0  # sentence pairs of the last `align` that were aligned in pieces
        self._native: NativeAligner | None = None
        self._vocabularies: tuple[Vocabulary, Vocabulary] | None = None

    def fit(
        self, bitext: Bitext, *, threads: int = 1, progress: ProgressFunction | None = None
    ) -> Self:
        """Learns from the pairs of `bitext`; those with an empty side are passed over."""
        self._native = train_aligner(
            bitext.source, bitext.target, train_options(self.options), threads, progress
        )
        self._vocabularies = bitext.source_vocabulary, bitext.target_vocabulary
        return self

    def align(
        self, bitext: Bitext, *, threads: int = 1, progress: ProgressFunction | None = None
    ) -> Alignments:
        """The links of each pair, of the text learnt from or of another."""
        own = self._in_own_words(bitext, threads)
        alignments, self.cut_ = self.native_.align(
            own.source,
            own.target,
            Symmetrization[self.options.symmetrize],
            self.options.posterior,
            threads,
            progress,
        )
        return alignments

    def save(self, path: PathLike) -> None:
        """One file that holds the tables and the words."""
        AlignerFile(self.native_, *self.vocabularies_).save(os.fspath(path))

    @classmethod
    def load(
        cls, path: PathLike, options: AlignOptions | None = None, *, verify: bool = True
    ) -> Self:
        """A saved aligner; `options` say how links are read off."""
        file = AlignerFile.open(os.fspath(path), verify)
        self = cls(options)
        self._native = file.aligner
        self._vocabularies = file.source, file.target
        return self

    @property
    def native_(self) -> NativeAligner:
        """The trained parameters."""
        if self._native is None:
            raise ValueError("this aligner has not learnt anything yet; call fit or load")
        return self._native

    @property
    def vocabularies_(self) -> tuple[Vocabulary, Vocabulary]:
        """The words of the source and of the target side."""
        if self._vocabularies is None:
            raise ValueError("this aligner has not learnt anything yet; call fit or load")
        return self._vocabularies

    @property
    def log_likelihoods_(self) -> list[tuple[float, float]]:
        """Of the text before each pass, forward and backward."""
        return self.native_.log_likelihoods

    def __repr__(self) -> str:
        state = f"{self._native.pairs} word pairs" if self._native else "not trained"
        return f"Aligner({self.options.model}, {state})"

    def _in_own_words(self, bitext: Bitext, threads: int) -> Bitext:
        """The same text in the numbers of this aligner's vocabularies."""
        source, target = self.vocabularies_
        if bitext.source_vocabulary is source and bitext.target_vocabulary is target:
            return bitext
        return Bitext(
            encode(source, decode(bitext.source_vocabulary, bitext.source), threads),
            encode(target, decode(bitext.target_vocabulary, bitext.target), threads),
            source,
            target,
        )


def align(
    bitext: Bitext,
    options: AlignOptions | None = None,
    *,
    threads: int = 1,
    progress: ProgressFunction | None = None,
) -> Alignments:
    """Learns from a text and aligns it."""
    aligner = Aligner(options).fit(bitext, threads=threads, progress=progress)
    return aligner.align(bitext, threads=threads)
