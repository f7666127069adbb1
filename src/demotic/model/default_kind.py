"""Which kind of model is built if the user names none."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    """Hiero if the verb is last in one of the languages only: it then moves far.

    Phrases for other pairs, which are about as good there and faster (docs/models.md).
    """
    final = [
        language.replace("_", "-").split("-")[0].lower() in _VERB_FINAL
        for language in (source_language, target_language)
    ]
    return "hiero" if final[0] != final[1] and source_language and target_language else "phrase"
