"""The step of a build that makes the language models of words, or takes finished ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic.lines import PathLike
from demotic.lm.estimate import LmOptions
from demotic.steps import Steps

if TYPE_CHECKING:
    from demotic.lm.text import LineSource
    from demotic.workers import Workers

__all__ = ["LanguageModels"]


@dataclass(frozen=True)
class LanguageModels:
    """One per text, or one of the target side if there are neither texts nor finished models."""

    home: Path
    texts: Sequence[PathLike]
    finished: Sequence[PathLike]  # ARPA or binary
    options: LmOptions
    progress: Callable[[str], AbstractContextManager[Callable[..., None]]]
    threads: int = 1
    workers: Workers | None = None

    @property
    def count(self) -> int:
        return max(1, len(self.texts) + len(self.finished))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"lm-{number}.lm" for number in range(self.count))

    @property
    def of_target_side(self) -> bool:
        return not (self.texts or self.finished)

    def add(self, steps: Steps, target_side: Callable[[], LineSource], after: str) -> str:
        """Runs the step; returns its key."""
        options: dict[str, Any] = asdict(self.options)
        if self.finished:
            options["finished"] = len(self.finished)
        return steps.run(
            "language_model",
            lambda: self._make(target_side),
            options=options,
            files=[*self.texts, *self.finished],
            after=[after],
            outputs=[self.home / name for name in self.names],
        )

    def _make(self, target_side: Callable[[], LineSource]) -> None:
        from demotic.lm.disk import estimate_to_file

        texts: list[LineSource] = [[path] for path in self.texts]
        if self.of_target_side:
            texts = [target_side()]
        for name, text in zip(self.names, texts, strict=False):
            number = f" {name[3:-3]}" if self.count > 1 else ""
            with self.progress(f"estimating the language model{number}") as advance:
                estimate_to_file(
                    text,
                    self.home / name,
                    self.options,
                    threads=self.threads,
                    workers=self.workers,
                    progress=advance,
                )
        for name, path in zip(self.names[len(texts) :], self.finished, strict=True):
            with self.progress("reading the language model"):
                self._take(path, self.home / name)

    def _take(self, path: PathLike, to: Path) -> None:
        from demotic.lm.model import LanguageModel

        model = LanguageModel.load(path)
        (model if self.options.quantize == "none" else model.quantized()).save(to)
