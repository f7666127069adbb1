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


TOKEN_TAGS = "source.token_tag"


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
    tags: tuple[str, ...] = ()  # of the words, and of `after` if it is a word


def names_of(
    templates: Sequence[str], use: Use, classes: Mapping[str, Mapping[str, str]], known: set[str]
) -> list[str]:
    """One name per template; `classes` holds for each layer the class names of words.

    With a layer `source.token_tag`, source tags are those of tokens if the use has tags.
    """
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
    if (side, level) == ("source", "tag") and TOKEN_TAGS in classes:
        of_words = classes[TOKEN_TAGS]
        found = _token_tag(place, use) if use.tags else of_words.get(there)
        return found if found in of_words.values() else "-"
    return classes[f"{side}.{level}"].get(there, "-")


def _token_tag(place: str, use: Use) -> str:
    return {
        "source.first": use.tags[use.begin],
        "source.last": use.tags[use.end - 1],
        "source.before": use.tags[use.begin - 1],
        "source.after": use.tags[min(use.end, len(use.tags) - 1)],
    }[place]


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
