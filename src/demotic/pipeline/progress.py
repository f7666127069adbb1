"""Progress of `demotic make`: its stages, the share done of each, and the time left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol

__all__ = ["Advance", "Plan", "Progress", "Silent", "substage_progress"]


class Advance(Protocol):
    """Called with the share of the stage that is done, 0 to 1, and the current activity."""

    def __call__(self, share: float, remark: str = "") -> None: ...


class Progress(Protocol):
    """A display of progress."""

    def plan(self, stages: Sequence[Plan]) -> None:
        """All stages in order; called again when more is known."""

    def stage(self, name: str) -> AbstractContextManager[Advance]:
        """One stage, from its beginning to its end."""

    def done(self, text: str) -> None:
        """The result of the stage, one line."""

    def warn(self, text: str) -> None:
        """A warning to the user."""


@dataclass(frozen=True)
class Plan:
    """A stage and its expected duration, in seconds on an ordinary core."""

    name: str
    seconds: float


class Silent:
    """Shows nothing."""

    def plan(self, stages: Sequence[Plan]) -> None: ...

    @contextmanager
    def stage(self, name: str) -> Iterator[Advance]:
        yield lambda share, remark="": None

    def done(self, text: str) -> None: ...

    def warn(self, text: str) -> None: ...


def substage_progress(
    advance: Advance, steps: Sequence[tuple[str, float]]
) -> Callable[[str], AbstractContextManager[Callable[..., None]]]:
    """Labelled steps, as `build` reports them, inside one stage.

    `steps` lists the labels in order, each with its share of the stage.
    """
    begins: dict[str, tuple[float, float]] = {}
    total = 0.0
    for label, share in steps:
        begins[label] = (total, share)
        total += share

    @contextmanager
    def show(label: str) -> Iterator[Callable[..., None]]:
        begin, share = begins.get(label, (total, 0.0))

        def show_progress(done: int, of: int = 0, remark: str = "") -> None:
            advance(min(1.0, begin + share * (done / of if of else 0.0)), label)

        show_progress(0)
        yield show_progress

    return show
