"""Messages about wrong flags, verbs and values in our own style, with suggestions.

Click has its own style ("Usage: ... Error: ..."); here every mistake becomes one sentence and a
pointer to the help of the verb.
"""

from __future__ import annotations

import re

import click

from demotic.suggestions import closest_name, did_you_mean

__all__ = ["usage_message"]

_NO_CHOICE = re.compile(r"'(?P<value>.*?)' is not (?:one of )?(?P<known>'.*')\.?")
_WRONG_KIND = re.compile(r"\w+ '(?P<path>.*)' is a (?P<found>file|directory)\.", re.S)
_OTHER_KIND = {"file": "directory", "directory": "file"}


def usage_message(error: click.ClickException) -> str:
    """One sentence about a mistake on the command line."""
    text = _found(error).strip().removesuffix(".")
    context = getattr(error, "ctx", None)
    # Click knows the name by which the program and the verb were called.
    return f"{text} (see {context.command_path} --help)" if context else text


def _found(error: click.ClickException) -> str:
    if isinstance(error, click.NoSuchOption):
        near = closest_name(error.option_name, _options(error))
        return f"no option {error.option_name}{did_you_mean(near)}"
    if isinstance(error, click.MissingParameter):
        kind = error.param.param_type_name if error.param else "parameter"
        return f"missing {kind} {_name(error)}"
    if isinstance(error, click.BadParameter):
        return f"{_name(error)}: {_value(error.message)}"
    if isinstance(error, click.BadOptionUsage) and "requires" in error.message:
        return f"{error.option_name} needs a value"
    text = error.format_message()
    return text[0].lower() + text[1:] if text[1:2].islower() else text


def _options(error: click.NoSuchOption) -> list[str]:
    known = error.ctx.command.get_params(error.ctx) if error.ctx else []
    return [
        name
        for param in known
        if not getattr(param, "hidden", False)
        for name in (*param.opts, *param.secondary_opts)
        if name.startswith("--")
    ]


def _name(error: click.BadParameter) -> str:
    if error.param_hint is not None:
        hint = error.param_hint
        return (hint if isinstance(hint, str) else " / ".join(hint)).replace("'", "")
    if error.param is None:
        return "a value"
    if isinstance(error.param, click.Option):
        return max(error.param.opts, key=len)
    return error.param.human_readable_name


def _value(message: str) -> str:
    """What is wrong with a value."""
    if wrong := _WRONG_KIND.fullmatch(message):
        return f"{wrong['path']} is a {wrong['found']}; expected a {_OTHER_KIND[wrong['found']]}"
    if wrong := _NO_CHOICE.fullmatch(message):
        known = re.findall(r"'(.*?)'", wrong["known"])
        near = did_you_mean(closest_name(wrong["value"], known))
        return f"{wrong['value']!r} is not one of {', '.join(known)}{near}"
    return message
