"""`preparation.toml`: every choice that was made, readable, with all its faults told at once."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from demotic import __version__
from demotic.errors import FormatError, IoError
from demotic.lines import write_text
from demotic.options import declared
from demotic.text.case import Truecaser
from demotic.text.preparation import Preparation, PrepareOptions, Side, truecase_path
from demotic.text.tokenize import tokenizer_for

__all__ = ["read_preparation", "write_preparation"]

_HEADER = """\
# How the text beside this file was prepared. `demotic prepare --like` prepares further text in the
# same way, and a model that keeps this file takes and gives raw text.
"""


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
    with write_text(path) as file:
        file.write(f"{_HEADER}demotic = {_toml(__version__)}\n")
        for title, values in sections.items():
            file.write(f"\n[{title}]\n")
            file.writelines(
                f"{key} = {_toml(value)}\n" for key, value in values.items() if value is not None
            )


def _toml(value: str | int | float | bool) -> str:
    """A value as TOML; its strings and numbers are written as JSON's are."""
    return json.dumps(value, ensure_ascii=False)


def read_preparation(path: Path) -> Preparation:
    checked = _checked(_parsed(path), path)
    options = PrepareOptions(**checked["options"])
    notices: list[str] = []
    sides = [
        _side(checked[name], options, path, notices)
        for name in ("source", "target")
        if checked[name]
    ]
    return Preparation(
        options, sides[0], sides[1] if len(sides) > 1 else None, checked["counts"], notices
    )


def _side(stored: dict[str, str], options: PrepareOptions, path: Path, notices: list[str]) -> Side:
    language, name, version = stored["language"], stored["tokenizer"], stored["version"]
    tokenizer = tokenizer_for(language, name)
    if tokenizer.version != version:
        notices.append(
            f"{path}: prepared with the tokeniser {name} {version}, here is {tokenizer.version}; "
            "some words may be cut differently"
        )
    truecaser = None
    if options.case == "true":
        truecaser = Truecaser.load(truecase_path(path.parent, language), language)
    return Side(language, tokenizer, options, truecaser)


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise IoError(
            "the file cannot be read",
            path=str(path),
            errno=error.errno or 0,
            advice="give a directory that demotic prepare or demotic build has made",
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _wrong(path, f"text that is not TOML: {error}") from None


def _checked(values: dict[str, Any], path: Path) -> dict[str, Any]:
    from pydantic import ValidationError

    from demotic.text.preparation_schema import PreparationFile

    try:
        return PreparationFile.model_validate(values).model_dump()
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
        raise _wrong(path, "; ".join(faults)) from None


def _wrong(path: Path, found: str) -> FormatError:
    return FormatError(
        found,
        path=str(path),
        expected="the choices that demotic prepare wrote",
        advice="mend the file, or run demotic prepare again",
    )
