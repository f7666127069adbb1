"""Phrase search without a search: every derivation of a small sentence, each scored from scratch.

The space: phrases that do not overlap, in any order in which no jump is longer than the distortion
limit and, with the gap test, the first open word stays within such a jump.  The features are
those of `demotic.features.dense`, worked out for a whole derivation at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from demotic.search import SearchOptions
from tests.oracle.arpa import Arpa
from tests.oracle.operations import Operations, Piece

__all__ = [
    "Derivation",
    "Phrase",
    "PhraseOracle",
    "Table",
    "Words",
    "early_distortion",
    "piece_of",
]

Words = tuple[str, ...]
Scores = Mapping[str, float]

ORIENTATIONS = ("monotone", "swap", "discontinuous")


class Table(Protocol):
    """The rules of a source side: target sides with scores."""

    def get(
        self, source: Words, default: Sequence[tuple[Words, Scores]], /
    ) -> Sequence[tuple[Words, Scores]]: ...


@dataclass(frozen=True)
class Phrase:
    """A rule used on source words begin to end; without scores the word is copied or dropped."""

    begin: int
    end: int
    target: Words
    scores: Scores | None
    source: Words = ()
    links: frozenset[tuple[int, int]] = frozenset()
    given: bool = False  # by the user

    @property
    def key(self) -> tuple[int, int, Words, bool]:
        return self.begin, self.end, self.target, self.scores is None


Derivation = tuple[Phrase, ...]


class PhraseOracle:
    """Of one model under some options: rules, language models, weights by feature name."""

    def __init__(
        self,
        table: Table,
        language_models: Sequence[Arpa],
        weights: Mapping[str, float],
        options: SearchOptions,
        longest: int = 7,
        unknown_phrase_penalty: bool = False,
        operations: Operations | None = None,
    ) -> None:
        self.operations = operations
        self.table, self.language_models, self.weights = table, language_models, weights
        self.options, self.longest = options, longest
        self.unknown_phrase_penalty = unknown_phrase_penalty

    def under(self, options: SearchOptions) -> PhraseOracle:
        """The same model under other options."""
        parts = self.table, self.language_models, self.weights
        more = self.longest, self.unknown_phrase_penalty, self.operations
        return PhraseOracle(*parts, options, *more)

    def phrases(self, words: Words) -> list[Phrase]:
        """Of all spans, best estimate first."""
        found = []
        for begin in range(len(words)):
            for end in range(begin + 1, min(len(words), begin + self.longest) + 1):
                rules = self.table.get(words[begin:end], [])
                source = words[begin:end]
                here = [
                    Phrase(begin, end, target, scores, source, self.links(source, target))
                    for target, scores in rules
                ]
                # The best rules are chosen without their operations.
                here.sort(key=self.estimate_without_operations, reverse=True)
                here = here[: self.options.rule_limit or len(here)]
                found += sorted(here, key=self.estimate, reverse=True)
                if end == begin + 1 and not here:
                    copied = () if self.options.drop_unknown else words[begin:end]
                    found.append(Phrase(begin, end, copied, None, source))
        return found

    def derivations(self, words: Words) -> Iterator[Derivation]:
        yield from self._longer(words, self.phrases(words), ())

    def _longer(
        self, words: Words, phrases: list[Phrase], so_far: Derivation
    ) -> Iterator[Derivation]:
        if len(covered(so_far)) == len(words):
            yield so_far
        for phrase in phrases:
            if self.may_follow(len(words), so_far, phrase):
                yield from self._longer(words, phrases, (*so_far, phrase))

    def may_follow(self, length: int, so_far: Derivation, phrase: Phrase) -> bool:
        done, limit = covered(so_far), self.options.distortion_limit
        if done & covered([phrase]):
            return False
        if limit < 0:
            return True
        if abs(phrase.begin - last_end(so_far)) > limit:
            return False
        still_open = set(range(length)) - done - covered([phrase])
        return (
            not self.options.gap_test
            or not still_open
            or abs(min(still_open) - phrase.end) <= limit
        )

    def features(self, derivation: Derivation, *, complete: bool = True) -> dict[str, float]:
        """All dense features; without the end of the sentence if it is not complete."""
        values = dict.fromkeys(self.weights, 0.0)
        target = tuple(word for phrase in derivation for word in phrase.target)
        for i, model in enumerate(self.language_models):
            name = f"language_model_{i + 1}" if i else "language_model"
            values[name] = model.score(target, begin=True, end=complete)
        values["word_penalty"] = float(-len(target))
        for i, phrase in enumerate(derivation):
            self._add_phrase(values, derivation[:i], phrase)
        if self.operations:
            pieces = [piece_of(phrase) for phrase in derivation]
            values |= self.operations.values(pieces, begin=True, end=complete)
        return values

    def links(self, source: Words, target: Words) -> frozenset[tuple[int, int]]:
        return self.operations.links[source, target] if self.operations else frozenset()

    def _add_phrase(self, values: dict[str, float], before: Derivation, phrase: Phrase) -> None:
        if phrase.scores is None:
            values["unknown_word"] -= 100
            values["phrase_penalty"] += self.unknown_phrase_penalty
        else:
            values["phrase_penalty"] += 1
            for name, score in phrase.scores.items():
                if not name.startswith("reordering_"):
                    values[name] += score
        for side, owner in (("backward", phrase), ("forward", before[-1] if before else None)):
            plain = f"reordering_{side}_{orientation_of(before, phrase)}"
            blocks = f"reordering_hierarchical_{side}_{hierarchical_of(before, phrase, side)}"
            for name in (plain, blocks):
                if owner is not None and owner.scores is not None and name in owner.scores:
                    values[name] += owner.scores[name]
        if self.options.early_distortion:
            values["distortion"] -= early_distortion(before, phrase)
        else:
            values["distortion"] -= abs(phrase.begin - last_end(before))

    def score(self, values: Mapping[str, float]) -> float:
        return sum(weight * values[name] for name, weight in self.weights.items())

    def estimate(self, phrase: Phrase) -> float:
        return self.score(self.context_free(phrase))

    def context_free(self, phrase: Phrase) -> dict[str, float]:
        """Features of a phrase by itself: no distortion, no reordering, no words around it."""
        values = self.features((phrase,), complete=False)
        for name in values:
            if name.startswith("reordering_") or name == "distortion":
                values[name] = 0.0
            if name.startswith("language_model"):
                model = self.language_models[int(name.removeprefix("language_model")[1:] or 1) - 1]
                values[name] = model.score(phrase.target, begin=False, end=False)
        if self.operations:
            piece = replace(piece_of(phrase), begin=0)
            values |= self.operations.values([piece], begin=False, end=False)
        return values

    def estimate_without_operations(self, phrase: Phrase) -> float:
        values = self.context_free(phrase)
        return self.score({n: 0.0 if n.startswith("operation_") else values[n] for n in values})

    def future_jumps(self, words: Words, derivation: Derivation) -> dict[str, float]:
        """Features of the jumps that remain if the open words are translated from left to right.

        Each jump is discontinuous instead of monotone, for phrases like the best ones of all spans.
        """
        values = dict.fromkeys(self.weights, 0.0)
        best: dict[tuple[int, int], Phrase] = {}
        for phrase in self.phrases(words):
            best.setdefault((phrase.begin, phrase.end), phrase)
        done, at = covered(derivation), last_end(derivation)
        for word in (word for word in range(len(words)) if word not in done):
            if word != at:
                if not self.options.early_distortion:
                    values["distortion"] -= abs(word - at)
                for phrase in best.values():
                    for name, score in (phrase.scores or {}).items():
                        if name.startswith("reordering_") and not name.endswith("_swap"):
                            sign = 1 if name.endswith("_discontinuous") else -1
                            values[name] += sign * score / len(best)
            at = word + 1
        return values

    def monotone(self, words: Words) -> dict[tuple[int, int], tuple[float, set[Words]]]:
        """The best score of each span by estimates alone, and all translations that have it.

        Algorithm 1 of Liu & Huang (2014): the best phrase, or two parts, each at its best.
        """
        phrases, best = self.phrases(words), {}
        for size in range(1, len(words) + 1):
            for begin in range(len(words) - size + 1):
                end = begin + size
                ways = [
                    (self.estimate(phrase), {phrase.target})
                    for phrase in phrases
                    if (phrase.begin, phrase.end) == (begin, end)
                ]
                for middle in range(begin + 1, end):
                    (left, a), (right, b) = best[begin, middle], best[middle, end]
                    ways.append((left + right, {x + y for x in a for y in b}))
                top = max(score for score, _ in ways)
                texts = [text for score, text in ways if score > top - 1e-5]
                best[begin, end] = top, set().union(*texts)
        return best


def covered(phrases: Sequence[Phrase]) -> set[int]:
    return {word for phrase in phrases for word in range(phrase.begin, phrase.end)}


def last_end(derivation: Derivation) -> int:
    return derivation[-1].end if derivation else 0


def orientation_of(before: Derivation, phrase: Phrase) -> str:
    """As Moses has it: towards the last phrase, or at the start towards the sentence's edge."""
    if phrase.begin == last_end(before):
        return "monotone"
    return "swap" if before and phrase.end == before[-1].begin else "discontinuous"


def hierarchical_of(before: Derivation, phrase: Phrase, side: str) -> str:
    """Blocks by coverage: behind, the run of covered words; ahead, whatever is still open."""
    done = covered(before)
    here = set(range(phrase.begin, phrase.end))
    if not before:
        return "monotone" if phrase.begin == 0 else "discontinuous"
    last = before[-1]
    between = range(last.end, phrase.begin) if phrase.begin >= last.end else ()
    behind = range(phrase.end, last.begin) if phrase.end <= last.begin else ()
    if phrase.begin >= last.end:
        free = last.end in here or last.end not in done
        found = set(between) <= done if side == "backward" else free
        return "monotone" if found else "discontinuous"
    free = last.begin - 1 in here or last.begin - 1 not in done
    found = set(behind) <= done if side == "backward" else free
    return "swap" if found else "discontinuous"


def piece_of(phrase: Phrase) -> Piece:
    """A phrase as the operation sequence model sees it."""
    unknown = phrase.scores is None or phrase.given
    return Piece(phrase.begin, phrase.source, phrase.target, phrase.links, unknown)


def early_distortion(before: Derivation, phrase: Phrase) -> int:
    """What a jump will cost in the end, paid at once (Moore & Quirk 2007)."""
    done, size, prefix = covered(before), phrase.end - phrase.begin, 0
    while prefix in done:
        prefix += 1
    if phrase.begin == prefix:  # goes on where all before is translated
        return 0
    if phrase.end < last_end(before):  # was passed and paid for on the way there
        return 2 * size
    if last_end(before) <= prefix:
        return 2 * (phrase.begin - prefix + size)
    return 2 * (phrase.begin - last_end(before) + size)
