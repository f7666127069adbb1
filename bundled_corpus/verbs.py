"""English verb groups: auxiliaries, negation, contraction, questions and the sequence of tenses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from .english import gerund, participle, past, third_person
from .trees import Leaf
from .wording import EMPTY, Target, alt, prefer, say, seq

Form = Literal["base", "past", "participle", "gerund", "third"]
Tense = Literal["past", "present", "future"]
Aspect = Literal["simple", "perfect", "progressive"]

INFLECT = {"past": past, "participle": participle, "gerund": gerund, "third": third_person}
SINGULAR = ("he", "she", "it")
CLITICS = {
    "am": "'m", "is": "'s", "are": "'re", "have": "'ve", "has": "'s", "will": "'ll",
    "would": "'d", "had": "'d",
}  # fmt: skip
NEGATED = {"will": "won't", "can": "can't", "am": "", "may": "", "might": "", "must": ""}
SHIFTED = {"can": "could", "will": "would", "may": "might"}


@dataclass(frozen=True)
class Verbal:
    """A verb phrase before inflection: the verb, the leaves it translates, and what follows."""

    verb: str
    leaves: tuple[Leaf, ...]
    rest: Target = EMPTY

    def form(self, form: Form) -> Target:
        verb = self.verb if form == "base" else INFLECT[form](self.verb)
        return seq(say(verb, *self.leaves), self.rest)

    def then(self, *more: Target) -> Verbal:
        return replace(self, rest=seq(self.rest, *more))


Verbals = tuple[Verbal, ...]


@dataclass(frozen=True)
class Mood:
    """Tense, aspect, modal and negation of a verb, and the leaves that these translate."""

    tense: Tense = "present"
    aspect: Aspect = "simple"
    modal: str = ""
    helper: tuple[Leaf, ...] = ()
    negation: tuple[Leaf, ...] = ()
    adverb: Target = EMPTY

    def shifted(self) -> Mood:
        """The mood after a past-tense verb of saying."""
        if self.modal:
            return replace(self, modal=SHIFTED.get(self.modal, self.modal))
        if self.tense == "future":
            return replace(self, modal="would")
        if self.tense == "present":
            return replace(self, tense="past")
        return replace(self, aspect="perfect" if self.aspect == "simple" else self.aspect)


def chain(link: str, leaves: tuple[Leaf, ...], inner: Verbals) -> Verbals:
    """Verbals under verbs that govern them: `want to`, `be going to`, `enjoy -ing`."""
    chained = []
    for option in link.split("|"):
        head, *middle = option.split()
        form: Form = "base"
        if middle and middle[-1] == "-ing":
            middle, form = middle[:-1], "gerund"
        bridge = say(" ".join(middle), *leaves) if middle else EMPTY
        chained += [Verbal(head, leaves, seq(bridge, verbal.form(form))) for verbal in inner]
    return tuple(chained)


def any_form(verbals: Verbals, form: Form) -> Target:
    return alt(*(verbal.form(form) for verbal in verbals))


def be(who: str, tense: Tense) -> str:
    if tense == "past":
        return "was" if who == "I" or who in SINGULAR else "were"
    return "am" if who == "I" else "is" if who in SINGULAR else "are"


def statement(subject: Target, who: str, verbal: Verbal, mood: Mood, pronoun: bool) -> Target:
    """Subject and verb phrase in the order of a plain sentence."""
    auxiliary, form = _auxiliary(who, verbal.verb, mood, support=bool(mood.negation))
    if not auxiliary:
        return seq(subject, mood.adverb, verbal.form(form or "base"))
    main = verbal.form(form) if form else verbal.rest
    leaves = mood.helper if form else (*mood.helper, *verbal.leaves)
    if mood.negation:
        start = alt(*_negated(auxiliary, leaves, mood.negation))
    elif pronoun and auxiliary in CLITICS and (form or who != "it"):
        start = prefer(say(auxiliary, *leaves), say(CLITICS[auxiliary], *leaves))
    else:
        start = say(auxiliary, *leaves)
    return seq(subject, start, mood.adverb, main)


def question(subject: Target, who: str, verbal: Verbal, mood: Mood) -> Target:
    """Subject and verb phrase with the auxiliary first."""
    auxiliary, form = _auxiliary(who, verbal.verb, mood, support=True)
    main = verbal.form(form) if form else verbal.rest
    leaves = mood.helper if form else (*mood.helper, *verbal.leaves)
    inverted = seq(say(auxiliary, *leaves), subject)
    if mood.negation:
        short = NEGATED.get(auxiliary, auxiliary + "n't") or auxiliary
        inverted = seq(say(short, *leaves, *mood.negation), subject)
    return seq(inverted, mood.adverb, main)


def _auxiliary(who: str, verb: str, mood: Mood, support: bool) -> tuple[str, Form | None]:
    """The auxiliary, if any, and the form of the main verb; None if `be` is the main verb."""
    if mood.modal:
        return mood.modal, "base"
    if mood.tense == "future":
        return "will", "base"
    if mood.aspect == "perfect":
        present = "has" if who in SINGULAR else "have"
        return ("had" if mood.tense == "past" else present), "participle"
    if mood.aspect == "progressive":
        return be(who, mood.tense), "gerund"
    if verb == "be":
        return be(who, mood.tense), None
    if support:
        present = "does" if who in SINGULAR else "do"
        return ("did" if mood.tense == "past" else present), "base"
    if mood.tense == "past":
        return "", "past"
    return "", "third" if who in SINGULAR else "base"


def _negated(auxiliary: str, helper: tuple[Leaf, ...], negation: tuple[Leaf, ...]) -> list[Target]:
    long = (
        say("cannot", *helper, *negation)
        if auxiliary == "can"
        else seq(say(auxiliary, *(helper or negation)), say("not", *negation))
    )
    short = NEGATED.get(auxiliary, auxiliary + "n't")
    return [long, say(short, *helper, *negation)] if short else [long]
