"""Brute force over phrases: derivations are tuples of phrases in target order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from demotic.search import SearchResult, Step
from tests.oracle.phrase_search import (
    Derivation,
    Phrase,
    PhraseOracle,
    covered,
    last_end,
    piece_of,
)
from tests.search.brute_force import BruteForce, Edge, Part, Words

if TYPE_CHECKING:
    from tests.search.tiny_phrase import TinyPhrase

__all__ = ["PhraseBruteForce", "gaps"]


class PhraseBruteForce(BruteForce[Derivation]):
    def __init__(self, model: TinyPhrase, oracle: PhraseOracle, words: Words) -> None:
        self.model, self.oracle, self.words = model, oracle, words
        self.weights = oracle.weights

    def derivations(self) -> tuple[list[Derivation], bool]:
        if found := list(self.oracle.derivations(self.words)):
            return found, False
        monotone = self.oracle.under(replace(self.oracle.options, distortion_limit=0))
        return list(monotone.derivations(self.words)), True

    def of_steps(self, steps: Sequence[Step]) -> Derivation:
        derivation = tuple(map(self._phrase, steps))
        places = [i for phrase in derivation for i in range(phrase.begin, phrase.end)]
        assert sorted(places) == list(range(len(self.words)))  # each word is covered once
        return derivation

    def _phrase(self, step: Step) -> Phrase:
        source = self.words[step.begin : step.end]
        if step.rule < 0:
            dropped = self.oracle.options.drop_unknown
            return Phrase(step.begin, step.end, () if dropped else source, None, source)
        rules = self.model.rules
        target = tuple(map(rules.vocabulary.word, rules.store.target(step.rule)))
        links = self.oracle.links(source, target)
        return Phrase(
            step.begin, step.end, target, self.model.scores[source, target], source, links
        )

    def joined(self, step: Step, tails: Sequence[Derivation]) -> Derivation:
        return (*(tails[0] if tails else ()), self._phrase(step))

    def step_key(self, step: Step) -> Hashable:
        return self._phrase(step).key

    def key(self, derivation: Derivation) -> Hashable:
        return tuple(phrase.key for phrase in derivation)

    def parts(self, derivation: Derivation) -> list[Part]:
        return [Part(p.begin, p.end, p.target, p.scores is None) for p in derivation]

    def target(self, derivation: Derivation) -> Words:
        return tuple(word for phrase in derivation for word in phrase.target)

    def features(self, derivation: Derivation, *, complete: bool = True) -> dict[str, float]:
        return self.oracle.features(derivation, complete=complete)

    def bin(self, derivation: Derivation) -> Hashable:
        return len(covered(derivation))

    def place(self, derivation: Derivation) -> Hashable:
        done = covered(derivation)
        return frozenset(done), len(done) == len(self.words) or last_end(derivation)

    def links(self, derivation: Derivation) -> list[tuple[int, int]]:
        at, found = 0, []
        for phrase in derivation:
            own = {(0, 0)} if phrase.scores is None and phrase.target else phrase.links
            found += [(phrase.begin + source, at + target) for source, target in own]
            at += len(phrase.target)
        return found

    def state(self, derivation: Derivation) -> Hashable:
        target = self.target(derivation)
        contexts: tuple[Hashable, ...] = tuple(arpa.context(target) for arpa in self.model.arpas)
        if self.oracle.operations:
            pieces, complete = map(piece_of, derivation), self.is_whole(derivation)
            contexts += (self.oracle.operations.state(pieces, complete=complete),)
        if self.is_whole(derivation):
            return contexts
        last, done = derivation[-1], covered(derivation)
        names = self.model.rules.store.score_names
        # A swap is only possible with a phrase before which there is an open word.
        reorders = any(name.startswith("reordering") for name in names)
        begin = last.begin if reorders and last.begin - 1 not in done else -1
        scores = last.scores or {}
        forward = tuple(
            scores[n] for n in sorted(scores) if n.startswith("reordering_") and "forward" in n
        )
        return self.place(derivation), begin, forward, contexts

    def is_whole(self, derivation: Derivation) -> bool:
        return len(covered(derivation)) == len(self.words)

    def estimate_of_rest(self, derivation: Derivation) -> float:
        """The best monotone translations of the open spans, without their contexts, and the jumps.

        Without future cost only the penalties of unknown words, which every derivation pays.
        """
        if not self.oracle.options.future_cost:
            return self.unknown_penalties(derivation)
        open_spans = gaps(len(self.words), covered(derivation))
        jumps = self.weigh(self.oracle.future_jumps(self.words, derivation))
        return jumps + sum(self._spans[gap][0] for gap in open_spans)

    def unknown_penalties(self, derivation: Derivation) -> float:
        """Of the open words that no rule translates alone."""
        open_words = set(range(len(self.words))) - covered(derivation)
        unknown = sum((self.words[word],) not in self.model.table for word in open_words)
        return -100 * self.weights["unknown_word"] * unknown

    @cached_property
    def _spans(self) -> dict[tuple[int, int], tuple[float, set[Words]]]:
        return self.oracle.monotone(self.words)

    def proposals(self, survivors: Mapping[int, Derivation]) -> dict[Hashable, set[Edge]]:
        found: dict[Hashable, set[Edge]] = defaultdict(set)
        tails: list[tuple[tuple[int, ...], Derivation]] = [((), ())]
        tails += [((node,), derivation) for node, derivation in survivors.items()]
        phrases = self.oracle.phrases(self.words)
        for nodes, so_far in tails:
            for phrase in phrases:
                if self.oracle.may_follow(len(self.words), so_far, phrase):
                    found[self.bin((*so_far, phrase))].add((phrase.key, nodes))
        return found

    def bin_names(self, result: SearchResult) -> dict[int, Hashable]:
        return {number: number for number in result.bins.numbers}


def gaps(length: int, done: set[int]) -> list[tuple[int, int]]:
    """The spans of words that are not covered."""
    found: list[tuple[int, int]] = []
    for word in sorted(set(range(length)) - done):
        begin = found.pop()[0] if found and found[-1][1] == word else word
        found.append((begin, word + 1))
    return found
