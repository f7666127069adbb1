"""The steps of a build that make the language models of words, or take finished ones.

With a held-out text they are mixed into one (`lm/mix.py`); the parts are kept in `work/`, so that
another held-out text repeats only the mixture.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic._core import MAX_LANGUAGE_MODELS
from demotic.counts import counted
from demotic.errors import InputError
from demotic.lines import PathLike, write_text
from demotic.lm.estimate import LmOptions
from demotic.steps import Steps

if TYPE_CHECKING:
    from demotic.lm.model import LanguageModel
    from demotic.lm.text import LineSource
    from demotic.workers import Workers

__all__ = ["LanguageModels", "check_language_models"]


def check_language_models(of_words: int, of_classes: int, *, mixed: bool) -> None:
    """Refuses more of them than a search can have, and a mixture of fewer than two."""
    if mixed and of_words < 2:
        raise InputError(
            f"a mixture of {counted(of_words, 'language model')}",
            expected="at least 2, one per --lm-text and --lm",
            advice="give --lm-text several times, or omit --lm-mix",
        )
    given = (1 if mixed else max(1, of_words)) + of_classes
    if given > MAX_LANGUAGE_MODELS:
        raise InputError(
            f"{given} language models",
            expected=f"at most {MAX_LANGUAGE_MODELS}: one per --lm-text, --lm and --class-lm",
            advice="mix those of words (--lm-mix), or concatenate some of the texts",
        )


@dataclass(frozen=True)
class LanguageModels:
    """One per text, or one of the target side if there are neither texts nor finished models."""

    home: Path
    texts: Sequence[PathLike]
    finished: Sequence[PathLike]  # ARPA or binary
    held_out: PathLike | None  # mixes all models into one, with weights that are tuned on it
    options: LmOptions
    progress: Callable[[str], AbstractContextManager[Callable[..., None]]]
    threads: int = 1
    workers: Workers | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return _names(1 if self.held_out else len(self._made))

    @property
    def of_target_side(self) -> bool:
        return not (self.texts or self.finished)

    @property
    def weights(self) -> list[float]:
        """Of the models in the mixture, in the order of `texts` and `finished`."""
        return json.loads(self._weights.read_text(encoding="utf-8")) if self.held_out else []

    @property
    def story(self) -> str:
        """The mixture in words, for the history of the model."""
        if not self.held_out:
            return ""
        names = [Path(path).name for path in (*self.texts, *self.finished)]
        parts = [f"{one:.3f} {name}" for one, name in zip(self.weights, names, strict=True)]
        return f", language models mixed: {', '.join(parts)}"

    def add(self, steps: Steps, target_side: Callable[[], LineSource], after: str) -> str:
        """Runs the steps; returns the key of the last."""
        options: dict[str, Any] = asdict(self._part_options)
        if self.finished:
            options["finished"] = len(self.finished)
        made = steps.run(
            "language_model",
            lambda: self._make(target_side),
            options=options,
            files=[*self.texts, *self.finished],
            after=[after],
            outputs=self._made,
        )
        if not self.held_out:
            return made
        return steps.run(
            "language_model_mixture",
            self._mix,
            options={"quantize": self.options.quantize},
            files=[self.held_out],
            after=[made],
            outputs=[self.home / self.names[0], self._weights],
        )

    @property
    def _made(self) -> list[Path]:
        """The files of the models, or of the parts of the mixture."""
        folder = self.home / "work" / "mixture" if self.held_out else self.home
        return [folder / name for name in _names(len(self.texts) + len(self.finished))]

    @property
    def _weights(self) -> Path:
        return self.home / "work" / "mixture" / "weights.json"

    @property
    def _part_options(self) -> LmOptions:
        """Codes of 8 bits are for the mixture; its parts are exact."""
        return replace(self.options, quantize="none") if self.held_out else self.options

    def _make(self, target_side: Callable[[], LineSource]) -> None:
        from demotic.lm.disk import estimate_to_file

        texts: list[LineSource] = [[path] for path in self.texts]
        if self.of_target_side:
            texts = [target_side()]
        for path, text in zip(self._made, texts, strict=False):
            number = f" {path.stem[3:]}" if len(self._made) > 1 else ""
            with self.progress(f"estimating the language model{number}") as advance:
                estimate_to_file(
                    text,
                    path,
                    self._part_options,
                    threads=self.threads,
                    workers=self.workers,
                    progress=advance,
                )
        for path, given in zip(self._made[len(texts) :], self.finished, strict=True):
            with self.progress("reading the language model"):
                self._take(given, path)

    def _take(self, path: PathLike, to: Path) -> None:
        from demotic.lm.model import LanguageModel

        _quantized(LanguageModel.load(path), self._part_options).save(to)

    def _mix(self) -> None:
        from demotic.lm.mix import mix_lms, tune_weights
        from demotic.lm.model import LanguageModel

        assert self.held_out is not None
        models = [LanguageModel.load(path) for path in self._made]
        with self.progress("tuning the mixture of language models"):
            weights = tune_weights(models, self.held_out, threads=self.threads)
        with self.progress("mixing the language models"):
            mixed = mix_lms(models, weights)
            _quantized(mixed, self.options).save(self.home / self.names[0])
        with write_text(self._weights) as file:
            json.dump(weights, file)


def _names(count: int) -> tuple[str, ...]:
    return tuple(f"lm-{number}.lm" for number in range(max(1, count)))


def _quantized(model: LanguageModel, options: LmOptions) -> LanguageModel:
    return model if options.quantize == "none" else model.quantized()
