"""Which kind of model is built if the user names none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.text.languages import base_language

if TYPE_CHECKING:
    from demotic.features.dense import Kind

__all__ = ["default_kind"]

_VERB_FINAL = frozenset(
    "ja ko mn"  # Japanese, Korean, Mongolian
    " tr az kk ky tk tt ug uz"  # Turkic
    " hi ur bn mr gu pa ne si as or"  # Indo-Aryan
    " ta te kn ml"  # Dravidian
    " fa ps ku am ti eu my bo ka".split()
)


def default_kind(source_language: str, target_language: str) -> Kind:
    """Hiero if the verb is last in one of the languages only, so that it moves far, else phrases.

    Phrases are several times as fast, and better for some other pairs (docs/models-results.md).
    They are also the default for a language that is not named.
    """
    if not (source_language and target_language):
        return "phrase"
    final = [base_language(one) in _VERB_FINAL for one in (source_language, target_language)]
    return "hiero" if final[0] != final[1] else "phrase"
