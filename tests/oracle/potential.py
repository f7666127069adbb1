"""What partial phrase hypotheses may become (Liu & Huang 2014, section 3), in plain Python.

The best monotone translations of a span are found by Algorithm 1: the best phrase of the span, or
two parts, each at its best; scores add up, without language models across the joint, distortion or
reordering.  All translations that share the best score are kept, since a search may choose any.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from tests.oracle.phrase_search import Derivation, PhraseOracle, Words, covered

__all__ = ["completed", "monotone_derivations", "open_spans", "partial_length"]

_TIE = 1e-5  # searches add in float32


def monotone_derivations(
    oracle: PhraseOracle, words: Words
) -> dict[tuple[int, int], list[Derivation]]:
    """The best derivations of every span."""
    phrases, best = oracle.phrases(words), dict[tuple[int, int], list[Derivation]]()
    for size in range(1, len(words) + 1):
        for begin in range(len(words) - size + 1):
            end = begin + size
            found = [(one,) for one in phrases if (one.begin, one.end) == (begin, end)]
            for middle in range(begin + 1, end):
                parts = product(best[begin, middle], best[middle, end])
                found += [left + right for left, right in parts]
            scored = {
                tuple(phrase.key for phrase in one): (sum(map(oracle.estimate, one)), one)
                for one in found
            }
            top = max(score for score, _ in scored.values())
            best[begin, end] = [one for score, one in scored.values() if score > top - _TIE]
    return best


def open_spans(length: int, derivation: Derivation) -> list[tuple[int, int]]:
    """The spans of uncovered words, from left to right."""
    done, spans = covered(derivation), []
    begin = 0
    while begin < length:
        end = begin
        while end < length and end not in done:
            end += 1
        if end > begin:
            spans.append((begin, end))
        begin = end + 1
    return spans


def completed(
    oracle: PhraseOracle,
    words: Words,
    best: dict[tuple[int, int], list[Derivation]],
    derivation: Derivation,
) -> Iterator[tuple[Words, dict[str, float]]]:
    """The potential yield of a partial derivation, and the features that the search compares.

    These are its own and, with future cost, those of the completion and of the jumps to it; else
    only the penalties of open words that no rule translates, which every derivation pays.
    """
    own = oracle.features(derivation, complete=False)
    if oracle.options.future_cost:
        for name, value in oracle.future_jumps(words, derivation).items():
            own[name] += value
    target = tuple(word for phrase in derivation for word in phrase.target)
    for parts in product(*(best[span] for span in open_spans(len(words), derivation))):
        rest = [phrase for part in parts for phrase in part]
        values = dict(own)
        for phrase in rest:
            if oracle.options.future_cost:
                for name, value in oracle.context_free(phrase).items():
                    values[name] += value
        if not oracle.options.future_cost:
            open_words = set(range(len(words))) - covered(derivation)
            unknown = sum(not oracle.table.get((words[word],), []) for word in open_words)
            values["unknown_word"] -= 100 * unknown
        yield target + tuple(word for phrase in rest for word in phrase.target), values


def partial_length(reference: Words, share: float) -> float:
    """The reference length of a partial hypothesis that covers this share of the source."""
    return len(reference) * share
