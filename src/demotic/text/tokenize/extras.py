"""Packages that are not in the base install: imported when used, asked for when missing."""

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

__all__ = ["installed", "load", "package_version", "require", "with_whole_pictures"]


def installed(package: str) -> bool:
    """Whether the package can be imported; it is not imported for that."""
    return _found(package) is not None


def _found(package: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(package)
    except (ImportError, ValueError):  # what a module that is hidden from import gives
        return None


def load(package: str, extra: str) -> Any:
    """The package, or an Error that says how to get it."""
    try:
        with warnings.catch_warnings():
            # Remarks of its author's Python on its source; nothing that a user could mend.
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
        f"the tokeniser {package!r}, and Python's {package} is not installed",
        expected="a tokeniser that is installed",
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


def with_whole_pictures(cut: Callable[[str], list[str]], line: str) -> list[str]:
    """What `cut` gives, except that no emoji of several characters is cut."""
    if line.isascii() or _pictures().search(line) is None:
        return cut(line)
    tokens: list[str] = []
    end = 0
    for picture in _pictures().finditer(line):
        tokens += [*cut(line[end : picture.start()]), picture[0]]
        end = picture.end()
    return tokens + cut(line[end:])


@cache
def _pictures() -> re.Pattern[str]:
    """Flags, and signs that a joiner, a colour or a variation selector makes one picture."""
    sign, more = rf"[^\w\s{marks()}]", f"[{marks()}]"
    return re.compile(rf"{FLAG}|{sign}{more}+(?:(?<=\u200d){sign}{more}*)*")
