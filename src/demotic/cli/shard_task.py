"""The task `verb` of workers: one shard of a verb, as `demotic VERB --shard K/N` does it."""

from __future__ import annotations

from pathlib import Path

import click

from demotic.cli.sharded_verb import invoke_verb, out_name
from demotic.errors import InputError
from demotic.workers import Arguments, Shard

__all__ = ["run"]


def run(arguments: Arguments, out: Path) -> None:
    verb, shard = arguments["verb"], Shard.parse(arguments["shard"])
    try:
        invoke_verb(verb, {**arguments["params"], "shard": shard, out_name(verb): out})
    except click.ClickException as error:
        raise InputError(error.format_message()) from None
