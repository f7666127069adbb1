"""The output of `demotic train`: progress within an epoch, one line per epoch, the result."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from demotic.cli.final_output import score_change
from demotic.cli.screen import OneBar
from demotic.cli.tune_view import sparkline
from demotic.counts import counted
from demotic.durations import short_duration
from demotic.options import kind_name
from demotic.train.epochs import best_epoch

if TYPE_CHECKING:
    from demotic.cli.screen import Screen
    from demotic.train.epochs import Epoch
    from demotic.train.options import TrainOptions
    from demotic.train.parts import Part
    from demotic.train.run import Trained, TrainRequest
    from demotic.train.training import TrainResult

__all__ = ["EpochLines", "as_dict", "result_text"]

_HEADER = "  length  violation  updates  correct  invalid    features  seconds  left at most"


_UPDATES = {"hope-fear": "updates from fear to hope", "local": "local updates", "skip": "none"}


class EpochLines:
    """One progress display at a time: dev set, forced decoding, then epoch by epoch."""

    def __init__(self, screen: Screen, options: TrainOptions, bitext: int, metric: str) -> None:
        self._screen, self._options, self._bitext = screen, options, bitext
        self._metric, self._width = metric, max(5, len(metric))
        self._bar = OneBar(screen)
        self._start: Epoch | None = None
        self._seconds: list[float] = []

    def __enter__(self) -> EpochLines:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def setup(self, what: str, done: int, total: int) -> None:
        self._bar.show(what, done, total)

    def start(self, start: Epoch) -> None:
        self._start = start

    def parts(self, parts: list[Part]) -> None:
        self._bar.close()
        pairs = [part.pairs for part in parts]
        numbers = {int(i) for one in pairs for i in one.number[: one.reachable]}
        words = sum(int(one.length[: one.reachable].sum()) for one in pairs)
        others = sum(len(one) - one.reachable for one in pairs)
        unknown = max((part.unknown for part in parts), default=0)
        if unknown:
            self._screen.note(
                f"{unknown:,} of {self._bitext:,} pairs have words that the model does not know "
                "(its text was filtered); the rules and language models of the folds are made "
                "without them"
            )
        self._screen.note(
            f"{len(numbers):,} of {self._bitext:,} pairs "
            f"({100 * len(numbers) / max(1, self._bitext):.1f} %) are reachable, "
            f"{words:,} source words"
            f"{f'; {others:,} others get {_UPDATES[self._options.unreachable]}' * (others > 0)}\n"
            f"epoch  {self._metric:>{self._width}}{_HEADER}"
        )
        if self._start is not None:
            one = self._start
            score = f"{one.score:>{self._width}.2f}"
            self._screen.note(f"    0  {score}  {one.length_ratio:>6.3f}  the given model")

    def advance(self, epoch: int, done: int, total: int, remark: str) -> None:
        self._bar.show(f"epoch {epoch}", done, total, remark)

    def epoch(self, epoch: Epoch) -> None:
        self._bar.close()
        self._seconds.append(epoch.seconds)
        left = (self._options.epochs - epoch.number) * sum(self._seconds) / len(self._seconds)
        self._screen.note(
            f"{epoch.number:>5}  {epoch.score:>{self._width}.2f}  {epoch.length_ratio:>6.3f}"
            f"  {epoch.violation:>9.3g}  {epoch.updates:>7,}  {epoch.correct:>7,}"
            f"  {100 * epoch.invalid_ratio:>5.1f} %"
            f"  {epoch.features:>10,}  {epoch.seconds:>7.1f}  {short_duration(left):>12}"
        )


def result_text(trained: Trained, request: TrainRequest) -> str:
    """The result as text: the curve, and one paragraph."""
    result, model = trained.result, trained.model
    curve = [one.score for one in (*_before(result), *result.epochs)]
    sentences = [
        f"Wrote the {kind_name(model.kind)} model {model.path}, trained by {_method(request)} on "
        f"{trained.pairs:,} of {trained.bitext:,} pairs{_others(trained, request)}.",
        _ran(result, request),
        _verdict(result, request),
        _length(result),
        f"{result.metric}{'' if result.higher_is_better else ' (lower is better)'} "
        f"{result.signature}.",
    ]
    return (
        f"{result.metric} on the dev set by epoch: "
        f"{curve[0]:.2f} {sparkline(curve)} {curve[-1]:.2f}\n{' '.join(filter(None, sentences))}"
    )


def _others(trained: Trained, request: TrainRequest) -> str:
    """Unreachable pairs, which have updates of another kind."""
    if not trained.others:
        return ""
    return (
        f", and by {_UPDATES[request.options.unreachable]} on {trained.others:,} unreachable ones"
    )


def _method(request: TrainRequest) -> str:
    """The update rule: the user's own, or one of ours."""
    return request.rule.name if request.rule else request.options.method


def _before(result: TrainResult) -> tuple[Epoch, ...]:
    return () if result.start is None else (result.start,)


def _ran(result: TrainResult, request: TrainRequest) -> str:
    """How long it ran, and why it stopped."""
    seconds = short_duration(sum(one.seconds for one in result.epochs))
    if result.stop == "flat":
        why = f"the score had not improved for {request.options.patience} epochs"
    else:
        why = f"--epochs is {request.options.epochs}"
    return f"It ran {counted(len(result.epochs), 'epoch')} in {seconds} and stopped because {why}."


def _verdict(result: TrainResult, request: TrainRequest) -> str:
    """Which epoch is kept and why, and what it gained."""
    kept, start, name = result.kept, result.start, result.metric
    if start is None:
        return f"Epoch {kept.number} is kept, with dev {name} {kept.score:.2f}."
    if not result.helped:
        best = best_epoch(result.epochs, higher_is_better=result.higher_is_better)
        return (
            f"Training did not help: dev {name} {start.score:.2f} before, {best.score:.2f} after "
            "the best epoch, so the weights of the given model are kept."
        )
    why = "the last one" if request.options.keep == "last" else "the best on the dev set"
    verdict = (
        f"Epoch {kept.number} is kept, {why}: {score_change(name, start.score, kept.score)}, with "
        f"{kept.features:,} sparse features."
    )
    worse = start.score > kept.score if result.higher_is_better else start.score < kept.score
    if worse:
        verdict += (
            " That is worse than the given model; tune the new one before you judge it, or keep "
            "the better weights with --keep best."
        )
    return verdict


def _length(result: TrainResult) -> str:
    """What length control did to the weights that are kept."""
    control = result.kept.length
    if control is None:
        return ""
    return (
        f"Length control changed the word penalty from {control.penalty_before:.3g} to "
        f"{control.penalty:.3g}, which gives translations of the dev set "
        f"{result.kept.length_ratio:.2f} times the length of the references, instead of "
        f"{control.ratio_before:.2f}."
    )


def as_dict(trained: Trained, request: TrainRequest) -> dict[str, Any]:
    """The result for JSON."""
    result = trained.result
    return {
        "model": str(trained.model.path),
        "method": _method(request),
        "metric": result.metric,
        "higher_is_better": result.higher_is_better,
        "score": result.kept.score,
        "score_before": None if result.start is None else result.start.score,
        "helped": result.helped,
        "epoch": result.kept.number,
        "stop": result.stop or "epochs",
        "signature": result.signature,
        "pairs": trained.pairs,
        "unreachable_pairs": trained.others,
        "bitext": trained.bitext,
        "pairs_with_unknown_words": trained.unknown,
        "epochs": [asdict(one) for one in result.epochs],
        "weights": dict(result.weights),
    }
