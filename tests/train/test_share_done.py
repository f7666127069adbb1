"""One share of the time for all steps of a training."""

from __future__ import annotations

from demotic.train import TrainOptions
from demotic.train.share_done import share_report


def test_the_share_grows_from_the_first_fold_to_the_last_epoch() -> None:
    seen: list[tuple[float, str]] = []
    options = TrainOptions(folds=2, epochs=2)
    report = share_report(options, lambda share, what: seen.append((share, what)))
    assert report.setup is not None
    assert report.advance is not None
    for part in ("part 1 of 2", "part 2 of 2"):
        for step in ("training the aligner (hmm)", "extracting rules", "forced decoding"):
            report.setup(f"{part}: {step}", 0, 10)
            report.setup(f"{part}: {step}", 10, 10)
    for epoch in (1, 2):
        report.advance(epoch, 5, 10, "")
        report.setup("scoring the dev set", 3, 10)  # is no step back
        report.advance(epoch, 10, 10, "")
    shares = [share for share, _ in seen]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] == 1
    assert seen[-1][1] == "epoch 2"


def test_a_bitext_without_folds_is_one_part() -> None:
    seen: list[float] = []
    options = TrainOptions(held_out="none", epochs=1)
    report = share_report(options, lambda share, _: seen.append(share))
    assert report.setup is not None
    assert report.advance is not None
    report.setup("bitext: forced decoding", 10, 10)
    report.advance(1, 0, 10, "")
    assert seen[0] == seen[1] > 0
