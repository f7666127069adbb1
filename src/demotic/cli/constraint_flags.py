"""Flags for what a user asks of translations: XML words, glossaries, formats with tags."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from demotic.constraints.lines import LineConstraints
    from demotic.constraints.terms import TermFinder
    from demotic.model import Model

__all__ = [
    "ABOUT_LINES",
    "constraint_flags",
    "format_flag",
    "glossary_flag",
    "line_constraints",
    "refuse_lists",
]

_Command = TypeVar("_Command", bound=Callable[..., Any])
ABOUT_LINES = (
    "nbest", "nbest_file", "scores", "alignment", "confidence", "forest", "src_tags", "trees"
)  # fmt: skip
"""Flags of translate that only lines of text can have."""
_NUMBERS = ("rule", "keep", "model")
_MODES = ("exclusive", "inclusive", "constraint", "ignore", "pass-through")


def glossary_flag(help_text: str) -> Callable[[_Command], _Command]:
    return click.option(
        "--glossary",
        "glossaries",
        multiple=True,
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help=f"{help_text}: CSV, TSV or TBX; may be repeated.",
    )


def constraint_flags(command: _Command) -> _Command:
    xml = click.option(
        "--xml-input",
        type=click.Choice(_MODES),
        default="pass-through",
        show_default=True,
        help='Treatment of <x translation="a||b" prob="0.8||0.2">..</x>, <wall/>, <zone>..</zone>: '
        "use only the given translations, or also these, or rules that contain them; ignore tags; "
        "or take tags for text.",
    )
    numbers = click.option(
        "--numbers",
        type=click.Choice(_NUMBERS),
        help="Numbers of raw lines: rule (the default) keeps times, dates, fractions and decimals "
        "whole, with the decimal sign of the target language; keep writes all numbers as they are; "
        "model translates them like words.",
    )
    terms = glossary_flag("Terms that translations must use, besides those of MODEL")
    return xml(numbers(terms(command)))


def format_flag(command: _Command) -> _Command:
    return click.option(
        "--format",
        "format_",
        type=click.Choice(("text", "html", "xliff-inline")),
        help="Keep numbers, addresses and variables such as {name} or %s, and the tags of HTML or "
        "XLIFF segments: one segment per line.",
    )(command)


def line_constraints(model: Model, flags: Mapping[str, Any]) -> LineConstraints | None:
    """None if nothing is asked for."""
    has_glossary = flags["glossaries"] or model.glossary_path is not None
    numbers = flags["numbers"] or ("rule" if model.preparation else "model")
    if not has_glossary and flags["xml_input"] == "pass-through" and numbers == "model":
        return None
    from demotic.constraints.lines import LineConstraints
    from demotic.constraints.numbers import NumberRule

    languages = model.info.source_language, model.info.target_language
    return LineConstraints(
        xml_input=flags["xml_input"],
        terms=_terms(model, flags["glossaries"]) if has_glossary else None,
        placeholders=["number"] if numbers == "keep" else [],
        numbers=NumberRule(*languages) if numbers == "rule" else None,
    )


def _terms(model: Model, files: Sequence[str]) -> TermFinder | None:
    from demotic.constraints.terms import model_terms

    return model_terms(model, files)


def refuse_lists(flags: Mapping[str, Any], *, as_json: bool) -> None:
    """Raises UsageError for output that a text with tags does not have."""
    if flags["documents"] and flags["xml_input"] != "pass-through":
        raise click.UsageError("--xml-input is about lines of text; omit it or --file")
    if flags["numbers"] and (flags["documents"] or flags["format_"]):
        flag = "--file" if flags["documents"] else "--format"
        raise click.UsageError(f"{flag} keeps all numbers; omit --numbers")
    if flags["format_"] is None:
        return
    given = [name for name in (*ABOUT_LINES, "documents") if flags.get(name)] + (
        ["json"] if as_json else []
    )
    if given:
        flag = "--" + given[0].replace("_", "-").replace("documents", "file")
        raise click.UsageError(f"{flag} does not go with --format; omit one of them")
    if flags["xml_input"] != "pass-through":
        raise click.UsageError("--xml-input does not go with --format; omit one of them")
