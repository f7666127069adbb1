"""The flags of `demotic translate` for documents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from demotic.documents.formats import FORMATS

__all__ = ["document_flags", "refuse_document_as_model"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def document_flags(function: _Command) -> _Command:
    """--file, --file-format and --retranslate."""
    for option in (
        click.option(
            "--retranslate",
            is_flag=True,
            help="With --file: replace translations that a document has already.",
        ),
        click.option(
            "--file-format",
            type=click.Choice(tuple(FORMATS)),
            help="Format of documents (default: by the suffix of the name).",
        ),
        click.option(
            "--file",
            "documents",
            is_flag=True,
            help="Translate each FILE as a document: PO, XLIFF, TMX, HTML, Markdown, SRT or DOCX.",
        ),
    ):
        function = option(function)
    return function


def refuse_document_as_model(path: str) -> None:
    """A document in the place of the model is most likely meant to be translated."""
    from demotic.text.markup import kind_by_name

    kind = kind_by_name(path)
    if kind and Path(path).is_file():
        raise click.UsageError(
            f"{path} looks like a {kind} file, not a model; give the model first: "
            f"demotic translate MODEL --file {path} -o FILE"
        )
