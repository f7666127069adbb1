"""Clauses: a subject and a predicate, worded as a statement, a question or reported speech."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from .context import Phrase
from .people import Nominal
from .trees import Leaf, Tree, is_gap, node
from .verbs import Mood, Verbals, question, statement
from .wording import Loose, Target, alt, prefer, say, seq


@dataclass(frozen=True)
class PredicateWording:
    """One English wording of the predicate: equivalent verb phrases in the same mood."""

    verbals: Verbals
    mood: Mood

    def shifted(self) -> PredicateWording:
        """The wording after a past-tense verb of saying, without `had had` where possible."""
        mood = self.mood.shifted()
        fit = tuple(v for v in self.verbals if mood.aspect != "perfect" or v.verb != "have")
        return PredicateWording(fit or self.verbals, mood)


@dataclass(frozen=True)
class Clause:
    """One event or state; `early` puts the time before the subject in Chinese."""

    subject: Nominal
    vp: Tree
    wordings: tuple[PredicateWording, ...]
    time: Phrase | None = None
    early: bool = False
    final: Leaf | None = None

    def parts(self) -> list[Tree | Leaf]:
        """The children of the clause's IP node."""
        silent = is_gap(self.subject.tree)
        subject = [] if silent else [self.subject.tree]
        end = [] if self.final is None else [self.final]
        if self.time is None:
            return [*subject, self.vp, *end]
        if self.early or silent:
            return [self.time.tree, *subject, self.vp, *end]
        return [*subject, node("VP", self.time.tree, self.vp), *end]

    def tree(self) -> Tree:
        return node("IP", *self.parts())

    def target(self, *, front: bool = True) -> Target:
        """The plain statement; the time comes last or, if `front` allows it, first."""
        core = alt(*self._statements())
        if self.time is None:
            return core
        time = Loose(self.time.target)
        last = seq(core, time)
        if not front:
            return last
        first = (seq(time, say(","), core), seq(time, core))
        # At the end, the time would seem to belong to the relative clause.
        relative = any("(CP (IP (NP" in t.bracketed() for t in (self.subject.tree, self.vp))
        return alt(*first) if relative else prefer(last, *first)

    def _statements(self) -> Iterator[Target]:
        who, pronoun = self.subject.who, self.subject.pronoun
        for way in self.wordings:
            options = [
                statement(self.subject.subject, who, verbal, way.mood, pronoun)
                for verbal in way.verbals
            ]
            yield alt(*options)

    def asked(self) -> Target:
        """The yes-no question without its question mark."""
        options = [
            question(self.subject.subject, self.subject.who, verbal, way.mood)
            for way in self.wordings
            for verbal in way.verbals
        ]
        core = alt(*options)
        return core if self.time is None else seq(core, self.time.target)

    def shifted(self) -> Clause:
        """The clause after a past-tense verb of saying."""
        return replace(self, wordings=tuple(way.shifted() for way in self.wordings))

    def timed(self, time: Phrase | None, *, early: bool = False) -> Clause:
        return replace(self, time=time, early=early)


def sentence(clause: Clause, *, front: bool = True) -> Phrase:
    """The clause as a whole sentence with its full stop."""
    stop = Leaf("PU", "。")
    return Phrase(
        node("IP", *clause.parts(), stop), seq(clause.target(front=front), say(".", stop))
    )
