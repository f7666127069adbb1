"""`demotic build` in shards: the three rounds of extraction, for `demotic reduce`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from demotic.cli.sharded_verb import ShardOutput, plain_params
from demotic.errors import Error
from demotic.extraction_files import ROUNDS, run_job
from demotic.rules import RuleOptions
from demotic.workers.shards import ShardFile, in_order

__all__ = ["write_shard"]

_OUTPUTS = ("out", "after")


def write_shard(given: Mapping[str, Any], kind: Any, rules: RuleOptions) -> None:
    """Does one part of a round, and writes it to the file `out`."""
    from demotic.align.links import read_links
    from demotic.text.parallel import ParallelCorpus

    if not given["links"]:
        raise click.UsageError(
            "--shard divides the extraction of rules, which needs links: align with "
            "demotic align --load, then give --links"
        )
    if rules.on_demand:
        raise click.UsageError("--rules on-demand extracts no rules; omit --shard")
    output = ShardOutput("build", given["shard"], given["out"], _OUTPUTS, given["force"])
    key = output.key
    before = _before(given["after"], given["shard"].of, key) if given["after"] else []
    text = ParallelCorpus.read(given["src"], given["tgt"])
    links = [read_links(path) for path in given["links"]]
    bitext = text.source.sentences, text.target.sentences, links
    done = run_job(bitext, kind, rules, given["shard"], before)
    about = {
        "params": {**plain_params(click.get_current_context()), "after": None},
        "round": done.round,
        **done.about,
    }
    output.write(about, done.parts, f"{key} {done.round}")


def _before(folder: Path, of: int, key: str) -> list[ShardFile]:
    """The files of the round before, which must have been made with the same flags."""
    paths = sorted(path for path in folder.iterdir() if path.is_file())
    files = [ShardFile.read(path, verify=False) for path in in_order(paths, verify=False)]
    first = files[0]
    known = [f"{key} {name}" for name in ROUNDS[:-1]]
    if first.verb != "build" or first.key not in known or first.shard.of != of:
        done = first.verb == "build" and first.key == f"{key} {ROUNDS[-1]}"
        raise Error(
            "rules that are scored already" if done else "the parts of another command",
            path=str(folder),
            expected="the round before, with the same text, flags and number of parts",
            advice=f"merge them: demotic reduce {folder}/* -o DIR" if done else "check the flags",
        )
    return files
