"""`preparation.toml`: all choices of a preparation; reading reports all errors at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from demotic import __version__
from demotic.errors import Error
from demotic.options import declared
from demotic.schema import Condition
from demotic.text.compound_words import CompoundForm
from demotic.text.languages import checked_language
from demotic.text.preparation import Preparation, PrepareOptions, Side
from demotic.text.tokenize import tokenizer_for
from demotic.toml import checked_toml, write_toml

__all__ = ["read_preparation", "write_preparation"]

_HEADER = """\
How the text next to this file was prepared. `demotic prepare --like` prepares more text in the same
way, and a model that keeps this file translates raw text.
"""
_ADVICE = "give a directory written by demotic prepare or demotic build"


def _is_language(code: str) -> bool:
    try:
        checked_language(code)
    except Error:
        return False
    return True


_Language = Annotated[str, Condition("a language code such as en, de, zh or pt-BR", _is_language)]


@dataclass(frozen=True, kw_only=True)
class _Side:
    """[source] and [target]"""

    language: _Language
    tokenizer: str
    version: str
    compounds: CompoundForm | None = None


@dataclass(frozen=True, kw_only=True)
class _File:
    """The whole file."""

    demotic: str
    work: str = ""
    options: PrepareOptions
    source: _Side
    target: _Side | None = None
    counts: dict[str, int] = field(default_factory=dict)


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
            "compounds": side.compound_form,
        }
    sections["counts"] = dict(preparation.counts)
    first = {"demotic": __version__, "work": preparation.work or None}
    write_toml(path, {**first, **sections}, header=_HEADER)


def read_preparation(path: Path) -> Preparation:
    stored = checked_toml(path, _File, advice=_ADVICE)
    notices: list[str] = []
    source = _side(stored.source, stored.options, path, notices)
    target = _side(stored.target, stored.options, path, notices) if stored.target else None
    return Preparation(stored.options, source, target, stored.counts, notices, work=stored.work)


def _side(stored: _Side, options: PrepareOptions, path: Path, notices: list[str]) -> Side:
    tokenizer = tokenizer_for(stored.language, stored.tokenizer)
    if tokenizer.version != stored.version:
        notices.append(
            f"{path}: prepared with tokeniser {stored.tokenizer} {stored.version}, installed is "
            f"{tokenizer.version}; some words may be split differently"
        )
    side = Side(stored.language, tokenizer, options, compound_form=stored.compounds)
    side.load_learnt(path.parent)
    return side
