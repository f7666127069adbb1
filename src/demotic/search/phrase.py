"""The steps of phrase search's derivations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

from demotic.search.decoder import COPIED, GIVEN, Step
from demotic.search.nbest import Segment
from demotic.search.options import SearchOptions

if TYPE_CHECKING:
    from demotic.model import Model

__all__ = ["PhraseSteps"]


class PhraseSteps:
    """Phrases, in the order of the translation."""

    def __init__(self, model: Model, options: SearchOptions) -> None:
        self._store = model.rules.store
        self._drop_unknown = options.drop_unknown

    def steps_of(
        self, rules: Sequence[int], begins: Sequence[int], ends: Sequence[int]
    ) -> list[Step]:
        return list(map(Step, reversed(rules), reversed(begins), reversed(ends)))

    def target_words(self, step: Step) -> int:
        """The number of target words of a step."""
        if step.rule == COPIED:
            return 0 if self._drop_unknown else 1
        if step.rule <= GIVEN:
            return GIVEN - step.rule
        return len(self._store.target(step.rule))

    def segments(self, steps: Sequence[Step]) -> list[Segment]:
        segments, position = [], 0
        for step in steps:
            end = position + self.target_words(step)
            segments.append(Segment((step.begin, step.end), (position, end)))
            position = end
        return segments

    def links(self, steps: Sequence[Step]) -> list[tuple[int, int]]:
        links, position = [], 0
        for step in steps:
            words = self.target_words(step)
            if step.rule == COPIED:
                links += [(step.begin, position)] * words
            elif step.rule <= GIVEN:
                links += product(range(step.begin, step.end), range(position, position + words))
            else:
                links += [
                    (step.begin + source, position + target)
                    for source, target in self._store.links(step.rule)
                ]
            position += words
        return sorted(links)
