"""Sentences of plain text with tags, such as those that translation programs send.

    found = tagged_sentence(raw, 'Das <g id="1">Haus</g> ist alt.', finder)
    found.line                                  # das haus ist alt .
    found.written(chosen, raw)                  # The <g id="1">house</g> is old.

Tags are placed by word links, as in HTML. A single tag with spaces around it is a word of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from demotic.constraints.markup import TEXT_TAG, pieces_of
from demotic.constraints.segment import OBJECT, Segment
from demotic.search.sentence import constraints_of

if TYPE_CHECKING:
    from demotic.constraints.terms import TermFinder
    from demotic.search.chooser import Chosen
    from demotic.search.constraint import Constraint
    from demotic.search.text import RawText

__all__ = ["TaggedSentence", "Untagged", "has_tags", "tagged_sentence"]


@dataclass(frozen=True)
class TaggedSentence:
    """A sentence without its tags, which are put into its translation."""

    line: str  # tokens, with constraints
    segment: Segment

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Those of the line; the translation of a tag that is a word is the tag."""
        kept = self.segment.sentences[0].kept
        return tuple(
            replace(one, targets=((kept[one.span[0]], 0.0),))
            if one.targets and one.targets[0][0] == OBJECT
            else one
            for one in constraints_of(self.line)
        )

    def written(self, found: Chosen, raw: RawText) -> str:
        return self.segment.written([found], raw)


def has_tags(text: str) -> bool:
    return "<" in text and TEXT_TAG.search(text) is not None


def tagged_sentence(raw: RawText, text: str, finder: TermFinder | None) -> TaggedSentence | None:
    """None for a sentence without tags, or without anything else."""
    if not has_tags(text):
        return None
    segment = Segment(pieces_of(text, "text-with-tags"), "text-with-tags")
    segment.build(raw, finder, split=False)
    return TaggedSentence(segment.sentences[0].line, segment) if segment.sentences else None


class PlacedTag(NamedTuple):
    """Where a tag is, and the number of the tag that it makes a pair with, or -1."""

    begin: int
    end: int
    partner: int


class Untagged(NamedTuple):
    """A text with a space instead of each tag, or U+FFFC if the tag is a word."""

    text: str
    begins: list[int]  # of its characters in the text with tags
    ends: list[int]
    tags: list[PlacedTag]

    @classmethod
    def of(cls, text: str) -> Untagged:
        made = cls("", [], [], [])
        parts: list[str] = []
        open_: list[int] = []
        at = 0
        for piece in pieces_of(text, "text-with-tags"):
            end = at + len(piece.text)
            is_text = piece.kind == "text"
            parts.append(piece.text if is_text else OBJECT if piece.kind == "opaque" else " ")
            made.begins.extend(range(at, end) if is_text else [at])
            made.ends.extend(range(at + 1, end + 1) if is_text else [end])
            if not is_text:
                partner = open_.pop() if piece.kind == "close" else -1
                if piece.kind == "open":
                    open_.append(len(made.tags))
                if partner >= 0:
                    made.tags[partner] = made.tags[partner]._replace(partner=len(made.tags))
                made.tags.append(PlacedTag(at, end, partner))
            at = end
        return made._replace(text="".join(parts))

    def place(self, span: tuple[int, int]) -> tuple[int, int]:
        """The place of a non-empty span in the text with tags."""
        return self.begins[span[0]], self.ends[span[1] - 1]
