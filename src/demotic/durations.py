"""Durations in words."""

from __future__ import annotations

__all__ = ["duration", "short_duration"]


def duration(seconds: float) -> str:
    """In words: "4 minutes 10 seconds"."""
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
