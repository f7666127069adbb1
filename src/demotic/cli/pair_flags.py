"""The flags for reading parallel text, and the reading itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from demotic.cli.flags import refused_flag

if TYPE_CHECKING:
    from demotic.lines import EncodingPolicy
    from demotic.text.readers import PairSource

__all__ = ["columns_of", "language_flags", "open_pairs", "pair_flags"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def pair_flags(function: _Command) -> _Command:
    """--format and --columns, as arguments `format_` and `columns`."""
    function = click.option(
        "--columns",
        default="1,2",
        show_default=True,
        metavar="S,T",
        help="Columns of TSV, by number or by header name.",
    )(function)
    return click.option(
        "--format",
        "format_",
        type=click.Choice(["auto", "plain", "tsv", "tmx", "po", "xliff"]),
        default="auto",
        show_default=True,
        help="Format of parallel text; auto uses the file names.",
    )(function)


def language_flags(*, required: bool = False) -> Callable[[_Command], _Command]:
    """--src-lang and --tgt-lang, as arguments of these names; --src and --tgt are refused."""

    def decorate(function: _Command) -> _Command:
        for side, short in (("target", "tgt"), ("source", "src")):
            function = refused_flag(f"--{short}", partial(_language_or_file, short))(function)
            function = click.option(
                f"--{short}-lang",
                required=required,
                metavar="L",
                help=f"Code of the {side} language, such as zh or pt-BR.",
            )(function)
        return function

    return decorate


def _language_or_file(short: str, value: str) -> str:
    """What to give instead of --src VALUE or --tgt VALUE."""
    from demotic.errors import Error
    from demotic.text.languages import checked_language

    try:
        checked_language(value)
    except Error:
        return f"give the file {value} without a flag, and the language with --{short}-lang L"
    return f"give the language with --{short}-lang {value}"


def open_pairs(
    inputs: Sequence[str],
    languages: tuple[str, str],
    given: dict[str, Any],
    encoding_errors: EncodingPolicy,
) -> PairSource:
    """`given` holds the values of `pair_flags`."""
    from demotic.text.readers import read_pairs

    return read_pairs(
        inputs,
        source_language=languages[0],
        target_language=languages[1],
        format=given["format_"],
        encoding_errors=encoding_errors,
        columns=columns_of(given["columns"]),
    )


def columns_of(text: str) -> tuple[str, str]:
    """The value of --columns."""
    columns = text.split(",")
    if len(columns) != 2:
        raise click.UsageError(f"--columns is {text!r}; expected two, such as 1,2")
    return columns[0], columns[1]
