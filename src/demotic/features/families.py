"""The lists of words and labels that families of features look at, chosen from data.

A line `family insertion top=150` of a template file asks for the 150 most frequent words without a
link, `family syntax-fine min-count=100` for the labels that at least 100 constituents have.  Words
are counted in the rules of the model, labels in the trees that weights are learnt from.  A model
keeps the line with the list itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from demotic import _core
from demotic.errors import Error
from demotic.features.templates import Templates
from demotic.lines import split_words
from demotic.rules import Rules

__all__ = ["with_lists"]

_NO_CONSTITUENTS = frozenset({"FRAG"})
"""Labels of what a parser could not analyse, which Chiang et al. (2008) leave out too."""


def with_lists(templates: Templates, rules: Rules, trees: Iterable[str]) -> Templates:
    """The same templates, each family with its lists.

    `trees` are the constituents of sentences, see `AnnotatedSentence`.  Raises Error if a list
    would be empty.
    """
    if not any(one.missing for one in templates.native):
        return templates
    labels = Counter[str]()
    if templates.trees:
        for line in trees:
            labels.update(one.split("-", 2)[2] for one in split_words(line))
    return Templates(_with_lists(one, rules, labels) for one in templates.native)


def _with_lists(
    family: _core.FeatureTemplate, rules: Rules, labels: Counter[str]
) -> _core.FeatureTemplate:
    for name in family.missing:
        if name == "labels":
            items = _frequent_labels(labels, family.number)
        elif name == "code":
            items = [_version(family.list_of("function"))]
        else:
            items = _frequent_words(rules, name, family.number)
        if not items:
            raise _empty(family.text, name, labels)
        family = family.with_list(name, items)
    return family


def _version(functions: list[str]) -> str:
    from demotic.features.own import version_of

    return version_of(functions[0])


def _frequent_labels(labels: Counter[str], least: int) -> list[str]:
    return sorted(
        name for name, count in labels.items() if count >= least and name not in _NO_CONSTITUENTS
    )


def _frequent_words(rules: Rules, role: str, limit: int) -> list[str]:
    word = rules.vocabulary.word
    return [
        word(first) if second < 0 else f"{word(first)} {word(second)}"
        for first, second in _core.frequent_words(rules.store, role, limit)
    ]


def _empty(family: str, name: str, labels: Counter[str]) -> Error:
    if name != "labels":
        return Error(
            f"no words for '{family}' in the rules",
            expected="rules with word links",
            advice="omit the family, or build the model with alignments",
        )
    frequent = ", ".join(f"{label} {count:,}" for label, count in labels.most_common(5))
    return Error(
        f"no label is frequent enough for '{family}'",
        expected=f"labels of the trees (most frequent: {frequent or 'none'})",
        advice="lower min-count, or give labels=NP,VP,...",
    )
