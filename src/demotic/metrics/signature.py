"""Signatures in sacrebleu's form: equal to sacrebleu's own where the definition is sacrebleu's."""

from __future__ import annotations

from importlib.metadata import version

from demotic import __version__

__all__ = ["signature"]


def signature(number: int | None, items: dict[str, str | int | bool], *, ours: bool = False) -> str:
    """`number` is that of references; `ours` if sacrebleu does not have this definition."""
    made = {"nrefs": "var" if number is None else number, **items}
    made["version"] = f"demotic-{__version__}" if ours else version("sacrebleu")
    return "|".join(f"{key}:{_shown(value)}" for key, value in made.items())


def _shown(value: str | int | bool) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
