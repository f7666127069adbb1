"""Which kind of model is built if the user names none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.text.languages import base_language

if TYPE_CHECKING:
    from demotic.features.dense import Kind

__all__ = ["default_kind"]

_VERB_LAST = frozenset(
    "ja ko mn"  # Japanese, Korean, Mongolian
    " tr az kk ky tk tt ug uz"  # Turkic
    " hi ur bn mr gu pa ne si as or"  # Indo-Aryan
    " ta te kn ml"  # Dravidian
    " fa ps ku am ti eu my bo ka".split()
)
_CLAUSE_FIRST = frozenset("zh cmn yue wuu nan hak gan hsn".split())
"""The verb is in the middle, but relative clauses are before their noun: the Chinese languages."""


def default_kind(source_language: str, target_language: str) -> Kind:
    """Hiero if the order of words differs much between the languages, else phrases.

    It differs if the verb is last in one of them only, or if relative clauses are before their noun
    in one of them only.  Phrases are several times as fast, better for some other pairs
    (docs/models-results.md), and the default for languages that are not named.
    """
    if not (source_language and target_language):
        return "phrase"
    return "hiero" if _order(source_language) != _order(target_language) else "phrase"


def _order(language: str) -> str:
    base = base_language(language)
    if base in _VERB_LAST:
        return "verb last"
    return "clause first" if base in _CLAUSE_FIRST else "other"
