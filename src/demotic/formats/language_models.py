"""Copies language models into a model directory and out of it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from demotic.errors import FormatError, IoError
from demotic.lines import LineFile

if TYPE_CHECKING:
    from demotic.formats.tables import TableKind
    from demotic.model import Model

__all__ = ["check_language_model", "copy_language_models", "keep_language_model"]

_FOREIGN = {
    b"mmap lm http://kheafield.com/code": "a binary model of KenLM",
    b"Qblmt": "a binary model of IRSTLM",
    b"blmt": "a binary model of IRSTLM",
}


def keep_language_model(source: Path, directory: Path, index: int) -> str:
    """Stores an ARPA file in a model directory in binary form, which opens at once.

    Returns its name there.
    """
    from demotic.lm.model import LanguageModel

    name = f"lm-{index}.lm"
    LanguageModel.load(source, marks_may_miss=True).save(directory / name)
    return name


def copy_language_models(model: Model, directory: Path, table: TableKind) -> list[str]:
    """Writes the language models of a model to another directory as ARPA; returns their names.

    Words are escaped as in rule tables of the kind `table`, so that the two agree.
    """
    special = any("|" in word or "[" in word for word in model.vocabulary.words())
    return [_written(file, directory, table, special) for file in model.language_models]


def _written(file: Path, directory: Path, table: TableKind, special: bool) -> str:
    """Copies an ARPA file unless it has words that tables escape (`special`)."""
    from demotic._core import TableFormat
    from demotic.lm.model import CONTAINER_MAGIC, LanguageModel

    binary = _magic(file).startswith(CONTAINER_MAGIC)
    name = file.with_suffix(".arpa").name if binary else file.name
    if binary or special:
        LanguageModel.load(file).save(directory / name, table=TableFormat[table])
    else:
        _copy(file, directory / name)
    return name


def _copy(source: Path, target: Path) -> None:
    try:
        shutil.copyfile(source, target)
    except OSError as error:
        raise IoError(
            "the language model cannot be copied",
            path=str(error.filename or source),
            errno=error.errno or 0,
        ) from None


def _magic(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(64)
    except OSError as error:
        raise IoError("the file cannot be read", path=str(path), errno=error.errno or 0) from None


def check_language_model(path: Path) -> None:
    """Refuses anything but an ARPA file before other work is done."""
    magic = _magic(path)
    for beginning, what in _FOREIGN.items():
        if magic.startswith(beginning):
            raise FormatError(
                what,
                path=path,
                expected="an ARPA file",
                advice="give the ARPA file that it was made from",
            )
    first = next(LineFile(path, encoding_errors="replace").chunks()).tolist()
    if "\\data\\" not in (line.strip() for line in first):
        raise FormatError("no \\data\\ line", path=path, expected="an ARPA file")
