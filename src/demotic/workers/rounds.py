"""The progress of work that is done in several rounds."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["of_round"]


def of_round(
    progress: Callable[..., None] | None, number: int, rounds: int
) -> Callable[..., None] | None:
    """Reports the progress of round `number`, from 0, as a part of that of all rounds."""
    if progress is None:
        return None
    report = progress

    def told(done: int, total: int, *remark: str) -> None:
        report(number * total + done, rounds * total, *remark)

    return told
