"""The result of `demotic make` as a plain value, shown on the terminal, as report and as JSON.

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

__all__ = ["RESULT_NAME", "Example", "MakeResult", "Score", "StageResult"]

RESULT_NAME = "make.json"


@dataclass(frozen=True)
class Score:
    """A test-set score with its confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class StageResult:
    """A model between the built one and the final one, and its scores on the test set."""

    name: str
    """`built`, `tuned`, `trained`, `tuned again` or `combined`."""
    kind: str
    """`phrase` or `hiero`."""
    model: str
    """Its directory, relative to the final model's."""
    seconds: float
    """Seconds it took to make."""
    dev: float
    """BLEU on the dev set as the tuner scores it (tokenised); selects the final stage."""
    scores: dict[str, Score]
    """Test scores by metric (`bleu`, `chrf`, `ter`): cased, detokenised."""
    compared_with: str = ""
    """The stage that this one is compared with; empty for the first of its kind."""
    p_value: float | None = None
    """p-value of the BLEU difference from that stage, by paired bootstrap resampling."""
    curve: tuple[float, ...] = ()
    """BLEU on the dev set before and after each round or epoch."""
    kept: int = 0
    """The index in the curve of the weights that were kept."""
    remark: str = ""
    """A short description, such as "MIRA, 7 rounds"."""
    invalid: tuple[float, ...] = ()
    """Share of invalid updates by epoch of training, in per cent."""
    reachable: int = 0
    """Training pairs whose reference can be derived; 0 if there was no training."""
    story: bool = False
    """Shown for comparison; never the final model."""
    title: str = ""
    """Shown instead of the name, if it is not empty."""

    @property
    def label(self) -> str:
        return self.title or self.name


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
class MakeResult:
    """The final model and how it was made."""

    path: Path
    source_language: str
    target_language: str
    kind: str
    final: int
    """The index in `stages` of the final model, chosen by dev BLEU."""
    stages: tuple[StageResult, ...]
    signatures: dict[str, str]
    """How each test metric was computed, by metric."""
    sentences: dict[str, int]
    """Pairs by part: `read`, `train`, `dev`, `test`; `references` per test sentence."""
    dropped: dict[str, int] = field(default_factory=dict)
    """Training pairs left out, by reason."""
    findings: tuple[str, ...] = ()
    """Findings of the corpus check, one line each."""
    sizes: dict[str, int] = field(default_factory=dict)
    """`rules`, `words`, `ngrams`, `features`, `bytes` of the final model."""
    speed: float = 0.0
    """Source words translated per second on the test set."""
    times: tuple[tuple[str, float], ...] = ()
    """Seconds by stage, in order; stages done by an earlier run have their old time."""
    good: tuple[Example, ...] = ()
    """Test sentences of ordinary length with the best final translations."""
    bad: tuple[Example, ...] = ()
    """Test sentences with the worst final translations."""
    settings: dict[str, str] = field(default_factory=dict)
    """Options that determined the result, by name."""
    versions: dict[str, str] = field(default_factory=dict)
    """Versions of the programs that made it, by name."""

    @property
    def best(self) -> StageResult:
        """The stage that was kept."""
        return self.stages[self.final]

    @cached_property
    def model(self) -> Model:
        """Opens the final model."""
        from demotic.model import Model

        return Model.load(self.path)

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "path": str(self.path)}

    def save(self) -> None:
        with write_text(self.path / RESULT_NAME) as file:
            json.dump({**self.as_dict(), "path": "."}, file, ensure_ascii=False, indent=1)

    @classmethod
    def load(cls, directory: PathLike) -> MakeResult:
        stored = json.loads((Path(directory) / RESULT_NAME).read_text(encoding="utf-8"))
        stages = [
            StageResult(**{
                **one,
                "scores": {name: Score(**score) for name, score in one["scores"].items()},
                "curve": tuple(one["curve"]),
                "invalid": tuple(one.get("invalid", ())),
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
