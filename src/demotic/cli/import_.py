"""`demotic import`: imports a model of Moses, cdec or Joshua."""

from __future__ import annotations

from pathlib import Path

import click

from demotic.cli.flags import example, force_flag, model_out_flag, quiet_and_json, refused_flag
from demotic.cli.screen import Screen


@click.command(
    "import",
    epilog=example(
        "demotic import moses.ini -o mine",
        "demotic import joshua.config -o mine --look-in ../tables",
    ),
)
@click.argument("config", type=click.Path(dir_okay=False))
@model_out_flag
@refused_flag("--model", lambda value: f"give the directory with -o {value}")
@click.option(
    "--look-in",
    metavar="DIR",
    multiple=True,
    help="Directory to search for moved files; repeatable.",
)
@click.option(
    "--weights", metavar="FILE", help="cdec: the weights file, if cdec.ini does not name it."
)
@click.option(
    "--duplicates",
    type=click.Choice(["refuse", "last"]),
    default="refuse",
    show_default=True,
    help="If a rule is on two lines: refuse the table, or keep the last line.",
)
@force_flag("Replace an existing model.")
@quiet_and_json
def command(
    config: str,
    out: Path,
    look_in: tuple[str, ...],
    weights: str | None,
    duplicates: str,
    force: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Import CONFIG (moses.ini, cdec.ini or joshua.config) with its tables and language models."""
    from demotic.cli.final_output import model_next, model_text, next_text
    from demotic.formats.importing import import_model

    screen = Screen(quiet=quiet, as_json=as_json)
    with screen.progress("importing"):
        imported = import_model(
            config,
            out,
            look_in=look_in,
            weights=weights,
            duplicates=duplicates,  # type: ignore[arg-type]
            force=force,
        )
    model = imported.model
    for notice in imported.notices:
        screen.warn(notice)
    screen.written(
        {
            "model": str(out),
            "kind": model.kind,
            "rules": len(model.rules),
            "words": len(model.vocabulary),
            "language_models": [path.name for path in model.language_models],
            "weights": dict(model.weights),
            "notices": list(imported.notices),
        },
        model_text(model),
        next_text(model_next(model, tuned=True)),
    )
