"""`demotic report`: writes the page of an experiment or of a translator again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from demotic.cli.flags import example, force_flag, quiet_and_json
from demotic.cli.screen import Screen
from demotic.errors import Error
from demotic.outputs import refuse_file

if TYPE_CHECKING:
    from demotic.report import Page

__all__ = ["command"]


@click.command(epilog=example("demotic report zh-en", "demotic report beams -o beams.html"))
@click.argument("directory", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write (default: report.html in the directory).",
)
@force_flag("Replace an existing file of -o; the report in the directory is always written anew.")
@quiet_and_json
def command(*, directory: Path, out: Path | None, force: bool, quiet: bool, as_json: bool) -> None:
    """Write the report of DIRECTORY, which demotic experiment, make or demo has written.

    It is one HTML file that needs no network and no scripts; print it from the browser for a PDF.
    """
    screen = Screen(quiet=quiet, as_json=as_json)
    if out is not None:
        refuse_file(out, force=force)
    page, home = _page(directory)
    path = out or home / "report.html"
    page.write(path)
    screen.written({"report": str(path)}, str(path))


def _page(directory: Path) -> tuple[Page, Path]:
    """The page, and the directory that it belongs to."""
    from demotic.experiments.results import RESULTS_NAME, ExperimentResult
    from demotic.pipeline.result import RESULT_NAME, MakeResult

    if (directory / RESULTS_NAME).exists():
        from demotic.experiments.page import experiment_page

        return experiment_page(ExperimentResult.load(directory), directory), directory
    for home in (directory, directory / "zh-en"):  # the second: the folder of the demo
        if (home / RESULT_NAME).exists():
            from demotic.pipeline.page import report_page

            return report_page(MakeResult.load(home)), home
    raise Error(
        f"neither {RESULTS_NAME} nor {RESULT_NAME}",
        path=str(directory),
        expected="a finished directory of demotic experiment, make or demo",
        advice="the command that began it finishes it" if directory.is_dir() else "",
    )
