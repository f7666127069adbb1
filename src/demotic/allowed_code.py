"""Whose code a model may run: only what the user named or allowed on this computer.

A model with features in Python names the file of each function, which runs when the model is used.
A model that somebody else made could run anything, so it is refused unless

* the user named the function in a template file, as authors of features do, or
* `demotic --allow-code`, or the environment variable DEMOTIC_ALLOW_CODE=1, allowed it.

Both are remembered by an empty file in the user's cache folder, for exactly this name and code.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from demotic.errors import ModelError
from demotic.verified import cache_folder

__all__ = ["ALLOW_CODE", "allow", "require_allowed"]

ALLOW_CODE = "DEMOTIC_ALLOW_CODE"

_allowed: set[Path] = set()  # in this process; the cache folder may be read-only


def allow(name: str, code: str) -> None:
    """Lets models run the function `name` whose file has the digest `code`."""
    marker = _marker(name, code)
    _allowed.add(marker)
    with suppress(OSError):
        marker.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        marker.touch()


def require_allowed(name: str, code: str) -> None:
    """Raises ModelError unless the user allows it."""
    if os.environ.get(ALLOW_CODE) == "1":
        allow(name, code)
    marker = _marker(name, code)
    if marker not in _allowed and not marker.exists():
        raise ModelError(
            f"the model runs Python code, {name}, which was never allowed on this computer",
            expected="code that you trust",
            advice="read it; 'demotic --allow-code VERB ...' allows it from then on",
        )


def _marker(name: str, code: str) -> Path:
    digest = hashlib.sha256(f"{code} {name}".encode("utf-8", "backslashreplace")).hexdigest()
    return cache_folder() / "demotic" / "allowed-code" / digest[:32]
