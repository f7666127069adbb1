"""What `demotic make` found out: a plain value that the terminal, the report and JSON are made of.

It is saved as `make.json` in the model directory, so that the report can be written again.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic.lines import PathLike, write_text

if TYPE_CHECKING:
    from demotic.model import Model

__all__ = ["RESULT_NAME", "Example", "Made", "Score", "StageResult"]

RESULT_NAME = "make.json"


@dataclass(frozen=True)
class Score:
    """A test-set score with its confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class StageResult:
    """A model on the way from the built one to the final one, and how it does on the test set."""

    name: str
    """`built`, `tuned`, `trained` or `tuned again`."""
    kind: str
    """`phrase` or `hiero`."""
    model: str
    """Its directory, relative to the final model's."""
    seconds: float
    """How long it took to make."""
    dev: float
    """BLEU of the dev set as the tuner scores it (tokenised), by which stages are chosen."""
    scores: dict[str, Score]
    """Test scores by metric (`bleu`, `chrf`, `ter`): cased, detokenised."""
    compared_with: str = ""
    """The stage that this one is compared with; empty for the first of its kind."""
    p_value: float | None = None
    """Of the difference in BLEU from that stage, by paired bootstrap resampling."""
    curve: tuple[float, ...] = ()
    """BLEU of the dev set before and after each round or epoch."""
    kept: int = 0
    """The place in the curve of the weights that were kept."""
    remark: str = ""
    """One clause for people, such as "MIRA, 7 rounds"."""


@dataclass(frozen=True)
class Example:
    """A test sentence with its translations before (built) and after (final)."""

    source: str
    references: tuple[str, ...]
    before: str
    after: str
    score_before: float
    """Sentence-level chrF, 0 to 100."""
    score_after: float


@dataclass(frozen=True, kw_only=True)
class Made:
    """The final model and everything that is worth saying about how it was made."""

    path: Path
    source_language: str
    target_language: str
    kind: str
    final: int
    """The place in `stages` of the model that was kept, chosen by dev BLEU."""
    stages: tuple[StageResult, ...]
    signatures: dict[str, str]
    """How each test metric was computed, by metric."""
    sentences: dict[str, int]
    """Pairs by part: `read`, `train`, `dev`, `test`; `references` per test sentence."""
    dropped: dict[str, int] = field(default_factory=dict)
    """Training pairs left out, by reason."""
    findings: tuple[str, ...] = ()
    """What the corpus check found, one line each."""
    sizes: dict[str, int] = field(default_factory=dict)
    """`rules`, `words`, `ngrams`, `features`, `bytes` of the final model."""
    speed: float = 0.0
    """Source words translated per second on the test set."""
    times: tuple[tuple[str, float], ...] = ()
    """Seconds by stage of the work, in order; stages done by an earlier run have their old time."""
    good: tuple[Example, ...] = ()
    """The test sentences whose final translations are best, of some length."""
    bad: tuple[Example, ...] = ()
    """The worst ones."""
    settings: dict[str, str] = field(default_factory=dict)
    """Options that decided the result, by name."""

    @property
    def best(self) -> StageResult:
        """The stage that was kept."""
        return self.stages[self.final]

    @cached_property
    def model(self) -> Model:
        """The final model, opened."""
        from demotic.model import Model

        return Model.load(self.path)

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "path": str(self.path)}

    def save(self) -> None:
        with write_text(self.path / RESULT_NAME) as file:
            json.dump({**self.as_dict(), "path": "."}, file, ensure_ascii=False, indent=1)

    @classmethod
    def load(cls, directory: PathLike) -> Made:
        stored = json.loads((Path(directory) / RESULT_NAME).read_text(encoding="utf-8"))
        stages = [
            StageResult(**{
                **one,
                "scores": {name: Score(**score) for name, score in one["scores"].items()},
                "curve": tuple(one["curve"]),
            })
            for one in stored["stages"]
        ]  # fmt: skip
        examples = {
            part: tuple(
                Example(**{**one, "references": tuple(one["references"])}) for one in stored[part]
            )
            for part in ("good", "bad")
        }
        return cls(**{
            **stored,
            **examples,
            "path": Path(directory),
            "stages": tuple(stages),
            "findings": tuple(stored["findings"]),
            "times": tuple((name, seconds) for name, seconds in stored["times"]),
        })  # fmt: skip
