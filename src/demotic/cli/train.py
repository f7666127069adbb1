"""`demotic train`: weights of a model, dense and sparse, learnt on the bitext it was built from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demotic.cli.flags import example, from_options, quiet_and_json, threads_flag
from demotic.cli.screen import Screen
from demotic.cli.search_flags import search_flags
from demotic.train.options import TrainOptions

if TYPE_CHECKING:
    from demotic.train.run import TrainOrder

__all__ = ["command"]

_FILE = click.Path(allow_dash=True, dir_okay=False)


@click.command(
    epilog=example(
        "demotic train zh-en --src train.zh --tgt train.en "
        "--dev-src dev.zh --dev-ref dev.en -o zh-en-trained",
        "demotic train zh-en --src train.zh --tgt train.en --dev-src dev.zh --dev-ref dev.en.0 "
        "--dev-ref dev.en.1 --features wordedges --beam 30 --pop-limit 100 -o t",
    ),
)
@click.argument("model", type=click.Path(file_okay=False))
@click.option("--src", required=True, type=_FILE, help="Source side of the bitext.")
@click.option(
    "--tgt",
    "tgts",
    required=True,
    multiple=True,
    type=_FILE,
    help="Target side, line by line; repeat it if there are several, and each pair is trained on.",
)
@click.option("--dev-src", required=True, type=_FILE, help="Sentences to choose the epoch by.")
@click.option(
    "--dev-ref", "dev_refs", required=True, multiple=True, type=_FILE, help="References; repeat it."
)
@click.option(
    "-o", "--out", required=True, type=click.Path(path_type=Path), help="The new model's directory."
)
@click.option(
    "--features",
    default=None,
    show_default="the model's own, else default",
    metavar="NAME|FILE",
    help="Templates of sparse features; none: dense weights alone.",
)
@from_options(TrainOptions)
@search_flags
@threads_flag
@quiet_and_json
def command(*, quiet: bool, as_json: bool, **rest: Any) -> None:
    """Train MODEL on its bitext and write a new model that shares its big files.

    The references of the bitext are looked for by the search itself: where they fall off the beam,
    the weights are corrected. The text is raw if MODEL was built of text that demotic prepare made,
    else tokens. After an interruption the same command goes on from the last checkpoint and ends
    with the same weights.
    """
    screen = Screen(quiet=quiet, as_json=as_json)
    _run(screen, rest)


def _run(screen: Screen, rest: dict[str, Any]) -> None:
    from demotic.cli.train_view import EpochLines, as_dict, shown
    from demotic.learn.dev_set import DevSet
    from demotic.model import Model
    from demotic.search.text import RawText
    from demotic.train.pairs import Bitext
    from demotic.train.run import TrainReport, train_model

    model = Model.load(rest["model"])
    text = RawText(model, tokenized=None if rest["raw"] is None else not rest["raw"])
    bitext = Bitext.read(rest["src"], rest["tgts"], text)
    dev = DevSet.read(rest["dev_src"], rest["dev_refs"], text)
    for notice in text.notices:
        screen.note(notice)
    order = _order(model, bitext, rest)
    with EpochLines(screen, order.options, len(bitext)) as lines:
        report = TrainReport(
            making=lines.making, parts=lines.parts, epoch=lines.epoch, advance=lines.advance
        )
        trained = train_model(
            model, bitext, dev, rest["out"], order, threads=rest["threads"], report=report
        )
    screen.result(as_dict(trained, order), shown(trained))


def _order(model: Any, bitext: Any, rest: dict[str, Any]) -> TrainOrder:
    from demotic.train.features import training_features
    from demotic.train.run import TrainOrder

    features = training_features(model, rest["features"], bitext, rest["out"] / "training")
    return TrainOrder(options=rest["options"], search=rest["given"], features=features)
