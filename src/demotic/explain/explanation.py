"""The explanation of one translation as values; other modules render it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from html import escape
from typing import Any, Literal

__all__ = [
    "BinMember",
    "BinView",
    "Contribution",
    "Evidence",
    "EvidencePair",
    "Explanation",
    "ReferenceView",
    "Rival",
    "RuleEvidence",
    "StepKind",
    "StepView",
]

Span = tuple[int, int]
StepKind = Literal["rule", "copied", "given", "glue", "end"]


@dataclass(frozen=True)
class Contribution:
    """What a feature adds to a score."""

    feature: str
    value: float
    weight: float
    points: float  # value times weight


@dataclass(frozen=True)
class StepView:
    """One rule of the derivation, or the end of the sentence; [1] and [2] are gaps."""

    kind: StepKind
    source: tuple[str, ...]
    target: tuple[str, ...]
    source_span: Span
    target_span: Span
    rule: int | None  # None unless the step is a rule
    seen: int | None  # how often the rule was seen in training
    contributions: tuple[Contribution, ...]  # without zeros, the largest first
    source_gaps: tuple[int, ...] = ()  # positions of [1] and [2] in `source`
    target_gaps: tuple[int, ...] = ()  # positions of [1] and [2] in `target`
    filled_by: tuple[int, ...] = ()  # the steps that fill them

    @property
    def score(self) -> float:
        return sum(one.points for one in self.contributions)


@dataclass(frozen=True)
class Rival:
    """Another translation, and why it lost."""

    text: str
    score: float
    behind: float  # the winner's score minus this score
    differences: tuple[Contribution, ...]  # this one minus the winner, largest first


@dataclass(frozen=True)
class BinMember:
    """A partial translation that competed in a bin."""

    text: str
    covered: str  # + for covered source words
    score: float
    future: float
    alive: bool
    reaches_goal: bool
    winner: bool  # whether it is part of the best translation
    rank: int  # in its bin, from 1

    @property
    def total(self) -> float:
        return self.score + self.future


@dataclass(frozen=True)
class BinView:
    """The partial translations that cover the same number of source words, or the same span."""

    name: str  # number of covered words, or nonterminal and span
    entered: int
    survived: int
    reach_goal: int
    winner_rank: int | None  # None if the winner has no hypothesis here
    best: tuple[BinMember, ...]
    dots: tuple[tuple[float, str], ...]  # points behind the bin's best; dead, alive, goal, winner


@dataclass(frozen=True)
class ReferenceView:
    """A reference, and the translation in the k-best list that is closest to it."""

    text: str
    closest: str
    closest_rank: int  # in the list, from 1
    listed: int  # size of the list
    chrf: float  # of the closest translation
    chrf_of_best: float
    is_reference: bool
    path: tuple[tuple[str, int, int], ...]  # bin, rank of its hypothesis there, size of the bin


@dataclass(frozen=True)
class EvidencePair:
    """A training pair that contains a rule."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    source_marks: tuple[int | None, ...]  # per word: 0 if part of the rule, k if in gap k
    target_marks: tuple[int | None, ...]
    origin: str  # the file it comes from
    line: int
    supported: bool  # whether its word links agree with the rule


@dataclass(frozen=True)
class RuleEvidence:
    """Training pairs behind a rule of the derivation."""

    step: int  # index of the step, from 0
    pairs: tuple[EvidencePair, ...]


@dataclass(frozen=True)
class Evidence:
    """The training pairs behind every rule, or why they are missing."""

    rules: tuple[RuleEvidence, ...] = ()
    pairs: int = 0  # size of the training corpus
    missing: str = ""


@dataclass(frozen=True)
class Explanation:
    """Everything about the translation of one sentence."""

    sentence: str
    source: tuple[str, ...]
    translation: str
    words: tuple[str, ...]
    score: float
    links: tuple[tuple[int, int], ...]
    steps: tuple[StepView, ...]
    contributions: tuple[Contribution, ...]
    rivals: tuple[Rival, ...]
    bins: tuple[BinView, ...]
    reference: ReferenceView | None
    settings: dict[str, Any]
    fell_back: bool
    kind: str  # of the model
    evidence: Evidence | None = None  # if requested
    constraints: tuple[str, ...] = ()  # what the user asked for
    constituents: tuple[tuple[int, int, str], ...] = ()  # of its tree, if one was given

    def text(self) -> str:
        """As plain text."""
        from demotic.explain.plain import plain_text

        return plain_text(self)

    def html(self) -> str:
        """As a self-contained page."""
        from demotic.explain.page import page_of

        return page_of(self).html()

    def as_dict(self) -> dict[str, Any]:
        """As a dictionary for JSON, without the dots of the drawing."""
        values = asdict(self)
        for one in values["bins"]:
            del one["dots"]
        return values

    def _repr_html_(self) -> str:
        # In a frame, so that the page's style does not affect the notebook.
        return (
            f'<iframe srcdoc="{escape(self.html())}" sandbox '
            'style="width:100%;height:40rem;border:0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Explanation({self.sentence!r} -> {self.translation!r}, score {self.score:.3f})"
