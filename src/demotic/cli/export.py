"""demotic export: a model as files of Moses or cdec."""

from __future__ import annotations

import click

from demotic.cli.flags import example, quiet_and_json
from demotic.cli.screen import Screen


@click.command("export", epilog=example("demotic export mine --format moses -o for-moses"))
@click.argument("model_directory", metavar="MODEL", type=click.Path(file_okay=False))
@click.option(
    "--format", "toolkit", type=click.Choice(["moses", "cdec"]), required=True, help="For whom."
)
@click.option("-o", "--out", required=True, help="The directory to write into.")
@quiet_and_json
def command(model_directory: str, toolkit: str, out: str, quiet: bool, as_json: bool) -> None:
    """Write MODEL as tables, language models, weights and a configuration of another toolkit."""
    from demotic.formats.exporting import export_model
    from demotic.model import Model

    screen = Screen(quiet=quiet, as_json=as_json)
    model = Model.load(model_directory)
    with screen.progress("writing rules") as advance:
        files = export_model(model, toolkit, out, progress=advance)  # type: ignore[arg-type]
    screen.result(
        {"model": model_directory, "format": toolkit, "out": out, "files": files},
        f"{out}: {', '.join(files)}",
    )
