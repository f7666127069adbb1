"""The versions that a result was made with."""

from __future__ import annotations

import platform

__all__ = ["versions"]


def versions() -> dict[str, str]:
    """By name."""
    import numpy as np

    from demotic import __version__

    return {
        "demotic": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "machine": f"{platform.system()} {platform.machine()}",
    }
