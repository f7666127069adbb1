"""A verb that is cut into shards: each is a run of the same verb with `--shard K/N`.

The results are files (`workers/shards.py`), made by workers or by the jobs of a batch system, and
merged by `merge` of the verb's module, here and in `demotic reduce`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import click

from demotic.cli.main import VERBS
from demotic.cli.screen import Screen
from demotic.cli.translate_files import refuse_outputs
from demotic.cli.worker_flags import start_workers
from demotic.counts import counted
from demotic.workers.content import content_of
from demotic.workers.shards import Shard, ShardFile

__all__ = [
    "MERGERS",
    "CollectingScreen",
    "Merge",
    "ShardOutput",
    "find_merger",
    "invoke_verb",
    "merge_by_running",
    "note_all",
    "out_name",
    "plain_params",
    "run_with_workers",
    "shard_key",
    "shards_of",
]

# verb, with the flag that selects one of its kinds of shards: the function that merges them
MERGERS = {
    "align": "align_shards:merge",
    "align --train-only": "sharded_verb:merge_by_running",
    "build": "sharded_verb:merge_by_running",
    "force": "sharded_verb:merge_by_running",
    "lm": "sharded_verb:merge_by_running",
    "translate": "translate_shards:merge",
}

_SHARDS = "demotic.shards"  # in the context of a verb: what invoke_verb gave it
_NOT_IN_KEY = {"workers", "shards", "shard", "threads", "quiet", "force"}


class Merge(Protocol):
    """Writes the result of a verb from the files of its shards, in order."""

    def __call__(
        self,
        screen: Screen,
        shards: Iterable[Path],
        out: str | None,
        params: Mapping[str, Any] | None = None,
        *,
        force: bool,
    ) -> None:
        """`params`: those of the verb, if it is running; otherwise shards know theirs."""


@dataclass(frozen=True)
class ShardOutput:
    """The file for the result of one shard of the verb that is running; refused if it exists."""

    verb: str
    shard: Shard
    out: str | Path | None
    outputs: tuple[str, ...]
    """Parameters of the verb that name files which it writes, or that it does not depend on."""
    force: bool = False
    inputs: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.out is None:
            raise click.UsageError("--shard needs a file for its result: -o FILE")
        refuse_outputs([Path(self.out)], self.inputs, force=self.force)

    @property
    def key(self) -> str:
        return shard_key(click.get_current_context(), self.outputs)

    def write(
        self, about: Mapping[str, Any], parts: Mapping[str, bytes], key: str | None = None
    ) -> None:
        file = ShardFile(self.verb, key or self.key, self.shard, about, parts)
        file.write(str(self.out))


def merge_by_running(
    screen: Screen,
    shards: Iterable[Path],
    out: str | None,
    params: Mapping[str, Any] | None = None,
    *,
    force: bool,
) -> None:
    """Runs the verb, which finds the results of the shards by `shards_of`.

    The shards have the parameters of the verb: `plain_params`.
    """
    files = [ShardFile.read(path) for path in shards]
    verb = files[0].verb.split()[0]
    if out is None:
        wanted = "a file: -o FILE" if verb in ("align", "lm") else "a directory: -o DIR"
        raise click.UsageError(f"the shards of demotic {verb} need {wanted}")
    known = dict(params or files[0].about["params"])
    changed = {out_name(verb): out, "force": force, "workers": None, "shard": None}
    invoke_verb(verb, {**known, **changed}, files)


class CollectingScreen(Screen):
    """Keeps what a shard has to say for the one who merges."""

    def __init__(self, *, as_json: bool = False) -> None:
        super().__init__(quiet=True, as_json=as_json)
        self.said: dict[str, list[str]] = {"notes": [], "warnings": []}

    def note(self, text: str) -> None:
        self.said["notes"].append(text)

    def warn(self, text: str) -> None:
        self.said["warnings"].append(text)


def note_all(screen: Screen, shards: Iterable[Mapping[str, Any]]) -> None:
    """Shows what the shards had to say, each text once."""
    said = [one["said"] for one in shards]
    for text in dict.fromkeys(text for one in said for text in one["warnings"]):
        screen.warn(text)
    for text in dict.fromkeys(text for one in said for text in one["notes"]):
        screen.note(text)


def find_merger(verb: str) -> Merge:
    module, name = MERGERS[verb].split(":")
    merge: Merge = getattr(import_module(f"demotic.cli.{module}"), name)
    return merge


def shard_key(context: click.Context, outputs: Iterable[str]) -> str:
    """The digest of all parameters and of the contents of their files.

    `outputs`: parameters that name files which the verb writes.
    """
    values = {}
    for parameter, value in _parameters(context):
        if parameter.name not in _NOT_IN_KEY.union(outputs):
            is_path = isinstance(parameter.type, click.Path)
            values[parameter.name] = _each(value, lambda path: content_of(path).digest, is_path)
    text = json.dumps([context.command.name, values], sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def run_with_workers(
    screen: Screen, context: click.Context, out: str | None, outputs: Iterable[str]
) -> None:
    """The verb, done by --workers; its outputs are written here."""
    verb, params = str(context.info_name), context.params
    with start_workers(screen, params["workers"]) as workers:
        sent = {}
        for parameter, value in _parameters(context):
            is_input = isinstance(parameter.type, click.Path) and parameter.name not in outputs
            sent[parameter.name] = _each(value, workers.share, is_input)
        sent |= {"workers": None, "shard": None, "threads": 1}
        count = params["shards"]
        shards = [
            {"verb": verb, "params": sent, "shard": str(Shard(number + 1, count))}
            for number in range(count)
        ]
        who = counted(workers.count, "worker") if workers.count else "workers"
        with screen.progress(f"{verb} with {who}") as advance:
            results = workers.map("verb", shards, progress=advance)
            find_merger(verb)(screen, results, out, params, force=params["force"])


def plain_params(context: click.Context) -> dict[str, Any]:
    """The parameters of a verb as JSON can express them."""
    values = {**context.params, "shard": None}
    return {name: _each(value, None, applies=False) for name, value in values.items()}


def invoke_verb(verb: str, params: Mapping[str, Any], shards: Sequence[ShardFile] = ()) -> None:
    """Runs a verb in this process with parameters as JSON can express them.

    It finds the results of its shards, if there are some, by `shards_of`.
    """
    command = _command(verb)
    kinds = {one.name: one.type for one in command.params}
    values = dict(params)
    for name, value in params.items():
        kind = kinds[name]
        if isinstance(kind, click.Path) and isinstance(value, str | Path):
            values[name] = Path(value) if kind.type is Path else str(value)
    context = click.Context(command, info_name=verb)
    context.params = values
    context.meta[_SHARDS] = shards
    with context:
        context.invoke(command, **values)


def out_name(verb: str) -> str:
    """The parameter of a verb that -o gives."""
    return next(str(one.name) for one in _command(verb).params if "-o" in one.opts)


def _command(verb: str) -> click.Command:
    command: click.Command = import_module(f"demotic.cli.{VERBS[verb][0]}").command
    return command


def shards_of(context: click.Context) -> Sequence[ShardFile]:
    found: Sequence[ShardFile] = context.meta.get(_SHARDS, ())
    return found


def _parameters(context: click.Context) -> Iterable[tuple[click.Parameter, Any]]:
    """Those with a value, in the order of their names."""
    known = {one.name: one for one in context.command.params}
    return [(known[name], value) for name, value in sorted(context.params.items())]


def _each(value: Any, function: Any, applies: bool) -> Any:
    """The function of a value, or of each value of a repeatable option; paths become strings."""
    if isinstance(value, list | tuple):
        return [_each(one, function, applies) for one in value]
    if value is None or not applies:
        return str(value) if isinstance(value, Path) else value
    return function(value)
