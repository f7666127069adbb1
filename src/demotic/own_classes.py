"""Classes of the user's own: learners, metrics and update rules that the package does not have; and
functions, such as features.

A class is named in one of three ways:

    measure.py:Precision      in a Python file
    package.module:Precision  in a module that Python can import
    precision                 by an entry point of an installed package

Entry points have the groups `demotic.learners`, `demotic.metrics` and `demotic.update_rules`.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from demotic.errors import FormatError, InputError
from demotic.suggestions import closest_name, did_you_mean

__all__ = [
    "OwnClass",
    "OwnFunction",
    "class_name",
    "code_digest",
    "entry_points_of",
    "is_own",
    "load_class",
    "load_function",
]

_FILE_MODULE = "demotic_own_"  # begins the names of modules that are files of the user


@dataclass(frozen=True)
class OwnClass:
    """A class, and what tells its present code from another version."""

    cls: type
    digest: str


@dataclass(frozen=True)
class OwnFunction:
    """A function, and what tells its present code from another version."""

    function: Callable[..., Any]
    digest: str


def is_own(name: str) -> bool:
    """Whether a name is a class in a file or module, not a short name."""
    return ":" in name


def class_name(cls: type) -> str:
    """The name of a class in texts: with its module, or with the name of the user's file."""
    home = cls.__module__
    if home.startswith(_FILE_MODULE):
        home = home.removeprefix(_FILE_MODULE).rpartition("_")[0]
    return f"{home}.{cls.__qualname__}"


def entry_points_of(group: str) -> dict[str, str]:
    """Names that installed packages give to their classes, and module:Class of each."""
    from importlib.metadata import entry_points

    return {one.name: one.value for one in entry_points(group=group)}


def load_class(name: str, base: str) -> OwnClass:
    """The class of `file.py:Class` or `module:Class`; `base` says in words what it has to be."""
    home, wanted, module = _located(name, "class", "Class", base)
    found = getattr(module, wanted, None)
    if not isinstance(found, type):
        known = [key for key, value in vars(module).items() if _is_public_class(key, value, module)]
        near = did_you_mean(closest_name(wanted, known))
        has = f"it has {', '.join(known)}" if known else "it has none of its own"
        raise InputError(f"no class {wanted}", path=home, expected=f"{base}; {has}{near}")
    return OwnClass(found, _digest(module))


def load_function(name: str, base: str, mark: str) -> OwnFunction:
    """The function of `file.py:function` or `module:function` that has the attribute `mark`."""
    home, wanted, module = _located(name, "function", "function", base)
    found = getattr(module, wanted, None)
    if not callable(found) or not hasattr(found, mark):
        known = [key for key, value in vars(module).items() if hasattr(value, mark)]
        near = did_you_mean(closest_name(wanted, known))
        has = f"it has {', '.join(known)}" if known else "it has none"
        raise InputError(f"no function {wanted}", path=home, expected=f"{base}; {has}{near}")
    return OwnFunction(found, _digest(module))


def code_digest(name: str) -> str:
    """What `load_function` gives as the digest, without running the file; empty without a file."""
    home = Path(name.rpartition(":")[0])
    if home.suffix == ".py":
        return hashlib.sha256(home.read_bytes()).hexdigest() if home.is_file() else ""
    try:
        spec = importlib.util.find_spec(str(home))
    except (ImportError, ValueError):
        return ""
    file = spec.origin if spec is not None and spec.has_location else None
    return hashlib.sha256(Path(file).read_bytes()).hexdigest() if file else str(home)


def _located(name: str, what: str, example: str, base: str) -> tuple[str, str, ModuleType]:
    """The file or module before the colon, the name after it, and the module itself."""
    home, _, wanted = name.rpartition(":")
    if not home or not wanted.isidentifier():
        raise InputError(
            f"{name!r} does not name a {what}",
            expected=f"file.py:{example} or module:{example}",
            advice=f"{example} is {base}",
        )
    path = Path(home)
    return home, wanted, _from_file(path) if path.suffix == ".py" else _imported(home)


def _is_public_class(name: str, value: object, module: ModuleType) -> bool:
    own = isinstance(value, type) and value.__module__ == module.__name__
    return own and not name.startswith("_")


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise InputError("no such file", path=path, expected="a Python file that defines the class")
    # Its own name for each file: dataclasses and pickles look their module up by name.
    place = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]
    name = f"{_FILE_MODULE}{path.stem}_{place}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise InputError("not a Python file", path=path, expected="a file that ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        # Not by the loader, whose cached bytecode may be of a version of the same second and size.
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)
    except SyntaxError as error:
        raise FormatError(
            f"{error.msg}", path=path, line=error.lineno or 0, expected="Python"
        ) from None
    except Exception as error:
        raise FormatError(
            f"{type(error).__name__}: {error}",
            path=path,
            line=_line_in(path, error),
            expected="a file that Python can import",
            advice=f"try it with python {path}",
        ) from error
    return module


def _line_in(path: Path, error: Exception) -> int:
    """The last line of the file that the error went through; 0 if there is none."""
    lines = [
        frame.lineno or 0
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename) == path or Path(frame.filename) == path.resolve()
    ]
    return lines[-1] if lines else 0


def _imported(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise InputError(
            f"the module {name} cannot be imported: {error}",
            expected="a file that ends in .py, or a module that is installed",
            advice="give file.py:Class for a class in a file",
        ) from error


def _digest(module: ModuleType) -> str:
    file = getattr(module, "__file__", None)
    return hashlib.sha256(Path(file).read_bytes()).hexdigest() if file else module.__name__
