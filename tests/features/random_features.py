"""Random templates, class layers and rule applications."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from demotic import _core
from demotic.errors import FormatError
from demotic.rules import Rules
from tests.oracle.features import LEVELS, PLACES, TOKEN_TAGS, Use
from tests.search.tiny_hiero import tiny_hiero
from tests.search.tiny_parts import SOURCE
from tests.search.tiny_phrase import tiny_phrase

__all__ = ["RandomFeatures", "random_features", "random_use", "templates"]

LAYERS = [
    f"{side}.{level}"
    for side in ("source", "target")
    for level in LEVELS[2:]
    if side == "source" or not level.endswith("char")
]
ODD = ("z", "v")  # unknown, and known as a target word only


@dataclass(frozen=True)
class RandomFeatures:
    """Rules, features of them, and what the oracle needs to know."""

    rules: Rules
    features: _core.TemplateFeatures
    texts: list[str]
    classes: dict[str, dict[str, str]]
    known: set[str]
    gaps: bool


def random_features(
    rng: random.Random, folder: Path, *, gaps: bool, token_tags: bool = False
) -> RandomFeatures:
    rules = (tiny_hiero if gaps else tiny_phrase)(rng, folder).rules
    words = rules.vocabulary.words()
    classes = {
        name: {w: f"{name}-{rng.randrange(3)}" for w in words[3:] if rng.random() < 0.8}
        for name in LAYERS
    }
    if token_tags:
        classes[TOKEN_TAGS] = classes.pop("source.tag")
    layers = [_layer(name, words, classes[name]) for name in classes]
    texts = templates(rng, gaps=gaps, token_tags=token_tags)
    parsed = [_core.FeatureTemplate(text) for text in texts]
    features = _core.TemplateFeatures(parsed, layers, rules.store, rules.vocabulary, gaps)
    return RandomFeatures(rules, features, texts, classes, set(words), gaps)


def _layer(name: str, words: list[str], classes: dict[str, str]) -> _core.ClassLayer:
    names = ["-", *sorted(set(classes.values()))]
    numbers = [names.index(classes.get(word, "-")) for word in words]
    return _core.ClassLayer(name, np.array(numbers, np.int32), names)


def templates(rng: random.Random, *, gaps: bool, token_tags: bool = False) -> list[str]:
    """Distinct templates within the cost limit that do not join past and sentence."""
    found: dict[str, None] = {"rule": None}
    while len(found) < 25:
        places = rng.sample(PLACES, rng.randint(1, 4))
        text = " ".join(_atom(rng, place) for place in places)
        beyond = ("source.before", "source.after", *(("source.first", "source.last") * gaps))
        of_tokens = token_tags and re.search(r"source\.\w+:tag", text)
        past = any(place.startswith("past") for place in places)
        if past and (of_tokens or set(places) & set(beyond)):
            continue
        try:
            found[_core.FeatureTemplate(text).text] = None
        except FormatError:
            assert "with cost" in str(_cost(text))
    return rng.sample(list(found), len(found))


def _cost(text: str) -> FormatError:
    try:
        _core.FeatureTemplate(text)
    except FormatError as error:
        return error
    raise AssertionError(text)


def _atom(rng: random.Random, place: str) -> str:
    if place in ("source.length", "rule", "past.rule"):
        return place
    levels = [one for one in LEVELS[1:] if place.startswith("source") or "char" not in one]
    return f"{place}:{rng.choice(levels)}"


def _random_tags(rng: random.Random, made: RandomFeatures, count: int) -> tuple[str, ...]:
    """Tags of tokens, some of them unknown to the layer; sometimes none at all."""
    if TOKEN_TAGS not in made.classes or rng.random() < 0.2:
        return ()
    return tuple(rng.choices([*made.classes[TOKEN_TAGS].values(), "odd"], k=count))


def random_use(rng: random.Random, made: RandomFeatures) -> tuple[Use, int, int]:
    """A rule on a sentence that it matches, its number, and the number of the previous rule."""
    rules = list(made.rules)
    names = [str(rule) if made.gaps else str(rule).partition(" ||| ")[2] for rule in rules]
    number = rng.randrange(len(rules))
    before, after = ((*rng.choices((*SOURCE, *ODD), k=rng.randint(0, 2)),) for _ in range(2))
    covered: tuple[str, ...] = ()
    for symbol in rules[number].source:
        gap = rng.choices((*SOURCE, *ODD), k=rng.randint(1, 2))
        covered += tuple(gap) if symbol.startswith("[") else (symbol,)
    past = rng.choice((_core.NO_RULE, rng.randrange(len(rules))))
    known = ("<s>", *SOURCE, *ODD)
    last = rng.choice(("</s>", "</s>", "a", "z"))
    words = before + covered + after
    use = Use(
        rule=names[number],
        source=rules[number].source,
        target=rules[number].target,
        words=words,
        after=last,
        begin=len(before),
        end=len(before) + len(covered),
        past=None if past == _core.NO_RULE else names[past],
        past_words=(rng.choice(known), rng.choice(known)),
        tags=_random_tags(rng, made, len(words) + (last != "</s>")),
    )
    return use, number, past
