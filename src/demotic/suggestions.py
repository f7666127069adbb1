"""Suggestions for names that do not exist, and quoting of paths in messages."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice

__all__ = ["closest_name", "closest_path", "did_you_mean", "quoted"]

_LOOKED_AT = 10_000  # maximum number of names examined per folder
_ALIKE = 0.7


def closest_name(word: str, known: Iterable[str]) -> str:
    """The known name most similar to `word`; empty if none is similar."""
    by_lower = {name.lower(): name for name in known}
    found = get_close_matches(word.lower(), by_lower, n=1, cutoff=_ALIKE)
    return by_lower[found[0]] if found else ""


def closest_path(path: str | os.PathLike[str]) -> str:
    """A path with a similar name in the same folder; empty if there is none."""
    folder, name = os.path.split(os.fspath(path).rstrip("/\\"))
    try:
        with os.scandir(folder or ".") as entries:
            names = [entry.name for entry in islice(entries, _LOOKED_AT)]
    except OSError:
        return ""
    found = closest_name(name, (one for one in names if one != name))
    return os.path.join(folder, found) if found else ""


def did_you_mean(name: str) -> str:
    """The end of a message; empty if there is no suggestion."""
    return f"; did you mean {name}?" if name else ""


def quoted(path: str | os.PathLike[str]) -> str:
    """A path quoted for a shell command."""
    return shlex.quote(os.fspath(path))
