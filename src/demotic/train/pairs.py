"""The training pairs: those with reachable references, with all their derivations."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.errors import FormatError
from demotic.force.options import ForceOptions
from demotic.learn.journal import key_of
from demotic.lines import PathLike, display_name, split_words
from demotic.metrics.references import unequal
from demotic.search.parsed import read_parsed
from demotic.search.sentence import described, native_annotations
from demotic.search.tagged import read_tagged
from demotic.steps import Steps
from demotic.train.forced import Forcing, PairTexts
from demotic.verified import open_verified, policy

if TYPE_CHECKING:
    from demotic.search.options import SearchOptions
    from demotic.search.text import RawText
    from demotic.train.options import TrainOptions

__all__ = ["GOLD", "Bitext", "NativeModel", "TrainingPairs"]

Progress = Callable[[int, int], None]
NativeModel = _core.PhraseModel | _core.HieroModel
GOLD = "gold.bin"
_RUN = 100  # consecutive lines that stay in one fold


@dataclass(frozen=True)
class Bitext:
    """Tokenised pairs in the order of the lines that the model was built from."""

    source: Sequence[str]
    target: Sequence[str]
    copies: int = field(default=1, kw_only=True)
    """This many consecutive pairs are one line with several references."""

    @classmethod
    def read(
        cls,
        source: PathLike,
        targets: Sequence[PathLike],
        text: RawText,
        tags: PathLike | None = None,
        trees: PathLike | None = None,
    ) -> Bitext:
        """From files, prepared by `text`; a sentence is used once per target file.

        `tags`: those of the source tokens, one line per sentence; `trees`: those of the source
        sentences.  Raises FormatError if lines are missing.
        """
        lines = text.read_source(source)
        others = [text.read_references(target) for target in targets]
        for target, side in zip(targets, others, strict=True):
            if len(lines) != len(side):
                raise unequal(display_name(target), len(side), display_name(source), len(lines))
        if not lines:
            raise FormatError("no lines", path=display_name(source), expected="pairs to train on")
        if tags is not None:
            lines = read_tagged(tags, lines)
        if trees is not None:
            lines = read_parsed(trees, lines)
        return cls(
            [line for line in lines for _ in targets],
            [one for same in zip(*others, strict=True) for one in same],
            copies=len(targets),
        )

    def __len__(self) -> int:
        return len(self.source)

    def usable(self, words: int) -> NDArray[np.int64]:
        """Indices of the pairs with 1 to this many words on both sides."""
        lengths = np.array(
            [
                (len(split_words(s)), len(split_words(t)))
                for s, t in zip(self.source, self.target, strict=True)
            ]
        ).reshape(-1, 2)
        good = (lengths.min(axis=1) > 0) & (lengths.max(axis=1) <= words)
        return np.flatnonzero(good).astype(np.int64)

    def folds(self, chosen: NDArray[np.int64], count: int) -> list[NDArray[np.int64]]:
        """The chosen pairs in folds; those of one line stay together.

        Runs of lines are dealt to the folds in turn.  A bitext is often a concatenation of several
        sources, and the rules of each fold should come from all of them.  Neighbouring lines, which
        may be near-duplicates, still stay in one fold.
        """
        line = chosen // self.copies
        lines = np.unique(line)
        turns = max(1, len(lines) // (count * _RUN))
        runs = np.array_split(lines, turns * count)
        parts = [np.concatenate(runs[fold::count]) for fold in range(count)]
        return [chosen[np.isin(line, part)] for part in parts]

    @property
    def digest(self) -> str:
        digest = hashlib.sha256(b"%d\n" % self.copies if self.copies > 1 else b"")
        for line in (*map(described, self.source), *self.target):
            digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
        return digest.hexdigest()


@dataclass(frozen=True)
class TrainingPairs:
    """Forest i belongs to pair `number[i]`; its derivations cover the first `length[i]` words.

    Pairs after the last forest are complete but unreachable.
    """

    bitext: Bitext
    gold: _core.GoldForests
    number: NDArray[np.int64]
    length: NDArray[np.int32]
    leave_one_out: bool

    def __len__(self) -> int:
        return len(self.number)

    @property
    def reachable(self) -> int:
        return len(self.gold)

    def sentences(self, model: NativeModel) -> _core.SourceSentences:
        """The sentences in native form."""
        numbers = self.number.tolist()
        lines = [self.bitext.source[i] for i in numbers]
        return _core.SourceSentences(
            model,
            lines,
            [self.bitext.target[i] for i in numbers],
            self.length.tolist(),
            (self.number // self.bitext.copies).tolist() if self.leave_one_out else [],
            **native_annotations(lines),
        )

    @classmethod
    def find(
        cls,
        forcing: Forcing,
        bitext: Bitext,
        chosen: NDArray[np.int64],
        options: TrainOptions,
        search: SearchOptions,
        folder: Path,
        *,
        key: dict[str, Any],
    ) -> TrainingPairs:
        """Forced decoding of the chosen pairs, unless `folder` already has its result.

        `key` identifies what else the result depends on: the rules and the text.
        """
        left_out = options.held_out == "leave-one-out"
        settings = {
            "search": [search.distortion_limit, search.gap_test, search.span_limit],
            "prefixes": options.prefixes,
            "leave_one_out": left_out,
            "max_words": options.max_words,
            "pairs": key_of(chosen.tolist()),
            **key,
        }
        path = folder / GOLD

        def work() -> None:
            folder.mkdir(parents=True, exist_ok=True)
            pairs = PairTexts(
                [bitext.source[i] for i in chosen],
                [bitext.target[i] for i in chosen],
                (chosen // bitext.copies).tolist() if left_out else [],
            )
            forcing.write(pairs, _force_options(options, search), path)

        Steps(folder).run("gold", work, outputs=[path], options=settings)
        gold = open_verified(_core.GoldForests.open, path, policy(True))
        heads = [(one.pair, one.source_length) for one in map(gold.forest, range(len(gold)))]
        found = np.array(heads, np.int64).reshape(-1, 2)
        number, length = chosen[found[:, 0]], found[:, 1]
        if options.unreachable != "skip":
            rest = np.setdiff1d(chosen, number)
            number = np.concatenate([number, rest])
            length = np.concatenate([length, [len(split_words(bitext.source[i])) for i in rest]])
        return cls(bitext, gold, number, length.astype(np.int32), left_out)


def _force_options(options: TrainOptions, search: SearchOptions) -> ForceOptions:
    return ForceOptions(
        distortion_limit=search.distortion_limit,
        gap_test=search.gap_test,
        span_limit=search.span_limit,
        prefixes="longest" if options.prefixes else "none",
        find_cause=False,
    )
