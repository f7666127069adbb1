"""Tiny settings, to see in seconds whether an experiment file works."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["quickly"]

_CORPUS = {"train": 400, "dev": 32, "test": 16}
_SEARCH = {"beam_size": 4, "pop_limit": 12}
_STEPS: dict[str, dict[str, Any]] = {
    "tune": {"rounds": 2, "nbest": 20, "min_bleu": 0.0},
    "train": {"epochs": 1, "max_words": 12, "min_bleu": 0.0},
    "force": {"pairs": 40, "max_nodes": 20_000},
}
_VALUES = 2  # of each axis


def quickly(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The same file with few sentences, one seed, small beams and the first values of axes."""
    corpus = {**raw.get("corpus", {}), **_CORPUS}
    if corpus.get("held_out"):
        corpus["held_out"] = 8
    return {
        **raw,
        "seeds": 1,
        "sheet": min(raw.get("sheet", 0), 3),
        "corpus": corpus,
        "vary": [{**axis, "values": axis["values"][:_VALUES]} for axis in raw.get("vary", [])],
        "systems": {name: _system(one) for name, one in raw["systems"].items()},
    }


def _system(raw: Mapping[str, Any]) -> dict[str, Any]:
    steps = {name: {**raw[name], **tiny} for name, tiny in _STEPS.items() if name in raw}
    return {**raw, **steps, "search": {**raw.get("search", {}), **_SEARCH}}
