"""Names of a package that are imported on first use, so that `demotic --help` is fast.

__getattr__, __dir__ = lazy_names(__name__, {"Corpus": ".corpus"}, __all__)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

__all__ = ["lazy_names"]


def lazy_names(
    package: str, modules: Mapping[str, str], names: Sequence[str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package; `modules` has the defining module of each name."""

    def find(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(modules[name], package), name)

    return find, lambda: sorted(names)
