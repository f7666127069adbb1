"""demotic import: a model of Moses, cdec or Joshua becomes a model directory."""

from __future__ import annotations

import click

from demotic.cli.flags import example, quiet_and_json
from demotic.cli.screen import Screen


@click.command(
    "import",
    epilog=example(
        "demotic import moses.ini --model mine",
        "demotic import joshua.config --model mine --look-in ../tables",
    ),
)
@click.argument("config", type=click.Path(dir_okay=False))
@click.option("--model", "directory", required=True, help="The new model directory.")
@click.option("--look-in", multiple=True, help="Where to look for files that have moved.")
@click.option("--weights", help="cdec: the weights, if cdec.ini does not name them.")
@click.option(
    "--duplicates",
    type=click.Choice(["refuse", "last"]),
    default="refuse",
    show_default=True,
    help="One rule on two lines: refuse the table, or let the last line win.",
)
@quiet_and_json
def command(
    config: str,
    directory: str,
    look_in: tuple[str, ...],
    weights: str | None,
    duplicates: str,
    quiet: bool,
    as_json: bool,
) -> None:
    """Import CONFIG (moses.ini, cdec.ini or joshua.config) with its tables and language models."""
    from demotic.formats.importing import import_model

    screen = Screen(quiet=quiet, as_json=as_json)
    imported = import_model(
        config,
        directory,
        look_in=look_in,
        weights=weights,
        duplicates=duplicates,  # type: ignore[arg-type]
    )
    model = imported.model
    for notice in imported.notices:
        screen.warn(notice)
    screen.result(
        {
            "model": directory,
            "kind": model.kind,
            "rules": len(model.rules),
            "words": len(model.vocabulary),
            "language_models": [path.name for path in model.language_models],
            "weights": dict(model.weights),
            "notices": list(imported.notices),
        },
        f"{directory}: {model.kind} model, {len(model.rules):,} rules, "
        f"{len(model.vocabulary):,} words, {len(model.weights)} weights",
    )
