"""Forced decoding: all derivations of a corpus that yield its references, exactly.

    reachability = force(model, sources, references, path="gold.bin")
    gold = GoldForests.open("gold.bin", model, reachability.sources)

Names are imported on first use, because the --help of a verb only needs the options.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.lazy import lazy_names

if TYPE_CHECKING:
    from demotic.force.gold import GoldForests
    from demotic.force.options import ForceOptions
    from demotic.force.run import Reachability, force

_MODULES = {
    "ForceOptions": ".options",
    "GoldForests": ".gold",
    "Reachability": ".run",
    "force": ".run",
}

__all__ = ["ForceOptions", "GoldForests", "Reachability", "force"]

__getattr__, __dir__ = lazy_names(__name__, _MODULES, __all__)
