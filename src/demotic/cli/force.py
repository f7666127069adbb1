"""`demotic force`: forced decoding, and how many sentences are reachable."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demotic.cli.flags import (
    OptionalValues,
    example,
    force_flag,
    given_options,
    quiet_and_json,
    threads_flag,
)
from demotic.cli.screen import Screen
from demotic.cli.text_flags import note_texts, raw_text, text_flags, warn_of_unknown
from demotic.cli.worker_flags import shard_flags
from demotic.durations import short_duration
from demotic.force.options import PREFIXES, ForceLimits, ForceOptions
from demotic.search.options import SearchOptions

if TYPE_CHECKING:
    from demotic.force.directory import ForceRequest
    from demotic.learn.dev_set import DevSet
    from demotic.model import Model

__all__ = ["command"]

_FILE = click.Path(allow_dash=True, dir_okay=False)


def _write_shard(request: ForceRequest, rest: dict[str, Any], context: click.Context) -> None:
    from demotic.cli.sharded_verb import ShardOutput, plain_params

    output = ShardOutput("force", rest["shard"], rest["out"], ("out",), rest["force"])
    with tempfile.TemporaryDirectory(prefix="demotic-") as folder:
        parts = request.write_shard(rest["shard"], Path(folder))
    output.write({"params": plain_params(context)}, parts)


@click.command(
    cls=OptionalValues,
    epilog=example(
        "demotic force zh-en --src train.zh --ref train.en -o gold --leave-one-out",
        "demotic force zh-en --src dev.zh --ref dev.en.0 --ref dev.en.1 -o gold --texts",
        "demotic force de-en --src dev.de --ref dev.en -o gold --prefixes "
        "--distortion-limits 0,2,4,6",
    ),
)
@click.argument("model", type=click.Path())
@click.option("--src", required=True, type=_FILE, help="Source sentences, one per line.")
@click.option(
    "--ref",
    "refs",
    required=True,
    multiple=True,
    type=_FILE,
    help="References; repeatable. Each sentence is used once per reference.",
)
@click.option(
    "-o", "--out", required=True, type=click.Path(path_type=Path), help="Directory for the result."
)
@force_flag("Replace existing gold forests.")
@click.option(
    "--prefixes",
    is_flag=False,
    flag_value="longest",
    default="none",
    show_default=True,
    type=click.Choice(PREFIXES),
    help="For unreachable pairs, keep the longest reachable prefix, or all maximal ones (phrases).",
)
@click.option(
    "--leave-one-out",
    is_flag=True,
    help="The text is MODEL's training text: rules seen only in a pair are not used for that pair.",
)
@click.option(
    "--distortion-limits",
    "limits",
    metavar="N[,N...]",
    help="Also count reachable pairs under these distortion limits (phrases; -1: none).",
)
@click.option("--texts", is_flag=True, help="Also write the reachable pairs as text files.")
@click.option(
    "--trees",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Check that these parse trees fit the sentences of --src. Derivations do not depend on "
    "them; train --trees computes their features.",
)
@text_flags("src", "ref")
@given_options(ForceLimits, kept=SearchOptions)
@shard_flags
@threads_flag
@quiet_and_json
def command(*, quiet: bool, as_json: bool, limits: str | None, **rest: Any) -> None:
    """Find all derivations with which MODEL yields the references, exactly and without a beam.

    Writes gold.bin (the derivations, for training), reachability.json and report.html.
    """
    from demotic.cli.force_view import ending, show
    from demotic.cli.sharded_verb import shards_of
    from demotic.force.directory import ForceRequest, refuse_existing
    from demotic.model import Model

    screen = Screen(quiet=quiet or rest["shard"] is not None, as_json=as_json)
    wanted, started = _limits(limits), time.monotonic()
    context = click.get_current_context()
    if rest["shard"] is None:
        refuse_existing(rest["out"], force=rest["force"])
    if rest["workers"]:
        from demotic.cli.sharded_verb import run_with_workers

        run_with_workers(screen, context, rest["out"], ("out",))
        return
    model = Model.load(rest["model"])
    given = {**rest["given"], "prefixes": rest["prefixes"]}
    request = ForceRequest(
        model=model,
        pairs=_read(screen, model, rest),
        options=ForceOptions.for_model(model, given),
        limits=wanted,
        leave_one_out=rest["leave_one_out"],
        texts=rest["texts"],
        threads=rest["threads"],
        progress=screen.progress,
        shards=shards_of(context),
    )
    if rest["shard"] is not None:
        _write_shard(request, rest, context)
        return
    forced = request.run(rest["out"], force=rest["force"])
    if as_json:
        screen.result(forced.values, "")
    else:
        show(screen, forced.found, forced.sweep)
        screen.result(
            {}, ending(forced.found, rest["out"], short_duration(time.monotonic() - started))
        )


def _limits(text: str | None) -> tuple[int, ...]:
    try:
        limits = [int(part) for part in text.split(",")] if text else []
    except ValueError:
        limits = [-2]
    if any(limit < -1 for limit in limits):
        raise click.BadParameter(
            f"'{text}' is not a list of numbers such as 0,4,6,-1",
            param_hint="'--distortion-limits'",
        )
    return tuple(limits)


def _read(screen: Screen, model: Model, rest: dict[str, Any]) -> DevSet:
    from demotic.learn.dev_set import DevSet

    text = raw_text(model, rest)
    dev = DevSet.read(rest["src"], rest["refs"], text, trees=rest["trees"])
    note_texts(screen, text)
    warn_of_unknown(screen, model, rest["src"], dev.source, raw=text.is_raw)
    names, references = ", ".join(rest["refs"]), dev.references.texts
    warn_of_unknown(screen, model, names, references, "target", raw=text.is_raw_target)
    return dev
