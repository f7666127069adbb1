"""What stands between the parts of compounds, by language: linking elements and lost endings.

A pair ("s", "") turns "Aktions" into "Aktion", ("", "e") turns "Schul" into "Schule".
"""

from __future__ import annotations

from functools import cache

from demotic.text.languages import base_language, words

__all__ = ["COMPOUNDING", "NOUN_CAPITALS", "conjunctions_of", "endings_of", "links_of"]

# Written ending > ending of the word.
_LINKS = {
    "de": "s> es> n> en> ens> er> e> >e s>e",
    "nl": "s> en> n> e> er>",
    "af": "s> e> en>",
    "sv": "s> e> >a o>a u>a e>a >e",
    "da": "s> e> er> >e",
    "nb": "s> e> >e",
    "nn": "s> e> ar> >e e>a",
    "no": "s> e> >e",
    "is": "s> ar> a> u>a na>a a>i u>i",
    "fi": "n> s>nen",
    "et": "s>ne e> >e",
    "hu": "",
}

# "Fußball- und Handballspieler": a hyphen stands for the part that follows later.
_CONJUNCTIONS = {
    "de": "und oder sowie bzw. bis",
    "nl": "en of",
    "af": "en of",
    "sv": "och eller",
    "da": "og eller",
    "nb": "og eller",
    "nn": "og eller",
    "no": "og eller",
    "is": "og eða",
    "fi": "ja tai sekä",
    "et": "ja või ning",
    "hu": "és vagy",
}

# Articles and other words that look like endings: "lachender" is not "lachen der".
_ENDINGS = {
    "de": "der die das des dem den ein eine einer eines einem einen ihr ihn ist bei",
    "nl": "een het den der",
    "af": "die een",
    "sv": "den det ett des dem har",
    "da": "den det der des dem har",
    "nb": "den det der dem har",
    "nn": "den det der dei har",
    "no": "den det der dem har",
    "is": "inn hin sem var",
    "fi": "hän jos niin",
    "et": "kes see oli",
    "hu": "nak nek ban ból ből hoz hez ért",
}

COMPOUNDING = frozenset(_LINKS)
"""Languages that write compounds as one word."""

NOUN_CAPITALS = frozenset(["de"])
"""Of these, those in which every noun has a capital; in the others it marks a name."""


@cache
def links_of(language: str) -> tuple[tuple[str, str], ...]:
    """Pairs of a written ending and the ending of the word that it stands for."""
    pairs = (pair.partition(">") for pair in _LINKS.get(base_language(language), "").split())
    return tuple((written, ending) for written, _, ending in pairs)


@cache
def endings_of(language: str) -> frozenset[str]:
    """Words that are never the last part of a compound."""
    return words(_ENDINGS.get(base_language(language), ""))


@cache
def conjunctions_of(language: str) -> frozenset[str]:
    return words(_CONJUNCTIONS.get(base_language(language), ""))
