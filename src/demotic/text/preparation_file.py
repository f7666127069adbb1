"""`preparation.toml`: all choices of a preparation; reading reports all errors at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from demotic import __version__
from demotic.options import declared
from demotic.text.preparation import Preparation, PrepareOptions, Side
from demotic.text.tokenize import tokenizer_for
from demotic.toml import checked_toml, write_toml

__all__ = ["read_preparation", "write_preparation"]

_HEADER = """\
How the text next to this file was prepared. `demotic prepare --like` prepares more text in the same
way, and a model that keeps this file translates raw text.
"""
_ADVICE = "give a directory written by demotic prepare or demotic build"


def write_preparation(preparation: Preparation, path: Path) -> None:
    options = {
        known.name: getattr(preparation.options, known.name) for known in declared(PrepareOptions)
    }
    sections: dict[str, dict[str, Any]] = {"options": options}
    for name, side in zip(("source", "target"), preparation.sides, strict=False):
        sections[name] = {
            "language": side.language,
            "tokenizer": side.tokenizer.name,
            "version": side.tokenizer.version,
        }
    sections["counts"] = dict(preparation.counts)
    first = {"demotic": __version__, "work": preparation.work or None}
    write_toml(path, {**first, **sections}, header=_HEADER)


def read_preparation(path: Path) -> Preparation:
    from demotic.text.preparation_schema import PreparationFile

    checked = checked_toml(path, PreparationFile, advice=_ADVICE).model_dump()
    options = PrepareOptions(**checked["options"])
    notices: list[str] = []
    sides = [
        _side(checked[name], options, path, notices)
        for name in ("source", "target")
        if checked[name]
    ]
    target = sides[1] if len(sides) > 1 else None
    return Preparation(options, sides[0], target, checked["counts"], notices, work=checked["work"])


def _side(stored: dict[str, str], options: PrepareOptions, path: Path, notices: list[str]) -> Side:
    language, name, version = stored["language"], stored["tokenizer"], stored["version"]
    tokenizer = tokenizer_for(language, name)
    if tokenizer.version != version:
        notices.append(
            f"{path}: prepared with tokeniser {name} {version}, installed is {tokenizer.version}; "
            "some words may be split differently"
        )
    side = Side(language, tokenizer, options)
    side.load_learnt(path.parent)
    return side
