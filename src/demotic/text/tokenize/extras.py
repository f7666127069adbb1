"""Optional packages: imported on first use, with installation advice if they are missing."""

from __future__ import annotations

import importlib.util
import re
import warnings
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

from demotic.errors import Error
from demotic.text.tokenize.characters import FLAG, marks

__all__ = ["installed", "keep_emoji_whole", "load", "package_version", "require"]


def installed(package: str) -> bool:
    """Whether the package can be imported, without importing it."""
    return _found(package) is not None


def _found(package: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(package)
    except (ImportError, ValueError):  # raised for a module that is blocked from import
        return None


def load(package: str, extra: str) -> Any:
    """The package, or an Error with installation advice."""
    try:
        with warnings.catch_warnings():
            # Suppress warnings about the package's own source, which users cannot fix.
            warnings.simplefilter("ignore")
            return import_module(package)
    except ImportError:
        raise _missing(package, extra) from None


def require(package: str, extra: str) -> None:
    """Raises the Error of `load` without importing the package."""
    if not installed(package):
        raise _missing(package, extra)


def _missing(package: str, extra: str) -> Error:
    return Error(
        f"the tokeniser {package!r}, but the Python package {package} is not installed",
        expected="an installed tokeniser",
        advice=f"pip install 'demotic[{extra}]', or choose the tokeniser builtin",
    )


def package_version(package: str) -> str:
    """The version that is installed, or "unknown".

    Read off the name of its folder of metadata where there is one, because Python's own
    importlib.metadata takes as long to import as a model to open.
    """
    name = package.replace("-", "_")
    spec = _found(name)
    for home in (spec and spec.submodule_search_locations) or ():
        for folder in Path(home).parent.glob(f"{name}-*.dist-info"):
            return folder.name.removeprefix(f"{name}-").removesuffix(".dist-info")
    return _recorded_version(package)


def _recorded_version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def keep_emoji_whole(cut: Callable[[str], list[str]], line: str) -> list[str]:
    """The result of `cut`, but without splitting emoji that consist of several characters."""
    if line.isascii() or _emoji().search(line) is None:
        return cut(line)
    tokens: list[str] = []
    end = 0
    for picture in _emoji().finditer(line):
        tokens += [*cut(line[end : picture.start()]), picture[0]]
        end = picture.end()
    return tokens + cut(line[end:])


@cache
def _emoji() -> re.Pattern[str]:
    """Flags, and signs joined to one emoji by a joiner, a skin tone or a variation selector."""
    sign, more = rf"[^\w\s{marks()}]", f"[{marks()}]"
    return re.compile(rf"{FLAG}|{sign}{more}+(?:(?<=\u200d){sign}{more}*)*")
