"""The tour's stage of training: the tuned models on the bitext, and what that is worth."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from demotic.demo.texts import compared, dev_set
from demotic.report.curve import curve

if TYPE_CHECKING:
    from demotic.demo.tour import Row, Tour
    from demotic.learn import DevSet
    from demotic.train import Bitext, Trained, TrainOptions

__all__ = ["train_stage"]


def train_stage(tour: Tour) -> list[Row]:
    """A trained model beside each tuned one."""
    from demotic.lines import read_lines
    from demotic.model import Model
    from demotic.train import Bitext

    dev, test = dev_set(tour, "dev"), dev_set(tour, "test")
    bitext = Bitext(*(read_lines(tour.text(f"tok/train.{side}")).tolist() for side in ("zh", "en")))
    rows: list[Row] = []
    tour.page.heading("Training on the bitext")
    for kind in ("phrase", "hiero"):
        trained = _trained(tour, kind, bitext, dev)
        epochs = trained.result.epochs
        tour.page.figure(
            curve([one.bleu for one in epochs], kept=trained.result.kept.number - 1, first=1),
            f"{kind}: BLEU of the dev set after each epoch",
        )
        before = Model.load(tour.folder / f"{kind}-tuned").decoder()
        scores = compared(tour, before, trained.model.decoder(), test)
        rows += [
            ("train", f"{kind}: pairs derived", f"{trained.pairs:,} of {trained.bitext:,}"),
            ("train", f"{kind}: sparse features", f"{epochs[-1].features:,}"),
            ("train", f"{kind}: BLEU of the test set", scores.change),
            ("train", f"{kind}: p by paired bootstrap", f"{scores.test.p_bootstrap:.3f}"),
        ]
    tour.page.table(["what", "figure"], [row[1:] for row in rows])
    tour.page.text(
        "Each fold of the bitext is searched with rules and a language model made from the others. "
        "Hiero: pairs of up to 10 words, few templates, to be quick."
    )
    return rows


def _options(kind: str) -> tuple[TrainOptions, str]:
    """Enough to see what it does; `demotic train` by itself does more."""
    from demotic.train import TrainOptions

    if kind == "phrase":
        return TrainOptions(epochs=3, folds=3, prefixes=True), "default"
    return TrainOptions(epochs=2, folds=2, max_words=10), "z14"


def _trained(tour: Tour, kind: str, bitext: Bitext, dev: DevSet) -> Trained:
    from demotic.model import Model
    from demotic.train import TrainOrder, TrainReport, train_model
    from demotic.train.features import training_features

    home = tour.folder / f"{kind}-trained"
    shutil.rmtree(home, ignore_errors=True)  # of an earlier tour, perhaps with another seed
    model = Model.load(tour.folder / f"{kind}-tuned")
    options, templates = _options(kind)
    with tour.progress(f"train ({kind})") as advance:
        features = training_features(model, templates, bitext, home / "training")
        order = TrainOrder(options=options, features=features)

        def told(epoch: int, done: int, total: int, _: str) -> None:
            advance((epoch - 1) * total + done, options.epochs * total)

        report = TrainReport(advance=told)
        return train_model(model, bitext, dev, home, order, threads=tour.threads, report=report)
