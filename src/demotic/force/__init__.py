"""Forced decoding: all derivations of a corpus that yield its references, exactly.

    reachability = force(model, sources, references, path="gold.bin")
    gold = GoldForests.open("gold.bin", model, reachability.sources)

Names are imported on first use, because the --help of a verb only needs the options.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demotic.force.gold import GoldForests
    from demotic.force.options import ForceOptions
    from demotic.force.run import Reachability, force

_HOME = {
    "ForceOptions": "options",
    "GoldForests": "gold",
    "Reachability": "run",
    "force": "run",
}

__all__ = ["ForceOptions", "GoldForests", "Reachability", "force"]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
