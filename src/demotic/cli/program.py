"""The name by which the user calls this program, for commands to copy."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["program"]


def program() -> str:
    """`demotic` if the shell finds it, else the path by which it was called."""
    called = Path(sys.argv[0])
    if called.stem != "demotic" or called.parent == Path("."):
        return "demotic"
    found = os.environ.get("PATH", "").split(os.pathsep)
    known = called.is_absolute() and str(called.parent) in found
    return "demotic" if known else str(called)
