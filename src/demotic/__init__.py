"""Statistical machine translation for everyone: two text files in, a tuned translator out.

Names are imported when they are first used, so that `demotic --help` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demotic.errors import Error, FormatError, IoError, ModelError, SearchError

__version__ = "0.1.0"

_HOME = {
    "Error": "errors",
    "FormatError": "errors",
    "IoError": "errors",
    "ModelError": "errors",
    "SearchError": "errors",
}

__all__ = ["Error", "FormatError", "IoError", "ModelError", "SearchError", "__version__"]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'demotic' has no attribute {name!r}")
    return getattr(import_module(f"demotic.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
