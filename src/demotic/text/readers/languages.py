"""Matches the language tags of a file with the requested languages.

`zh` matches `zh`, `zh-CN` and `zh_TW`; `zh-CN` matches `zh-CN` and plain `zh`, but not `zh-TW`,
since a region is only named when it matters.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["directed", "language_fit"]


@lru_cache(maxsize=1024)  # a file repeats the same few tags in every unit
def language_fit(wanted: str, tag: str) -> int:
    """0 if `tag` is another language, else how well it matches; 3 is identical."""
    wanted_parts, tag_parts = _subtags(wanted), _subtags(tag)
    if wanted_parts == tag_parts:
        return 3
    shared = min(len(wanted_parts), len(tag_parts))
    if wanted_parts[:shared] != tag_parts[:shared]:
        return 0
    return 2 if len(tag_parts) > shared else 1


def directed(source: str, target: str, tags: tuple[str, str]) -> int:
    """1 if a file with these two languages holds source-target pairs, -1 target-source, 0 neither.

    An empty tag means that the file does not specify it; it matches any language.
    """

    def fits(wanted: str, tag: str) -> bool:
        return not tag or language_fit(wanted, tag) > 0

    if fits(source, tags[0]) and fits(target, tags[1]):
        return 1
    return -1 if fits(target, tags[0]) and fits(source, tags[1]) else 0


def _subtags(tag: str) -> list[str]:
    # PO headers may carry a locale's charset and modifier: sr_RS.UTF-8@latin.
    plain = tag.strip().lower().partition("@")[0].partition(".")[0]
    return plain.replace("_", "-").split("-")
