"""Sparse features from their definition: the names of all that fire when a rule is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Use", "names_of"]

PLACES = (
    *("source.first", "source.last", "source.before", "source.after", "source.length"),
    *("target.first", "target.last", "rule", "past.rule", "past.first", "past.last"),
)
LEVELS = (
    *("", "word", "first_char", "last_char", "cluster"),
    *("prefix6", "prefix4", "tag", "type"),
)


@dataclass(frozen=True)
class Use:
    """A rule used on a span of a sentence; gaps are written [X,1]; None for no rule."""

    rule: str
    source: tuple[str, ...]
    target: tuple[str, ...]
    words: tuple[str, ...]
    after: str
    begin: int
    end: int
    past: str | None
    past_words: tuple[str, str]


def names_of(
    templates: Sequence[str], use: Use, classes: Mapping[str, Mapping[str, str]], known: set[str]
) -> list[str]:
    """One name a template; `classes` holds for each layer the class names of words."""
    return [
        " ".join(
            f"{atom}={_seen(*atom.partition(':')[::2], use, classes, known)}"
            for atom in sorted(template.split(), key=_order)
        )
        for template in templates
    ]


def _order(atom: str) -> tuple[int, int]:
    place, _, level = atom.partition(":")
    return PLACES.index(place), LEVELS.index(level)


def _seen(
    place: str, level: str, use: Use, classes: Mapping[str, Mapping[str, str]], known: set[str]
) -> str:
    if place == "source.length":
        return str(len(use.source))
    if place in ("rule", "past.rule"):
        return (use.rule if place == "rule" else use.past) or "[none]"
    there = _symbol(place, use)
    if there is None:
        return "[none]"
    if there.startswith("["):
        return "[gap]"
    if there in ("<s>", "</s>"):
        return there
    if level == "word":
        return there if there in known else "<unk>"
    side = "source" if place.startswith("source") else "target"
    return classes[f"{side}.{level}"].get(there, "-")


def _symbol(place: str, use: Use) -> str | None:
    context = ("<s>", *use.words, use.after)
    return {
        "source.first": use.words[use.begin],
        "source.last": use.words[use.end - 1],
        "source.before": context[use.begin],
        "source.after": context[use.end + 1],
        "target.first": use.target[0] if use.target else None,
        "target.last": use.target[-1] if use.target else None,
        "past.first": use.past_words[0],
        "past.last": use.past_words[1],
    }[place]
