"""`demotic weights`: shows what a model has learned, by name and family."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from demotic.cli.flags import example, quiet_and_json
from demotic.cli.screen import Screen

if TYPE_CHECKING:
    from demotic.features.summary import Group, Summary
    from demotic.model import Model

__all__ = ["command"]


@click.command(
    epilog=example(
        "demotic weights model",
        "demotic weights trained --top 50 --group",
        "demotic weights trained --json | jq .sparse.families",
    )
)
@click.argument("model", type=click.Path(), metavar="MODEL")
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    metavar="N",
    help="Number of sparse features to list with the largest and the smallest weights.",
)
@click.option("--group", is_flag=True, help="List them per template instead of overall.")
@click.option("--allow-outside", is_flag=True, help="Trust parts outside the model directory.")
@quiet_and_json
def command(
    *, model: str, top: int, group: bool, allow_outside: bool, quiet: bool, as_json: bool
) -> None:
    """Show the weights of MODEL: dense weights, then sparse weights by family and template.

    Mass is the sum of the absolute weights, mean the mass per feature. MODEL is a directory that
    demotic make, build, import, tune or train has made.
    """
    from demotic.features.summary import summary
    from demotic.model import Model

    screen = Screen(quiet=quiet, as_json=as_json)
    opened = Model.load(model, allow_outside=allow_outside)
    with screen.progress("reading the weights"):
        found = (
            summary(opened.sparse, top=top, by_template=group)
            if opened.sparse is not None
            else None
        )
    if as_json:
        screen.result(_values(opened, found), "")
        return
    screen.result({}, "\n".join(_text(opened, found)))


def _values(model: Model, found: Summary | None) -> dict[str, Any]:
    sparse = found and {
        "families": [one.as_dict() for one in found.families],
        "templates": [one.as_dict() for one in found.templates],
        "positive": found.positive,
        "negative": found.negative,
    }
    return {"dense": dict(model.weights), "sparse": sparse, "tuned": _tuned(model)}


def _tuned(model: Model) -> dict[str, Any] | None:
    """How many sparse features the candidates of tuning had, and how many got a weight."""
    origin = model.info.origin
    if "tuning_sparse_seen" not in origin:
        return None
    return {
        "method": origin["tuned_by"],
        "seen": origin["tuning_sparse_seen"],
        "active": origin["tuning_sparse_active"],
    }


def _text(model: Model, found: Summary | None) -> list[str]:
    width = max(map(len, model.weights))
    lines = [f"{name:<{width}}  {weight:>10.6f}" for name, weight in model.weights.items()]
    if found is None:
        return [*lines, "", "no sparse features"]
    if tuned := _tuned(model):
        lines += [
            "",
            f"tuned by {tuned['method']}: {tuned['active']:,} active features (weight other than "
            f"0) of {tuned['seen']:,} in the candidates",
        ]
    lines += ["", *_groups("family", found.families), "", *_groups("template", found.templates)]
    for template, names in found.positive.items():
        of = f" of {template}" if template else ""
        lines += _named(f"largest weights{of}", names)
        lines += _named(f"smallest weights{of}", found.negative[template])
    return lines


def _groups(title: str, groups: tuple[Group, ...]) -> list[str]:
    width = max(len(title), *(len(one.name) for one in groups))
    lines = [f"{title:<{width}}  {'features':>12} {'mass':>12} {'mean':>10}"]
    for one in groups:
        lines.append(
            f"{one.name:<{width}}  {one.features:>12,} {one.mass:>12.3f} {one.mean:>10.6f}"
        )
    return lines


def _named(title: str, names: list[tuple[str, float]]) -> list[str]:
    return ["", title, *(f"{weight:>10.6f}  {name}" for name, weight in names)] if names else []
