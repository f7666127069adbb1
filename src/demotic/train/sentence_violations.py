"""The violations of one pair under the weights of a model, exactly as training sees them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from demotic import _core
from demotic.errors import InputError
from demotic.force.options import ForceOptions
from demotic.search.kinds import native_model
from demotic.train.options import TrainOptions
from demotic.train.trainers import native_options

if TYPE_CHECKING:
    from demotic.model import Model
    from demotic.search.options import SearchOptions

__all__ = ["BinViolation", "SentenceViolations", "ViolationFinder"]

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class BinViolation:
    """The best gold (d+) and the best other derivation (d-) of a bin, -inf where there is none."""

    gold: float
    bad: float
    holds_gold: bool  # something gold is in the beam


@dataclass(frozen=True)
class SentenceViolations:
    """All bins, and the one that max-violation learns from."""

    bins: tuple[BinViolation, ...]
    chosen: int  # -1: none
    violation: float
    correct: bool  # the 1-best is the reference


class ViolationFinder:
    """Finds violations of pairs; not thread-safe."""

    def __init__(self, model: Model, search: SearchOptions) -> None:
        self._model, self._search = model, search
        table = None
        sparse = _core.Sparse()
        if model.sparse is not None:
            table = _core.SparseTable(model.sparse.features.layout)
            table.add(*model.sparse.weights.arrays(), 0)
            sparse = _core.Sparse(model.sparse.features, table)
        self._native: Any = native_model(model, sparse)
        rates = [0.0] * len(model.weights)
        options = native_options(TrainOptions(unreachable="skip"), rates, 0.0, 1)
        limits: Any = search.phrase() if model.kind == "phrase" else search.hiero()
        trainer: Any = _core.PhraseTrainer if model.kind == "phrase" else _core.HieroTrainer
        self._trainer = trainer(self._native, table, limits, options, model.weights.array)

    def find(
        self, source: str, reference: str, progress: Progress | None = None
    ) -> SentenceViolations | None:
        """Of tokenised text; None if the reference is not reachable."""
        sentences = _core.SourceSentences(self._native, [source], [reference])
        gold = self._gold(sentences, progress)
        if gold is None:
            return None
        seen: dict[str, Any] = self._trainer.inspect(sentences, gold, 0, progress)
        return SentenceViolations(
            tuple(BinViolation(*one) for one in seen["bins"]),
            seen["bin"],
            seen["violation"],
            seen["correct"],
        )

    def _gold(
        self, sentences: _core.SourceSentences, progress: Progress | None
    ) -> _core.GoldForests | None:
        search = self._search
        limits = replace(
            ForceOptions(),
            distortion_limit=search.distortion_limit,
            gap_test=search.gap_test,
            span_limit=search.span_limit,
            find_cause=False,
        )
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "gold.bin")
                _core.force_corpus(self._native, limits.native(), sentences, path, 1, progress)
                gold = _core.GoldForests.open(path, True)
        except FileNotFoundError:
            raise InputError(
                "no directory for temporary files", expected="one that can be written to"
            ) from None
        return gold if len(gold) else None
