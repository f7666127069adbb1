"""The steps of a build that make further models: of word classes, and of operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic.lines import PathLike
from demotic.model.class_lm import ClassLmOptions, estimate_class_lm
from demotic.model.operations import OperationOptions, estimate_operations
from demotic.steps import Steps

if TYPE_CHECKING:
    from demotic.lm.text import TextSource
    from demotic.text.parallel import ParallelCorpus

__all__ = ["FurtherModels"]

_OPERATIONS = "operations.lm"


@dataclass(frozen=True)
class FurtherModels:
    """What was asked for, and where it goes."""

    home: Path
    class_lms: Sequence[ClassLmOptions]
    operations: OperationOptions
    progress: Callable[[str], AbstractContextManager[Callable[..., None]]]

    @property
    def parts(self) -> dict[str, Any]:
        """The files, as fields of `Parts`."""
        return {
            "class_language_models": tuple(map(self._file, range(len(self.class_lms)))),
            "operations": _OPERATIONS if self.operations.order else None,
        }

    @property
    def record(self) -> dict[str, str | int]:
        """The options, for `model.toml`."""
        named: dict[str, str | int] = {
            "class_lms": " ".join(map(str, self.class_lms)),
            "operation_order": self.operations.order,
            "operation_classes": self.operations.classes,
        }
        return {name: value for name, value in named.items() if value}

    def add_class_lms(
        self, steps: Steps, text: Callable[[], TextSource], files: Sequence[PathLike], after: str
    ) -> list[str]:
        """Returns the keys of the steps."""

        def estimate(options: ClassLmOptions, file: Path) -> None:
            label = f"estimating the language model of {options.classes} classes"
            with self.progress(label) as advance:
                estimate_class_lm(text(), options, progress=advance).save(file)

        return [
            steps.run(
                f"class_language_model_{index + 1}",
                partial(estimate, options, self.home / self._file(index)),
                options=asdict(options),
                files=files,
                after=[after],
                outputs=[self.home / self._file(index)],
            )
            for index, options in enumerate(self.class_lms)
        ]

    def add_operations(
        self, steps: Steps, corpus: Callable[[], ParallelCorpus], links: Path, after: str
    ) -> list[str]:
        """Returns the key of the step, if there is one."""

        def estimate() -> None:
            from demotic.align import read_links

            with self.progress("estimating the operation sequence model") as advance:
                model = estimate_operations(
                    corpus(), read_links(links), self.operations, progress=advance
                )
                model.save(self.home / _OPERATIONS)

        if not self.operations.order:
            return []
        options = asdict(self.operations)
        outputs = [self.home / _OPERATIONS]
        return [steps.run("operations", estimate, options=options, after=[after], outputs=outputs)]

    def _file(self, index: int) -> str:
        return f"class-lm-{index}.lm"
