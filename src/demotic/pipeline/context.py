"""The state that every stage of `demotic make` uses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from demotic.pipeline.progress import Advance, Progress
from demotic.pipeline.request import MakeRequest
from demotic.pipeline.work import Work

__all__ = ["MakeContext"]


@dataclass(frozen=True)
class MakeContext:
    """One run: the request, the output directory, and the progress display."""

    request: MakeRequest
    work: Work
    progress: Progress

    @contextmanager
    def stage(self, name: str) -> Iterator[Advance]:
        """Shows the stage and records its time."""
        with self.work.timed(name), self.progress.stage(name) as advance:
            yield advance

    def label(self, stage: str, kind: str) -> str:
        """The label of a stage, with the kind of model if there are two."""
        return f"{stage} ({kind})" if len(self.request.kinds) > 1 else stage

    @property
    def corpus_files(self) -> tuple[Path, Path]:
        """The prepared training text."""
        folder, request = self.work.path("prepared"), self.request
        return (
            folder / f"corpus.{request.source_language}",
            folder / f"corpus.{request.target_language}",
        )

    def text_files(self, name: str, references: int) -> list[Path]:
        """Raw text of the dev or test set: the sentences, and their references."""
        folder = self.work.path("text")
        target = f"{name}.{self.request.target_language}"
        several = [f"{target}.{k}" for k in range(references)] if references > 1 else [target]
        return [folder / one for one in (f"{name}.{self.request.source_language}", *several)]
