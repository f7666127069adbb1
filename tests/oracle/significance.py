"""Fisher's exact test for rules, from the definitions: exact fractions, for tiny bitexts."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from tests.oracle.extraction import RuleText, Sentence


def p_value(pairs: int, source: int, target: int, both: int) -> Fraction:
    """The probability that the sides meet in `both` pairs or more."""
    tail = sum(
        comb(source, k) * comb(pairs - source, target - k)
        for k in range(both, min(source, target) + 1)
    )
    return Fraction(tail, comb(pairs, target))


def parts(symbols: tuple[str, ...], longest: int = 7) -> list[tuple[str, ...]]:
    """What is between gaps, in pieces of at most `longest` words."""
    runs: list[list[str]] = [[]]
    for symbol in symbols:
        if symbol.startswith("["):
            runs.append([])
        else:
            runs[-1].append(symbol)
    return [
        tuple(run[i : i + longest])
        for run in runs
        if run
        for i in range(max(1, len(run) - longest + 1))
    ]


def contains(words: list[str], symbols: tuple[str, ...]) -> bool:
    return all(
        any(tuple(words[i : i + len(part)]) == part for i in range(len(words)))
        for part in parts(symbols)
    )


def p_value_of(rule: RuleText, bitext: list[Sentence]) -> Fraction:
    source = [contains(one.source, rule[0]) for one in bitext]
    target = [contains(one.target, rule[1]) for one in bitext]
    both = [a and b for a, b in zip(source, target, strict=True)]
    return p_value(len(bitext), sum(source), sum(target), sum(both))
