"""What features of the user's own have cost."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demotic.cli.screen import Screen

__all__ = ["note_own_costs"]


def note_own_costs(screen: Screen) -> None:
    """Calls and time of each function that was called; nothing without such features."""
    own = sys.modules.get("demotic.features.own")
    for name, cost in own.costs().items() if own else ():
        each = 1e6 * cost.seconds / cost.calls
        screen.note(
            f"{name}: {cost.calls:,} calls, {cost.seconds:.1f} s, {each:.0f} microseconds per call"
        )
