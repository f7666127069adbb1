"""Flags that declare each file raw or tokenised, and warnings about unknown words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from demotic.cli.screen import Screen
    from demotic.model import Model
    from demotic.search.text import RawText
    from demotic.search.unknowns import TextSide, UnknownWords

__all__ = ["note_texts", "raw_text", "text_flags", "warn_of_unknown"]

_Command = TypeVar("_Command", bound=Callable[..., Any])

_TEXTS = {
    "src": "the source text",
    "tgt": "the target side of the bitext",
    "ref": "the references",
    "train-src": "the source side of the training text",
    "train-tgt": "the target side of the training text",
    "dev-src": "the source of the dev set",
    "dev-ref": "the references of the dev set",
}


def text_flags(*files: str) -> Callable[[_Command], _Command]:
    """--raw/--tokenized for all text, and the same for each of some texts, such as "src".

    The verb gets `raw` and, for each file, `src_raw`: None if the flag was not given.
    """

    def decorate(function: _Command) -> _Command:
        for name in reversed(files):
            function = click.option(
                f"--{name}-raw/--{name}-tokenized",
                f"{_variable(name)}_raw",
                default=None,
                help=f"The same for only {_TEXTS[name]}.",
            )(function)
        return click.option(
            "--raw/--tokenized",
            "raw",
            default=None,
            show_default="raw if the model knows how its text was prepared, except for files "
            "written by demotic prepare",
            help="Whether all text is raw, or tokens separated by spaces.",
        )(function)

    return decorate


def raw_text(
    model: Model,
    flags: Mapping[str, Any],
    source: str = "src",
    target: str = "ref",
    *,
    romanize: bool = False,
) -> RawText:
    """The text handling that the flags of `source` and `target` request."""
    from demotic.search.text import RawText

    return RawText(
        model,
        tokenized=_tokenized(flags["raw"]),
        source_tokenized=_tokenized(flags.get(f"{_variable(source)}_raw")),
        target_tokenized=_tokenized(flags.get(f"{_variable(target)}_raw")),
        romanize=romanize,
    )


def note_texts(screen: Screen, *texts: RawText) -> None:
    """Shows the remarks on how text was read, once each."""
    notices = (notice for text in texts for notice in (*text.notices, *text.recognised))
    for notice in dict.fromkeys(notices):
        screen.note(notice)


def warn_of_unknown(
    screen: Screen,
    model: Model,
    name: str,
    lines: Sequence[str],
    side: TextSide = "source",
    *,
    raw: bool = False,
) -> UnknownWords:
    """Warns if most words of a text are unknown to the model."""
    from demotic.search.unknowns import unknown_words

    found = unknown_words(model, lines, side, raw=raw)
    if found.should_warn:
        screen.warn(f"{name}: {found.text}")
    return found


def _variable(name: str) -> str:
    return name.replace("-", "_")


def _tokenized(raw: bool | None) -> bool | None:
    return None if raw is None else not raw
