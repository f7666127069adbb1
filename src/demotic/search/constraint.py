"""What a user asks of the translation of a tokenised sentence.

    Constraint((2, 4), [("machine translation", 0.0)])              # nothing else for words 2 and 3
    Constraint((2, 4), ["machine translation", "MT"], "inclusive")  # compete with the model's rules
    wall(3), zone(2, 5)

    decoder.translate([AnnotatedSentence("das ist ein haus", constraints=[...])])

Words of a given translation need not be in the vocabulary of the model.  What each mode asks for is
in docs/constraints.md, how a search obeys it in `core/include/demotic/search/constraints.h`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Literal, get_args

from demotic import _core
from demotic.errors import InputError
from demotic.lines import split_words

__all__ = [
    "Constraint",
    "Mode",
    "check_constraints",
    "crosses",
    "native_constraints",
    "wall",
    "zone",
]

Mode = Literal["exclusive", "inclusive", "constraint", "forbidden", "wall", "zone"]
Span = tuple[int, int]

_GIVING = ("exclusive", "inclusive", "constraint")  # modes with translations
_CLOSED = ("exclusive", "constraint")  # modes whose words belong to no other constraint


@dataclass(frozen=True)
class Constraint:
    """A wish for source words begin to end; those of a wall are none: (i, i) is before word i."""

    span: Span
    # Tokens and the natural log of a probability; a string alone has probability 1.
    targets: tuple[tuple[str, float], ...] = ()
    mode: Mode = "exclusive"
    origin: str = ""  # who asks, such as "glossary"

    def __init__(
        self,
        span: Span,
        targets: Iterable[str | tuple[str, float]] = (),
        mode: Mode = "exclusive",
        origin: str = "",
    ) -> None:
        listed = (targets,) if isinstance(targets, str) else targets
        pairs = tuple((one, 0.0) if isinstance(one, str) else tuple(one) for one in listed)
        values = {"span": tuple(span), "targets": pairs, "mode": mode, "origin": origin}
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._check()

    def _check(self) -> None:
        begin, end = self.span
        if self.mode not in get_args(Mode):
            raise self._refused(f"the mode {self.mode!r}", f"one of {', '.join(get_args(Mode))}")
        if not (begin >= 0 and (begin == end if self.mode == "wall" else begin < end)):
            raise self._refused("an empty or negative span", "begin < end, or (i, i) for a wall")
        if bool(self.targets) != (self.mode in (*_GIVING, "forbidden")):
            raise self._refused(f"{len(self.targets)} translations", "some, but none for an order")
        for text, log_probability in self.targets:
            if not 0 < len(split_words(text)) <= _core.MAX_GIVEN_WORDS:
                most = _core.MAX_GIVEN_WORDS
                raise self._refused(f"the translation {text[:80]!r}", f"1 to {most} words")
            if not (math.isfinite(log_probability) and log_probability <= 0):
                raise self._refused(
                    f"the log probability {log_probability} of {text!r}", "a number of at most 0"
                )

    def _refused(self, found: str, expected: str) -> InputError:
        return InputError(f"a constraint on the span {self.span} with {found}", expected=expected)

    @property
    def is_weighted(self) -> bool:
        """Whether some probability is not 1, so that the model needs the feature `given`."""
        return any(log_probability for _, log_probability in self.targets)

    def overlaps(self, other: Constraint) -> bool:
        return self.span[0] < other.span[1] and other.span[0] < self.span[1]

    def __str__(self) -> str:
        texts = " || ".join(text for text, _ in self.targets)
        return f"{self.mode} [{self.span[0]}:{self.span[1]}] {texts}".rstrip()


def wall(position: int) -> Constraint:
    """All words before this position are translated before all others; in a zone: its words."""
    return Constraint((position, position), (), "wall")


def zone(begin: int, end: int) -> Constraint:
    """These words are translated without interruption."""
    return Constraint((begin, end), (), "zone")


def check_constraints(words: int, constraints: Sequence[Constraint]) -> None:
    """Raises InputError, naming the constraint, for wishes that cannot all be fulfilled."""
    given = 0
    for one in constraints:
        given += len(one.targets)
        if one.span[1] > words:
            raise _conflict(str(one), f"a span within the {words} words of the sentence")
    if given > _core.MAX_GIVEN_OPTIONS:
        raise _conflict(f"{given:,} translations", f"at most {_core.MAX_GIVEN_OPTIONS:,}")
    options = [one for one in constraints if one.mode in _GIVING]
    order = [one for one in constraints if one.mode in ("wall", "zone")]
    _check_options(options)
    for one in options:
        for other in order:
            if crosses(one.span, other):
                raise _conflict(f"{one} across {other}", "a span on one side of it")
    zones = [one for one in order if one.mode == "zone"]
    for one, other in combinations(zones, 2):
        if crosses(one.span, other):
            raise _conflict(f"{one} across {other}", "zones inside or beside each other")


def _check_options(options: list[Constraint]) -> None:
    """Closed spans overlap no other span with translations."""
    placed = sorted(options, key=lambda one: one.span)
    closed = [one for one in placed if one.mode in _CLOSED]
    for one, other in pairwise(closed):
        if one.overlaps(other):
            raise _conflict(f"{one} and {other}", "spans that do not overlap")
    if len(closed) == len(placed):
        return
    for one in closed:
        for other in placed:
            if other.mode not in _CLOSED and one.overlaps(other):
                raise _conflict(f"{one} and {other}", "spans that do not overlap")


def crosses(span: Span, order: Constraint) -> bool:
    """Whether a wall is inside of the span, or it shares some words of a zone and lacks others."""
    begin, end = order.span
    if order.mode == "wall":
        return span[0] < begin < span[1]
    inside = begin <= span[0] and span[1] <= end
    around = span[0] <= begin and end <= span[1]
    return span[0] < end and begin < span[1] and not (inside or around)


def _conflict(found: str, expected: str) -> InputError:
    return InputError(f"constraints that cannot be obeyed: {found}", expected=expected)


_NATIVE = {"constraint": _core.ConstraintKind.containing}


def native_constraints(constraints: Iterable[Constraint]) -> list[_core.Constraint]:
    return [
        _core.Constraint(
            _NATIVE.get(one.mode) or _core.ConstraintKind[one.mode],
            *one.span,
            [text for text, _ in one.targets],
            [log_probability for _, log_probability in one.targets],
        )
        for one in constraints
    ]
