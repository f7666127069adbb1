"""The helper that measures two sides alternately."""

from __future__ import annotations

import sys
import time

import pytest

import benchmarks.container
from benchmarks.__main__ import found, main
from benchmarks.pairing import Pairing, Seconds, compare, measure


def test_sides_run_in_turns_after_a_warm_up() -> None:
    order: list[str] = []
    pairing = compare(
        ("ours", lambda: order.append("a")), ("theirs", lambda: order.append("b")), pairs=3
    )
    assert order == ["a", "b"] * 4
    assert [len(times) for times in pairing.times] == [3, 3]


def test_ratios_are_of_pairs_not_of_sums() -> None:
    ours = [Seconds(1, 2), Seconds(2, 2), Seconds(4, 2)]
    theirs = [Seconds(8, 4), Seconds(8, 4), Seconds(8, 8)]
    pairing = Pairing(("ours", "theirs"), (ours, theirs), load=0)
    assert pairing.ratios() == [2, 4, 8]
    report = pairing.report("25,000 words", "1 thread")
    assert "theirs / ours in cpu time: median 4.0 (min 2.0, max 8.0)" in report
    assert "theirs / ours in wall time: median 2.0 (min 2.0, max 4.0)" in report
    assert "25,000 words" in report
    assert "1 thread" in report


def test_sleeping_is_wall_time_only() -> None:
    taken = measure(lambda: time.sleep(0.05))
    assert taken.wall >= 0.05
    assert taken.cpu < 0.05


def test_measurements_are_found_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert "brown" in found()
    assert "pairing" not in found()
    assert main(["nothing"]) == 2
    assert "there are" in capsys.readouterr().err


def test_the_name_of_a_measurement_is_not_one_of_its_arguments(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", "container"])
    monkeypatch.setattr(benchmarks.container, "measure", lambda folder, megabytes: [("write", 1.0)])
    assert main(["container"]) == 0
    assert "write" in capsys.readouterr().out
