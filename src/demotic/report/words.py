"""Results in plain words: significance, names of settings."""

from __future__ import annotations

import re

__all__ = ["difference", "plain_name", "plain_value"]

_SIGNIFICANT = 0.05


def difference(other: str, p_value: float, *, better: bool) -> str:
    """A score difference and its significance: "better than built, p < 0.001"."""
    # No line break inside "p < 0.001".
    p = "p\u00a0<\u00a00.001" if p_value < 0.001 else f"p\u00a0=\u00a0{p_value:.3f}"
    if p_value >= _SIGNIFICANT:
        return f"no significant difference from {other}, {p}"
    return f"{'better' if better else 'worse'} than {other}, {p}"


def plain_name(key: str) -> str:
    """The name of an option or a number without its underscores."""
    return key.replace("_", " ").replace(".", ": ").strip()


def plain_value(value: object) -> str:
    """The value of an option as text; option names in it lose their underscores too."""
    text = str(value)
    known = {"None": "not set", "True": "yes", "False": "no"}
    return known.get(text) or re.sub(r"\b[a-z]+(_[a-z]+)+\b", lambda m: plain_name(m[0]), text)
