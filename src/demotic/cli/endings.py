"""How verbs end: the next command to type, with real paths."""

from __future__ import annotations

import shlex
from pathlib import Path

from demotic.cli.program import program

__all__ = ["next_command"]


def next_command(verb: str, *arguments: str | Path, why: str = "Next") -> str:
    """A line to copy; standard input is not named."""
    given = [text for text in map(str, arguments) if text != "-"]
    return f"{why}: {shlex.join([program(), verb, *given])}"
