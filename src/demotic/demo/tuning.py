"""The tour's stage of tuning: both models by MIRA on the dev set, and what that is worth."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from demotic.demo.texts import compared, dev_set
from demotic.report.curve import curve

if TYPE_CHECKING:
    from demotic.demo.tour import Row, Tour
    from demotic.learn import DevSet, Tuned

__all__ = ["tune_stage"]

_ROUNDS = 5
_SEARCH = {"beam_size": 30, "pop_limit": 50}  # quick; the untuned models are searched so as well


def tune_stage(tour: Tour) -> list[Row]:
    """A tuned model beside each; BLEU of the test set with four references, before and after."""
    from demotic.model import Model

    dev, test = dev_set(tour, "dev"), dev_set(tour, "test")
    rows: list[Row] = []
    tour.page.heading("Tuning")
    for kind in ("phrase", "hiero"):
        tuned = _tuned(tour, kind, dev)
        run = tuned.runs[0]
        tour.page.figure(
            curve(run.curve, kept=run.curve.index(run.score)),
            f"{kind}: BLEU of the dev set after each round of MIRA",
        )
        start = tuned.model.decoder(weights=Model.load(tour.folder / kind).weights)
        scores = compared(tour, start, tuned.model.decoder(), test)
        rows += [
            ("tune", f"{kind}: BLEU of the dev set", f"{run.curve[0]:.2f} → {run.score:.2f}"),
            ("tune", f"{kind}: BLEU of the test set", scores.change),
            ("tune", f"{kind}: samples in which it is better", f"{100 * scores.test.wins:.1f} %"),
            ("tune", f"{kind}: p by paired bootstrap", f"{scores.test.p_bootstrap:.3f}"),
        ]
    tour.page.table(["what", "figure"], [row[1:] for row in rows])
    tour.page.text(
        f"Four references, beam {_SEARCH['beam_size']}, pop limit {_SEARCH['pop_limit']}; 1,000 "
        "samples of the test set."
    )
    return rows


def _tuned(tour: Tour, kind: str, dev: DevSet) -> Tuned:
    from demotic.learn import TuneOptions, TuneOrder, tune_model
    from demotic.model import Model

    home = tour.folder / f"{kind}-tuned"
    shutil.rmtree(home, ignore_errors=True)  # of an earlier tour, perhaps with another seed
    order = TuneOrder(options=TuneOptions(rounds=_ROUNDS), search=_SEARCH)
    model = Model.load(tour.folder / kind)
    with tour.progress(f"tune ({kind})") as advance:
        return tune_model(
            model,
            dev,
            home,
            order,
            threads=tour.threads,
            report=lambda _, done: advance(done.number, _ROUNDS),
        )
