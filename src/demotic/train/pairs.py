"""The pairs that a model is trained on: those whose references it can derive, with their forests."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from demotic import _core
from demotic.errors import Error, FormatError
from demotic.learn.journal import key_of
from demotic.lines import PathLike, display_name, read_lines
from demotic.metrics.references import unequal
from demotic.steps import Steps
from demotic.verified import opened, policy

if TYPE_CHECKING:
    from demotic.model import Model
    from demotic.search.options import SearchOptions
    from demotic.search.text import RawText
    from demotic.train.options import TrainOptions

__all__ = ["Bitext", "TrainingPairs"]

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Bitext:
    """Tokenised pairs, line by line as the model was built from them."""

    source: Sequence[str]
    target: Sequence[str]

    @classmethod
    def read(cls, source: PathLike, target: PathLike, text: RawText) -> Bitext:
        """From files, prepared as `text` does it. Raises FormatError if lines are missing."""
        lines, others = read_lines(source).tolist(), read_lines(target).tolist()
        if len(lines) != len(others):
            raise unequal(display_name(target), len(others), display_name(source), len(lines))
        if not lines:
            raise FormatError("no lines", path=display_name(source), expected="pairs to train on")
        return cls(list(map(text.prepared, lines)), list(map(text.prepared_reference, others)))

    def __len__(self) -> int:
        return len(self.source)

    @property
    def digest(self) -> str:
        digest = hashlib.sha256()
        for line in (*self.source, *self.target):
            digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
        return digest.hexdigest()


@dataclass(frozen=True)
class TrainingPairs:
    """Forest i belongs to pair `number[i]`, of which it derives the first `length[i]` words."""

    bitext: Bitext
    gold: _core.GoldForests
    number: np.ndarray[Any, np.dtype[np.int64]]
    length: np.ndarray[Any, np.dtype[np.int32]]
    leave_one_out: bool
    digest: str

    def __len__(self) -> int:
        return len(self.number)

    @property
    def words(self) -> int:
        return int(self.length.sum())

    def sentences(self, model: _core.PhraseModel | _core.HieroModel) -> _core.SourceSentences:
        """As the core trains on them."""
        numbers = self.number.tolist()
        return _core.SourceSentences(
            model,
            [self.bitext.source[i] for i in numbers],
            [self.bitext.target[i] for i in numbers],
            self.length.tolist(),
            numbers if self.leave_one_out else [],
        )

    @classmethod
    def find(
        cls,
        model: Model,
        bitext: Bitext,
        options: TrainOptions,
        search: SearchOptions,
        folder: Path,
        *,
        threads: int = 1,
        progress: Progress | None = None,
    ) -> TrainingPairs:
        """Forced search of the bitext, unless `folder` has its result already."""
        _check_origin(model, bitext, options)
        settings = {
            "search": [search.distortion_limit, search.gap_test, search.span_limit],
            "prefixes": options.prefixes,
            "leave_one_out": options.leave_one_out,
            "max_words": options.max_words,
            "rules": model.info.files[model.info.parts.rules].digest,
            "model": model.settings.get("goal", ""),
            "bitext": bitext.digest,
        }
        path = folder / "gold.bin"

        def work() -> None:
            folder.mkdir(parents=True, exist_ok=True)
            _force(model, bitext, options, search, path, threads, progress)

        Steps(folder).run("gold", work, outputs=[path], options=settings)
        gold = opened(_core.GoldForests.open, path, policy(True))
        if len(gold) == 0:
            raise Error(
                "no pair whose reference the model can derive",
                expected="the bitext that the model was built from",
                advice="see what demotic force says, or try --prefixes or --no-leave-one-out",
            )
        heads = [(one.pair, one.source_length) for one in map(gold.forest, range(len(gold)))]
        number, length = np.array(heads).T
        left_out = options.leave_one_out
        return cls(
            bitext, gold, number.astype(np.int64), length.astype(np.int32), left_out, key_of(settings)
        )


def _force(
    model: Model,
    bitext: Bitext,
    options: TrainOptions,
    search: SearchOptions,
    path: Path,
    threads: int,
    progress: Progress | None,
) -> None:
    def short(i: int) -> bool:
        sides = (bitext.source[i], bitext.target[i])
        return all(0 < len(side.split()) <= options.max_words for side in sides)

    # Pairs that are left out keep their numbers: an empty sentence derives nothing.
    kept = [i for i in range(len(bitext)) if short(i)]
    source, target = [""] * len(bitext), [""] * len(bitext)
    for i in kept:
        source[i], target[i] = bitext.source[i], bitext.target[i]
    numbers = list(range(len(bitext))) if options.leave_one_out else []
    sentences = _core.SourceSentences(model.native, source, target, [], numbers)
    forced = _force_options(options, search)
    native = model.native
    if isinstance(native, _core.HieroModel):
        _core.force_hiero(native, forced, sentences, str(path), threads, progress)
    else:
        _core.force_phrases(native, forced, sentences, str(path), threads, progress)


def _force_options(options: TrainOptions, search: SearchOptions) -> _core.ForceOptions:
    forced = _core.ForceOptions()
    forced.distortion_limit = search.distortion_limit
    forced.gap_test = search.gap_test
    forced.span_limit = search.span_limit
    forced.beginnings = _core.Beginnings.longest if options.prefixes else _core.Beginnings.none
    forced.find_cause = False
    return forced


def _check_origin(model: Model, bitext: Bitext, options: TrainOptions) -> None:
    """Leave-one-out needs the very lines that the rules were extracted from."""
    last = _last_pair(model)
    if options.leave_one_out and last >= len(bitext):
        raise Error(
            f"{len(bitext):,} pairs, but the model has rules from pair {last + 1:,}",
            expected="the bitext that the model was built from, line by line",
            advice="give that text, or --no-leave-one-out",
        )


def _last_pair(model: Model) -> int:
    return model.rules.store.last_sentence()
