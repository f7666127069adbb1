"""Sentences: the constructions of the grammar and their weights."""

from __future__ import annotations

from collections.abc import Callable

from . import (
    compounds,
    facts,
    itineraries,
    links,
    manners,
    qualities,
    questions,
    reports,
    sequences,
    statements,
    voices,
)
from .context import Context, Phrase
from .trees import Tree

RULES: dict[Callable[[Context], Phrase], float] = {
    statements.plain: 9,
    statements.at_work: 6,
    statements.daily: 2,
    statements.errand: 6,
    statements.with_relative: 9,
    statements.hobby: 1.5,
    statements.acquaintance: 1.5,
    voices.disposal: 7,
    voices.passive: 5,
    voices.topic: 2,
    qualities.quality: 4,
    qualities.feeling: 1.5,
    qualities.comparison: 3,
    qualities.weather: 1.5,
    qualities.most: 0.6,
    facts.existence: 1.5,
    facts.posture: 0.8,
    facts.location: 1,
    facts.profession: 1.2,
    facts.age: 0.8,
    facts.price: 0.8,
    facts.spending: 2.5,
    facts.population: 1.5,
    facts.possession: 1,
    facts.distance: 0.8,
    manners.manner: 1.2,
    manners.lasting: 2,
    manners.circumstance: 1.2,
    manners.founding: 0.6,
    questions.yes_no: 2,
    questions.a_not_a: 1.5,
    questions.what: 1,
    questions.who: 1.2,
    questions.where: 1,
    questions.when_: 1.2,
    questions.why: 1.3,
    questions.how_many: 1,
    questions.how: 0.6,
    links.because: 6,
    links.although: 5,
    links.condition: 6,
    sequences.while_busy: 3,
    sequences.reported_scene: 5,
    sequences.in_those_days: 3.5,
    sequences.after: 5,
    sequences.together: 1,
    itineraries.first_then: 3.5,
    itineraries.told_itinerary: 5,
    itineraries.after_then: 6,
    sequences.not_only: 2,
    compounds.parallel: 4,
    compounds.purpose: 3.5,
    compounds.heard: 7,
    compounds.warned: 6,
    compounds.heavy: 5,
    compounds.contrast: 3.5,
    reports.speech: 6,
    reports.relayed: 6,
    reports.opinion: 3,
    reports.knowledge: 3.5,
    reports.causation: 5,
    reports.help_: 2,
    reports.request: 2.5,
}


# Nouns that may occur twice in a sentence.
RECURRENT = ("时候", "家", "人", "月", "星期", "公司")


def draw_sentence(ctx: Context) -> Phrase:
    """One sentence: a tree under ROOT, and the wordings of its translation."""
    phrase = ctx.rng.pick(RULES)(ctx)
    if _repetitive(phrase.tree):
        return draw_sentence(ctx)
    return Phrase(Tree("ROOT", (phrase.tree,)), phrase.target)


def _repetitive(tree: Tree) -> bool:
    """Whether a name, a noun or a time occurs twice, which would be ambiguous.

    Nouns may do so in comparisons: 这 本 书 比 那 本 书 贵.
    """
    leaves = list(tree.leaves())
    compares = any(leaf.word in ("比", "那么", "一样") for leaf in leaves)
    words = [
        leaf.word
        for leaf in leaves
        if leaf.tag in ("NR", "NT") or (leaf.tag == "NN" and not compares)
    ]
    words = [word for word in words if word not in RECURRENT]
    return len(set(words)) < len(words)
