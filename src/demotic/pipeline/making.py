"""The state that every stage of `demotic make` uses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from demotic.pipeline.order import MakeOrder
from demotic.pipeline.progress import Advance, Progress
from demotic.pipeline.work import Work

__all__ = ["Making"]


@dataclass(frozen=True)
class Making:
    """One run: the order, the output directory, and the progress display."""

    order: MakeOrder
    work: Work
    progress: Progress

    @contextmanager
    def stage(self, name: str) -> Iterator[Advance]:
        """Shows the stage and records its time."""
        with self.work.timed(name), self.progress.stage(name) as advance:
            yield advance

    def label(self, stage: str, kind: str) -> str:
        """The label of a stage, with the kind of model if there are two."""
        return f"{stage} ({kind})" if len(self.order.kinds) > 1 else stage

    @property
    def corpus_files(self) -> tuple[Path, Path]:
        """The prepared training text."""
        folder, order = self.work.path("prepared"), self.order
        return (
            folder / f"corpus.{order.source_language}",
            folder / f"corpus.{order.target_language}",
        )

    def text_files(self, name: str, references: int) -> list[Path]:
        """Raw text of the dev or test set: the sentences, and their references."""
        folder = self.work.path("text")
        target = f"{name}.{self.order.target_language}"
        several = [f"{target}.{k}" for k in range(references)] if references > 1 else [target]
        return [folder / one for one in (f"{name}.{self.order.source_language}", *several)]
