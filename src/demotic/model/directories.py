"""Describes a path that is not the expected model, and suggests a command for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from demotic.errors import ModelError
from demotic.suggestions import closest_path, quoted

__all__ = ["DirectoryContents", "directory_contents", "no_model"]

_MODEL_NAME = "model.toml"
_SHOWN = 8  # maximum number of models listed
_MAKERS = "demotic make, build, import, tune or train"


@dataclass(frozen=True)
class DirectoryContents:
    """What the directory holds, and the next command for it; both may be empty."""

    what: str
    command: str = ""
    models: tuple[str, ...] = ()
    verb: str = ""
    """The verb that left its work here unfinished."""
    ours: bool = True
    """Whether Demotic wrote it; other verbs then do not write into it."""


def directory_contents(path: Path) -> DirectoryContents:
    """Decided by the names of the files."""
    if not path.is_dir():
        return DirectoryContents("a file" if path.exists() else "")
    for found in _FINDERS:
        if held := found(path):
            return held
    what = "a directory without a model" if any(path.iterdir()) else "an empty directory"
    return DirectoryContents(what, ours=False)


def no_model(path: Path) -> ModelError:
    """The error for a path without a model."""
    held = directory_contents(path)
    expected = f"a directory that {_MAKERS} has made"
    if not held.what:
        near = closest_path(path)
        return ModelError(
            "no such directory",
            path=path,
            expected="a model" if near else expected,
            advice=f"did you mean {near}?" if near else "",
        )
    if held.models:
        return ModelError(held.what, path=path, expected="one model", advice=_listed(held.models))
    found = f"{held.what}, not a model of Demotic" if held.ours else "no model in it"
    advice = f"next: {held.command}" if held.command else ""
    return ModelError(found, path=path, expected=expected, advice=advice)


def _listed(models: tuple[str, ...]) -> str:
    more = f" and {len(models) - _SHOWN} more" if len(models) > _SHOWN else ""
    return f"give one of {', '.join(models[:_SHOWN])}{more}"


def _prepared(path: Path) -> DirectoryContents | None:
    if not (path / "preparation.toml").exists():
        return None
    texts = sorted(path.glob("corpus.*"))
    sides = [text for text in texts if not text.name.endswith((".tsv", ".gz"))]
    if len(sides) != 2:
        return DirectoryContents("a prepared text")
    source, target = map(quoted, _by_side(path, sides))
    return DirectoryContents(
        "a prepared corpus", f"demotic build --src {source} --tgt {target} -o {quoted(path)}-model"
    )


def _by_side(path: Path, sides: list[Path]) -> list[Path]:
    """Source first, according to preparation.toml."""
    import tomllib

    try:
        stored = tomllib.loads((path / "preparation.toml").read_text(encoding="utf-8"))
        language = stored["source"]["language"]
    except (OSError, ValueError, KeyError, TypeError):
        return sides
    return sorted(sides, key=lambda side: side.name != f"corpus.{language}")


def _forced(path: Path) -> DirectoryContents | None:
    if not (path / "gold.bin").exists():
        return None
    return DirectoryContents("gold forests of demotic force (read report.html there)")


def _foreign(path: Path) -> DirectoryContents | None:
    for name, toolkit in (
        ("moses.ini", "Moses"),
        ("cdec.ini", "cdec"),
        ("joshua.config", "Joshua"),
    ):
        if (path / name).exists():
            command = f"demotic import {quoted(path / name)} -o {quoted(path)}-model"
            return DirectoryContents(f"a model of {toolkit}", command)
    return None


def _unfinished(path: Path) -> DirectoryContents | None:
    for pattern, verb in (
        ("work/command.json", "make"),
        ("work/corpus*", "build"),
        ("runs/*/rounds.jsonl", "tune"),
        ("training/*", "train"),
    ):
        if any(path.glob(pattern)):
            what = f"an unfinished demotic {verb} (run the same command again to resume it)"
            return DirectoryContents(what, verb=verb)
    return None


def _models(path: Path) -> DirectoryContents | None:
    found = tuple(str(one.parent) for one in sorted(path.glob(f"*/{_MODEL_NAME}")))
    if not found:
        return None
    number = "1 model" if len(found) == 1 else f"{len(found)} models"
    command = f"demotic info {quoted(found[0])}"
    return DirectoryContents(f"a folder with {number} in it", command, models=found, ours=False)


_FINDERS: tuple[Callable[[Path], DirectoryContents | None], ...] = (
    _unfinished,
    _prepared,
    _forced,
    _foreign,
    _models,
)
