"""Packages that are not in the base install: imported when used, asked for when missing."""

from __future__ import annotations

import importlib.util
import warnings
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from demotic.errors import Error

__all__ = ["installed", "load", "package_version"]


def installed(package: str) -> bool:
    """Whether the package can be imported; it is not imported for that."""
    try:
        return importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):  # what a module that is hidden from import gives
        return False


def load(package: str, extra: str) -> Any:
    """The package, or an Error that says how to get it."""
    try:
        with warnings.catch_warnings():
            # Remarks of its author's Python on its source; nothing that a user could mend.
            warnings.simplefilter("ignore")
            return import_module(package)
    except ImportError:
        raise Error(
            f"the tokeniser {package!r}, and Python's {package} is not installed",
            expected="a tokeniser that is installed",
            advice=f"pip install 'demotic[{extra}]', or choose the tokeniser builtin",
        ) from None


def package_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
