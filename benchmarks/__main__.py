"""Runs the named measurements, or all modules of this package that have a `main()`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules

import benchmarks


def found() -> dict[str, Callable[[], None]]:
    """The `main` of every module, by name in alphabetical order."""
    names = sorted(module.name for module in iter_modules(benchmarks.__path__))
    modules = {name: import_module(f"benchmarks.{name}") for name in names if name[0] != "_"}
    return {name: module.main for name, module in modules.items() if hasattr(module, "main")}


def main(wanted: list[str]) -> int:
    known = found()
    unknown = [name for name in wanted if name not in known]
    if unknown:
        print(f"benchmarks: no '{unknown[0]}'; there are {', '.join(known)}", file=sys.stderr)
        return 2
    for name in wanted or known:
        print(f"== {name}", flush=True)
        known[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
