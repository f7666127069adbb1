"""`demotic force`: all derivations of references, and how many sentences have one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demotic.cli.flags import example, given_options, quiet_and_json, threads_flag
from demotic.cli.screen import Screen
from demotic.force.options import BEGINNINGS, ForceLimits, ForceOptions

if TYPE_CHECKING:
    from demotic.force import Reachability
    from demotic.force.tables import Row
    from demotic.learn.dev_set import DevSet
    from demotic.model import Model

__all__ = ["command"]

_FILE = click.Path(allow_dash=True, dir_okay=False)


@click.command(
    epilog=example(
        "demotic force zh-en --src train.zh --ref train.en -o gold --leave-one-out --prefixes",
        "demotic force zh-en --src dev.zh --ref dev.en.0 --ref dev.en.1 -o gold --texts",
        "demotic force zh-en --src dev.zh --ref dev.en -o gold --distortion-limits 0,2,4,6",
    )
)
@click.argument("model", type=click.Path(file_okay=False))
@click.option("--src", required=True, type=_FILE, help="Sentences, one a line.")
@click.option(
    "--ref",
    "refs",
    required=True,
    multiple=True,
    type=_FILE,
    help="References; repeat it, and each sentence is taken once for each of them.",
)
@click.option(
    "-o", "--out", required=True, type=click.Path(path_type=Path), help="Directory for the result."
)
@click.option(
    "--prefixes",
    "beginnings",
    is_flag=False,
    flag_value="longest",
    default="none",
    show_default=True,
    type=click.Choice(BEGINNINGS),
    help="Of pairs that are not reached: the longest beginning that is, or all maximal ones.",
)
@click.option(
    "--leave-one-out",
    is_flag=True,
    help="The text is what MODEL was built of: a pair's own rules that stand nowhere else are "
    "not used for it.",
)
@click.option(
    "--distortion-limits",
    "limits",
    metavar="N[,N...]",
    help="Also count what is reached under these limits (-1: none).",
)
@click.option("--texts", is_flag=True, help="Also write what is reached as text files.")
@click.option(
    "--raw/--tokenized",
    "raw",
    default=None,
    show_default="raw if the model knows how its text was prepared",
    help="Whether the text is as people write it, or tokens with spaces between them.",
)
@given_options(ForceLimits)
@threads_flag
@quiet_and_json
def command(*, quiet: bool, as_json: bool, limits: str | None, **rest: Any) -> None:
    """Find all derivations by which MODEL gives the references, exactly and without a beam.

    Writes gold.bin (the derivations, for training), reachability.json and report.html.
    """
    from demotic.cli.force_view import show
    from demotic.force.tables import as_dict
    from demotic.model import Model

    screen = Screen(quiet=quiet, as_json=as_json)
    wanted = _limits(limits)
    out: Path = rest["out"]
    _refuse_existing(out)
    model = Model.load(rest["model"])
    dev = _read(screen, model, rest)
    given = {**rest["given"], "beginnings": rest["beginnings"]}
    options = ForceOptions.for_model(model.settings, given)
    found = _search(screen, model, dev, options, rest, out / "gold.bin")
    sweep = [_at_limit(screen, model, dev, options, rest, limit) for limit in wanted]
    values = {"model": str(model.path), "leave_one_out": rest["leave_one_out"], **as_dict(found)}
    if sweep:
        values["by_distortion_limit"] = sweep
    _write(out, values, found, sweep, texts=rest["texts"])
    if as_json:
        screen.result(values, "")
    else:
        show(screen, found, sweep)


def _limits(text: str | None) -> list[int]:
    try:
        limits = [int(part) for part in text.split(",")] if text else []
    except ValueError:
        limits = [-2]
    if any(limit < -1 for limit in limits):
        raise click.BadParameter(
            f"'{text}' is not a list of numbers such as 0,4,6,-1",
            param_hint="'--distortion-limits'",
        )
    return limits


def _refuse_existing(out: Path) -> None:
    from demotic.errors import Error

    if (out / "gold.bin").exists():
        raise Error(
            "gold forests are there already",
            path=str(out),
            expected="a new directory",
            advice="remove it first, or choose another name",
        )


def _read(screen: Screen, model: Model, rest: dict[str, Any]) -> DevSet:
    from demotic.learn.dev_set import DevSet
    from demotic.search.text import RawText

    text = RawText(model, tokenized=None if rest["raw"] is None else not rest["raw"])
    dev = DevSet.read(rest["src"], rest["refs"], text)
    for notice in text.notices:
        screen.note(notice)
    return dev


def _search(
    screen: Screen,
    model: Model,
    dev: DevSet,
    options: ForceOptions,
    rest: dict[str, Any],
    path: Path | None,
) -> Reachability:
    from demotic.force import force

    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
    first, texts = dev.references.first, dev.references.texts
    references = [texts[first[i] : first[i + 1]] for i in range(len(dev))]
    with screen.progress(f"force, limit {options.distortion_limit}") as advance:
        return force(
            model,
            dev.source,
            references,
            options,
            path=path,
            leave_one_out=rest["leave_one_out"],
            threads=rest["threads"],
            progress=advance,
        )


def _at_limit(
    screen: Screen,
    model: Model,
    dev: DevSet,
    options: ForceOptions,
    rest: dict[str, Any],
    limit: int,
) -> Row:
    from demotic.force.tables import by_length, totals

    options = replace(options, distortion_limit=limit, beginnings="none", find_cause=False)
    found = _search(screen, model, dev, options, rest, None)
    sums = totals(found)
    wanted = ("reached", "reached_share", "reached_words_share", "undecided", "edges")
    figures = {name: sums[name] for name in wanted}
    return {"distortion_limit": limit, **figures, "by_length": by_length(found)}


def _write(
    out: Path, values: dict[str, Any], found: Reachability, sweep: list[Row], *, texts: bool
) -> None:
    from demotic.force.report import page_of
    from demotic.force.texts import write_texts
    from demotic.lines import write_text

    with write_text(out / "reachability.json") as file:
        json.dump(values, file, ensure_ascii=False, indent=2)
        file.write("\n")
    page_of(found, values["model"], sweep).write(out / "report.html")
    if texts:
        write_texts(found, out)
