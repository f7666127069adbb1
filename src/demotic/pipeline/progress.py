"""How `demotic make` tells where it is: the stages, the share of each that is done, time left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol

__all__ = ["Advance", "Plan", "Progress", "Silent", "inner"]


class Advance(Protocol):
    """Called with the share of the stage that is done, 0 to 1, and what is going on in it."""

    def __call__(self, share: float, remark: str = "") -> None: ...


class Progress(Protocol):
    """Who watches."""

    def plan(self, stages: Sequence[Plan]) -> None:
        """All stages that are to come, in order; called again when more is known."""

    def stage(self, name: str) -> AbstractContextManager[Advance]:
        """One stage, from its beginning to its end."""

    def done(self, text: str) -> None:
        """A line about what the stage came to."""

    def warn(self, text: str) -> None:
        """Something that the user should know."""


@dataclass(frozen=True)
class Plan:
    """A stage and the time that it may take, in seconds on an ordinary core."""

    name: str
    seconds: float


class Silent:
    """Nobody watches."""

    def plan(self, stages: Sequence[Plan]) -> None: ...

    @contextmanager
    def stage(self, name: str) -> Iterator[Advance]:
        yield lambda share, remark="": None

    def done(self, text: str) -> None: ...

    def warn(self, text: str) -> None: ...


def inner(
    advance: Advance, steps: Sequence[tuple[str, float]]
) -> Callable[[str], AbstractContextManager[Callable[..., None]]]:
    """A display of labelled steps, as `build` wants one, inside one stage.

    `steps` has the labels in their order, each with its share of the stage.
    """
    begins: dict[str, tuple[float, float]] = {}
    total = 0.0
    for label, share in steps:
        begins[label] = (total, share)
        total += share

    @contextmanager
    def show(label: str) -> Iterator[Callable[..., None]]:
        begin, share = begins.get(label, (total, 0.0))

        def told(done: int, of: int = 0, remark: str = "") -> None:
            advance(min(1.0, begin + share * (done / of if of else 0.0)), label)

        told(0)
        yield told

    return show
