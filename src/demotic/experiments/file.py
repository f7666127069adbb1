"""Reads an experiment file and checks all of it before any work.

settings = read_experiment("y13-figure8")       # a shipped file, or the path of your own
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from demotic.errors import FormatError, IoError
from demotic.experiments.checks import faults_of
from demotic.experiments.quick import quickly
from demotic.experiments.settings import ExperimentSettings
from demotic.schema import checked
from demotic.suggestions import closest_name, did_you_mean
from demotic.toml import read_toml

__all__ = ["Experiment", "find_file", "merged", "read_experiment", "shipped"]

_ADVICE = "docs/experiments.md describes the file"
_KEY = re.compile(r"\s*((?:[A-Za-z0-9_-]+|\"[^\"]*\")(?:\s*\.\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"))*)")


@dataclass(frozen=True)
class Experiment:
    """A checked file."""

    name: str
    settings: ExperimentSettings
    raw: Mapping[str, Any]
    """As written; systems at a point of the axes are made of it."""


def shipped() -> dict[str, Path]:
    """The files of the package by name."""
    folder = Path(str(files("demotic.experiments").joinpath("shipped")))
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def read_experiment(
    name: str, changes: Mapping[str, Any] = {}, *, quick: bool = False
) -> Experiment:
    """A shipped file by its name, or any file by its path; `changes` replace whole keys.

    `quick`: with few sentences and small settings.
    """
    path = find_file(name)
    raw = _with_common(_changed(read_toml(path, advice=_ADVICE), changes))
    settings, faults = checked(ExperimentSettings, raw)
    if settings is not None and quick:
        raw = quickly(raw)
        settings, faults = checked(ExperimentSettings, raw)
    if settings is not None:
        faults = faults_of(settings)
    if settings is None or faults:
        text = path.read_text(encoding="utf-8")
        raise FormatError(
            "; ".join(faults), path=str(path), line=_line_of(text, faults[0]), advice=_ADVICE
        )
    return Experiment(path.stem, settings, raw)


def find_file(name: str) -> Path:
    """The path of an experiment by its name or path. Raises IoError."""
    path, known = Path(name), shipped()
    if path.exists() or path.suffix == ".toml" or "/" in name:
        if not path.exists():
            raise IoError("the file cannot be read", path=name, errno=2, advice=_ADVICE)
        return path
    if name in known:
        return known[name]
    near = did_you_mean(closest_name(name, known))
    raise IoError(
        f"no experiment{near}",
        path=name,
        errno=2,
        advice="demotic experiment --list shows those of the package",
    )


def _changed(raw: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Another corpus has sizes of its own; what is held out belongs to the method."""
    corpus = raw.get("corpus")
    if "corpus" not in changes or not isinstance(corpus, dict) or "held_out" not in corpus:
        return {**raw, **changes}
    return {**raw, **changes, "corpus": {"held_out": corpus["held_out"], **changes["corpus"]}}


def _with_common(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The table `all` holds settings of all systems; a step of it applies to those that have it."""
    common, systems = raw.get("all", {}), raw.get("systems", {})
    values = {name: value for name, value in raw.items() if name != "all"}
    if isinstance(common, dict) and isinstance(systems, dict):
        values["systems"] = {
            name: merged(_fitting(common, one), one) if isinstance(one, dict) else one
            for name, one in systems.items()
        }
    return values


def _fitting(common: Mapping[str, Any], system: Mapping[str, Any]) -> dict[str, Any]:
    steps = ("tune", "train", "force", "learner")
    return {name: value for name, value in common.items() if name not in steps or name in system}


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`over` wins; tables are merged."""
    both = dict(base)
    for name, value in over.items():
        known = both.get(name)
        both[name] = (
            merged(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
        )
    return both


def _line_of(text: str, fault: str) -> int:
    """The line of the key that a fault names; 0 if it is not there."""
    found = re.match(r"(?:unknown key )?([\w.\[\]-]+)", fault)
    wanted = found[1] if found else ""
    best, line = 0, 0
    for number, path in _keys(text):
        depth = path.count(".") + 1
        if (wanted == path or wanted.startswith((f"{path}.", f"{path}["))) and depth > best:
            best, line = depth, number
    return line


def _keys(text: str) -> Iterator[tuple[int, str]]:
    """Line and dotted path of every key and table, arrays of tables with their index."""
    table, counts = "", dict[str, int]()
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*(\[\[?)([^\]]+)\]", line)
        if header:
            table = header[2].strip().replace('"', "")
            if header[1] == "[[":
                place = counts[table] = counts.get(table, -1) + 1
                table = f"{table}[{place}]"
            yield number, table
        elif (key := _KEY.match(line)) and line[key.end() :].lstrip().startswith("="):
            name = key[1].replace('"', "").replace(" ", "")
            yield number, f"{table}.{name}" if table else name
