"""What `demotic train` prints: progress inside an epoch, a line an epoch, the outcome."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from demotic.cli.tune_view import sparkline

if TYPE_CHECKING:
    from demotic.cli.screen import Advance, Screen
    from demotic.train.epochs import Epoch
    from demotic.train.options import TrainOptions
    from demotic.train.parts import Part
    from demotic.train.run import Trained, TrainOrder

__all__ = ["EpochLines", "as_dict", "shown"]

_HEADER = "epoch   BLEU  length  violation  updates  invalid    features  seconds  left at most"


class EpochLines:
    """One progress display at a time: forced search, then epoch after epoch."""

    def __init__(self, screen: Screen, options: TrainOptions, bitext: int) -> None:
        self._screen, self._options, self._bitext = screen, options, bitext
        self._open: AbstractContextManager[Advance] | None = None
        self._advance: Advance | None = None
        self._label = ""
        self._seconds: list[float] = []

    def __enter__(self) -> EpochLines:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def making(self, what: str, done: int, total: int) -> None:
        self._show(what, done, total, "")

    def parts(self, parts: list[Part]) -> None:
        self._close()
        pairs = [part.pairs for part in parts]
        numbers = {int(i) for one in pairs for i in one.number[: one.derived]}
        words = sum(int(one.length[: one.derived].sum()) for one in pairs)
        others = sum(len(one) - one.derived for one in pairs)
        self._screen.note(
            f"{len(numbers):,} of {self._bitext:,} pairs "
            f"({100 * len(numbers) / max(1, self._bitext):.1f} %) can be derived, "
            f"{words:,} source words"
            f"{f'; {others:,} others are learnt from locally' if others else ''}\n{_HEADER}"
        )

    def advance(self, epoch: int, done: int, total: int, remark: str) -> None:
        self._show(f"epoch {epoch}", done, total, remark)

    def epoch(self, epoch: Epoch) -> None:
        self._close()
        self._seconds.append(epoch.seconds)
        left = (self._options.epochs - epoch.number) * sum(self._seconds) / len(self._seconds)
        shown = f"{left:.0f} s" if left < 120 else f"{left / 60:.0f} min"
        self._screen.note(
            f"{epoch.number:>5}  {epoch.bleu:>5.2f}  {epoch.length_ratio:>6.3f}"
            f"  {epoch.violation:>9.3g}  {epoch.updates:>7,}  {100 * epoch.invalid_ratio:>5.1f} %"
            f"  {epoch.features:>10,}  {epoch.seconds:>7.1f}  {shown:>12}"
        )

    def _show(self, label: str, done: int, total: int, remark: str) -> None:
        if label != self._label:
            self._close()
            self._label = label
            self._open = self._screen.progress(label)
            self._advance = self._open.__enter__()
        if self._advance:
            self._advance(done, total, remark)

    def _close(self) -> None:
        if self._open is not None:
            self._open.__exit__(None, None, None)
        self._open, self._advance, self._label = None, None, ""


def shown(trained: Trained) -> str:
    """The outcome, for people."""
    result = trained.result
    curve = [one.bleu for one in result.epochs]
    return "\n".join(
        [
            f"BLEU of the dev set by epoch {curve[0]:.2f} {sparkline(curve)} {curve[-1]:.2f}, "
            f"kept: {result.kept.bleu:.2f} (epoch {result.kept.number}, "
            f"{result.kept.features:,} sparse features)",
            f"BLEU {result.signature}",
            repr(trained.model),
        ]
    )


def as_dict(trained: Trained, order: TrainOrder) -> dict[str, Any]:
    """The outcome, for programs."""
    result = trained.result
    return {
        "model": str(trained.model.path),
        "method": order.options.method,
        "bleu": result.kept.bleu,
        "epoch": result.kept.number,
        "signature": result.signature,
        "pairs": trained.pairs,
        "bitext": trained.bitext,
        "epochs": [asdict(one) for one in result.epochs],
        "weights": dict(result.weights),
    }
