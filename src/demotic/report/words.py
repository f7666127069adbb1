"""Figures in plain words: durations, sizes, significance, names of settings."""

from __future__ import annotations

import re

__all__ = ["difference", "duration", "megabytes", "plain_name", "plain_value", "short_duration"]

_SIGNIFICANT = 0.05


def duration(seconds: float) -> str:
    """As people say it: "4 minutes 10 seconds"."""
    if seconds < 1:
        return f"{seconds:.1f} seconds"
    whole = round(seconds)
    parts = [(whole // 3600, "hour"), (whole // 60 % 60, "minute"), (whole % 60, "second")]
    named = [f"{n} {name}{'s' * (n != 1)}" for n, name in parts if n]
    return " ".join(named[:2])


def short_duration(seconds: float) -> str:
    """For tables: "4 min 10 s"."""
    text = duration(seconds)
    for word, unit in (("hour", "h"), ("minute", "min"), ("second", "s")):
        text = text.replace(f" {word}s", f" {unit}").replace(f" {word}", f" {unit}")
    return text


def megabytes(size: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:,.0f} {unit}" if size >= 100 or unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError("unreachable")


def difference(points: float, other: str, p_value: float) -> str:
    """A difference in a score and whether it may be chance: "better than built, p < 0.001"."""
    # No line ends inside of "p < 0.001".
    p = "p\u00a0<\u00a00.001" if p_value < 0.001 else f"p\u00a0=\u00a0{p_value:.3f}"
    if p_value >= _SIGNIFICANT:
        return f"no significant difference from {other}, {p}"
    return f"{'better' if points > 0 else 'worse'} than {other}, {p}"


def plain_name(key: str) -> str:
    """The name of an option or a figure without its underscores."""
    return key.replace("_", " ").replace(".", ": ").strip()


def plain_value(value: object) -> str:
    """The value of an option for people; names of options in it lose their underscores too."""
    text = str(value)
    known = {"None": "not set", "True": "yes", "False": "no"}
    return known.get(text) or re.sub(r"\b[a-z]+(_[a-z]+)+\b", lambda m: plain_name(m[0]), text)
