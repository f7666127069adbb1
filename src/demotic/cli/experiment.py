"""`demotic experiment`: compares systems over seeds and settings, as a TOML file describes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demotic.cli.flags import example, quiet_and_json, threads_flag
from demotic.cli.screen import Screen

if TYPE_CHECKING:
    from demotic.experiments import ExperimentResult

__all__ = ["command"]

_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command(
    epilog=example(
        "demotic experiment --list",
        "demotic experiment l14-figure5 -o beams",
        "demotic experiment mine.toml -o mine --quick",
        "demotic experiment y13-table5 --corpus talks --src-lang zh --tgt-lang en -o y13",
    )
)
@click.argument("file", required=False)
@click.option("-o", "--out", type=_FOLDER, help="Directory for results, models and weights.")
@click.option("--list", "listed", is_flag=True, help="List the experiments of the package.")
@click.option("--show", is_flag=True, help="Print the file instead of running it.")
@click.option(
    "--quick", is_flag=True, help="Use a few sentences and one seed, to see whether the file works."
)
@click.option(
    "--corpus",
    type=_FOLDER,
    help="Folder with train.SRC, train.TGT, dev.SRC, dev.TGT (or .TGT.0, .TGT.1, ...), test.SRC, "
    "test.TGT, instead of the corpus of the file.",
)
@click.option("--src-lang", help="Language of the source files of --corpus, such as zh.")
@click.option("--tgt-lang", help="Language of the target files of --corpus.")
@click.option("--raw", is_flag=True, help="The files of --corpus are raw text (default: tokens).")
@click.option("--seeds", type=click.IntRange(1), help="Number of seeds, instead of the file's.")
@click.option(
    "--parts",
    type=_FOLDER,
    help="Directory for models and weights that several experiments share (default: OUT/parts).",
)
@threads_flag
@quiet_and_json
def command(
    *, file: str | None, out: Path | None, listed: bool, show: bool, quick: bool, threads: int,
    quiet: bool, as_json: bool, **given: Any,
) -> int:  # fmt: skip
    """Run the experiment FILE, or one of the package by its name, and print its tables.

    Each system is built, tuned or trained as the file says, for each seed and each value of a
    varied setting, and tested. Results are kept: the same command resumes, and after a change of
    the file only what depends on the change is run. OUT gets tables.md, results.json, plots and
    report.html.
    """
    screen = Screen(quiet=quiet, as_json=as_json)
    if listed:
        _list(screen)
        return 0
    if file is None:
        raise click.UsageError("FILE is missing; --list shows the experiments of the package")
    if show:
        from demotic.experiments.file import find_file

        screen.result({"file": str(find_file(file))}, find_file(file).read_text("utf-8").rstrip())
        return 0
    if out is None:
        raise click.UsageError("-o is missing: the directory for results")
    from demotic.cli.make_view import Display
    from demotic.experiments import read_experiment, run_experiment

    experiment = read_experiment(file, _changes(given), quick=quick)
    with Display(screen) as display:
        result = run_experiment(
            experiment, out, parts=given["parts"], threads=threads, progress=display
        )
    screen.result(_values(result) if as_json else {}, "" if as_json else _text(result, out))
    return 1 if result.failures else 0


def _changes(given: dict[str, Any]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if given["corpus"] is not None:
        if not (given["src_lang"] and given["tgt_lang"]):
            raise click.UsageError("--corpus needs --src-lang and --tgt-lang")
        changes["corpus"] = {
            "folder": str(given["corpus"]),
            "source": given["src_lang"],
            "target": given["tgt_lang"],
            "tokenized": not given["raw"],
        }
    elif given["src_lang"] or given["tgt_lang"] or given["raw"]:
        raise click.UsageError("--src-lang, --tgt-lang and --raw describe a --corpus")
    if given["seeds"] is not None:
        changes["seeds"] = given["seeds"]
    return changes


def _list(screen: Screen) -> None:
    from demotic.experiments import shipped
    from demotic.explain.plain import plain_table
    from demotic.toml import read_toml

    files = {name: read_toml(path) for name, path in shipped().items()}
    titles = {name: values["title"] for name, values in files.items()}
    rows = [(name, values.get("paper", ""), values["title"]) for name, values in files.items()]
    screen.result(titles, plain_table(("name", "original", "title"), rows))


def _text(result: ExperimentResult, out: Path) -> str:
    from demotic.experiments.sheet import SHEET_NAME
    from demotic.experiments.tables import tables_of
    from demotic.explain.plain import plain_table

    parts = [f"\n{result.title}"]
    if result.settings.get("published"):
        parts.append(f"Published: {result.settings['published']}")
    for table in tables_of(result):
        parts += ["", table.title, plain_table(table.header, table.rows)]
        parts += [table.note] if table.note else []
    parts += [f"\nfailed: {one.run}: {one.message}" for one in result.failures]
    parts += ["", f"scores     {result.signature}"] if result.signature else [""]
    parts += [f"report     {out / 'report.html'}", f"tables     {out / 'tables.md'}"]
    if result.settings.get("sheet"):
        parts.append(f"errors     {out / SHEET_NAME}, to fill in")
    return "\n".join(parts)


def _values(result: ExperimentResult) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(result)
