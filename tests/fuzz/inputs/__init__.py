"""Inputs that a fuzzer found worth keeping: one file per target, one bytes literal per line."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterable
from pathlib import Path

__all__ = ["load", "save"]

FOLDER = Path(__file__).parent


def load(target: str) -> list[bytes]:
    path = FOLDER / f"{target}.txt"
    lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
    return [literal_eval(line) for line in lines]


def save(target: str, inputs: Iterable[bytes]) -> None:
    """Adds inputs to those that are known."""
    known = dict.fromkeys([*load(target), *inputs])
    text = "".join(f"{one!r}\n" for one in sorted(known, key=lambda one: (len(one), one)))
    (FOLDER / f"{target}.txt").write_text(text, encoding="ascii")
