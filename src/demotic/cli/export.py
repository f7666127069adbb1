"""`demotic export`: writes a model for Moses or cdec."""

from __future__ import annotations

from pathlib import Path

import click

from demotic.cli.flags import example, force_flag, quiet_and_json
from demotic.cli.screen import Screen
from demotic.suggestions import quoted

_NAMES = {"moses": "Moses", "cdec": "cdec"}
_COMMANDS = {"moses": "moses -f moses.ini", "cdec": "cdec -c cdec.ini"}


@click.command("export", epilog=example("demotic export mine --format moses -o for-moses"))
@click.argument("model_directory", metavar="MODEL", type=click.Path(file_okay=False))
@click.option(
    "--format",
    "toolkit",
    type=click.Choice(["moses", "cdec"]),
    required=True,
    help="Toolkit to write for.",
)
@click.option("-o", "--out", required=True, type=click.Path(), help="Directory to write into.")
@force_flag("Write into a directory that is not empty.")
@quiet_and_json
def command(
    model_directory: str, toolkit: str, out: str, force: bool, quiet: bool, as_json: bool
) -> None:
    """Write MODEL as tables, language models, weights and a configuration of another toolkit."""
    from demotic.cli.final_output import next_text
    from demotic.formats.exporting import export_model
    from demotic.model import Model
    from demotic.sizes import bytes_text

    screen = Screen(quiet=quiet, as_json=as_json)
    model = Model.load(model_directory)
    with screen.progress("writing rules") as advance:
        files = export_model(
            model,
            toolkit,  # type: ignore[arg-type]
            out,
            force=force,
            progress=advance,
        )
    if not model.settings.get("future_cost", True):
        screen.note(
            f"{model_directory} ranks hypotheses without future cost; {_NAMES[toolkit]} always "
            "uses it, so that its search may find other translations"
        )
    size = bytes_text(sum((Path(out) / name).stat().st_size for name in files))
    screen.written(
        {"model": model_directory, "format": toolkit, "out": out, "files": files},
        f"{out}: {len(model.rules):,} rules for {_NAMES[toolkit]} in {', '.join(files)}; {size}",
        next_text([("translate", f"cd {quoted(out)} && {_COMMANDS[toolkit]} < FILE")]),
    )
