"""The progress of training as one share of its time, where training is one of many steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from demotic.train.run import TrainReport

if TYPE_CHECKING:
    from demotic.train.options import TrainOptions
    from demotic.train.parts import Progress

__all__ = ["share_report"]

# Labels of a fold with their share of its time.
_FOLD = (
    ("training the aligner (hmm)", 0.15),
    ("aligning (hmm)", 0.02),
    ("training the aligner (diagonal)", 0.06),
    ("aligning (diagonal)", 0.02),
    ("extracting rules", 0.2),
    ("estimating the language model", 0.05),
    ("forced decoding", 0.5),
)
_FOLDS = 0.35  # share of the training time spent on the folds' models and forced decoding


def share_report(options: TrainOptions, advance: Callable[[float, str], None]) -> TrainReport:
    """Calls advance(share, what): the share of the training that is done, and what it does."""

    def show_epoch(epoch: int, done: int, total: int, _: str) -> None:
        share = (epoch - 1 + done / max(1, total)) / options.epochs
        advance(_FOLDS + (1 - _FOLDS) * share, f"epoch {epoch}")

    folds = options.folds if options.held_out == "folds" else 1
    return TrainReport(setup=_folds(advance, folds), advance=show_epoch)


def _folds(advance: Callable[[float, str], None], folds: int) -> Progress:
    """Progress of labels such as `part 2 of 5: aligning` and `part 2 of 5: forced decoding`."""
    begins = {label: sum(share for _, share in _FOLD[:i]) for i, (label, _) in enumerate(_FOLD)}

    def show_progress(what: str, done: int, total: int) -> None:
        part, _, step = what.rpartition(": ")
        if step not in begins:  # the dev set is scored before the folds and after each epoch
            return
        words = part.split()
        number = int(words[1]) if words[1:2] and words[1].isdigit() else 1
        share = begins[step] + dict(_FOLD)[step] * done / max(1, total)
        advance(_FOLDS * min(1.0, (number - 1 + share) / folds), what)

    return show_progress
