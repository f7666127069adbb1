"""What is wrong with a path that should be a model's directory and is not."""

from __future__ import annotations

import errno
from pathlib import Path

from demotic.errors import IoError

__all__ = ["not_a_model"]

_MODEL = "model.toml"
_LISTED = 3  # models beside or below that are named


def not_a_model(path: Path) -> IoError:
    """The error for a path without model.toml, with the likely way out."""
    found, advice = _judged(path)
    error = IoError(found, path=str(path), expected="the directory of a model", advice=advice)
    error.errno = errno.ENOENT  # the message has said it in its own words
    return error


def _judged(path: Path) -> tuple[str, str]:
    if not path.exists():
        return "no such directory", _models_in(path.parent, "beside it") or _MADE
    if not path.is_dir():
        return "a file", _models_in(path.parent, "beside it") or _MADE
    if (path / "runs").is_dir() or (path / "training").is_dir() or (path / "work").is_dir():
        return f"no {_MODEL}: work that was not finished", "the command that began it resumes it"
    corpora = sorted(path.glob("corpus.*"))
    if (path / "preparation.toml").exists() and corpora:
        return (
            "prepared text, no model",
            "build one: demotic build --src CORPUS --tgt CORPUS --model DIRECTORY",
        )
    return f"a directory without {_MODEL}", _models_in(path, "in it") or _MADE


_MADE = "models are made by demotic build, import, tune or train"


def _models_in(folder: Path, where: str) -> str:
    try:
        models = sorted(one.parent for one in folder.glob(f"*/{_MODEL}"))
    except OSError:
        return ""
    more = ", ..." if len(models) > _LISTED else ""
    return f"models {where}: {', '.join(map(str, models[:_LISTED]))}{more}" if models else ""
