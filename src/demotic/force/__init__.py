"""Forced search: all derivations of a corpus that give its references, exactly.

reachability = force(model, sources, references, path="gold.bin")
gold = GoldForests.open("gold.bin", model, sources)
"""

from demotic.force.gold import GoldForests
from demotic.force.options import ForceOptions
from demotic.force.run import Reachability, force

__all__ = ["ForceOptions", "GoldForests", "Reachability", "force"]
