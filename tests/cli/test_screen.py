"""Progress where no terminal is: a line every few seconds, never the same twice."""

from __future__ import annotations

import pytest

from demotic.cli import screen as screens
from demotic.cli.screen import OneBar, Screen


class Clock:
    """Time that passes when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(screens.time, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_lines_with_an_estimate(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with Screen().progress("translating") as advance:
        for done in range(1, 11):
            clock.now += 1.5
            advance(done, 10, "3 words/s")
    assert capsys.readouterr().err.splitlines() == [
        "translating: 2 of 10 (20 %), 3 words/s, 12 s left",
        "translating: 6 of 10 (60 %), 3 words/s, 6 s left",
        "translating: 10 of 10 (100 %), 3 words/s",
    ]


def test_a_state_is_shown_once(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    """Work that reports its end again and again has one last line."""
    with Screen().progress("extracting rules") as advance:
        for _ in range(13):
            clock.now += 6
            advance(100, 100)
    assert capsys.readouterr().err == "extracting rules: 100 of 100 (100 %)\n"


def test_short_work_is_silent(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with Screen().progress("reading") as advance:
        for done in range(3):
            clock.now += 0.5
            advance(done, 3)
    assert capsys.readouterr().err == ""


def test_one_label_after_the_other(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with OneBar(Screen()) as bar:
        for label in ("round 1", "round 2"):
            for done in (0, 1):  # the last report may come before the end
                clock.now += 3
                bar.show(label, done, 2)
    assert capsys.readouterr().err.splitlines() == [
        "round 1: 1 of 2 (50 %), 3 s left",
        "round 1: 2 of 2 (100 %)",
        "round 2: 1 of 2 (50 %), 3 s left",
        "round 2: 2 of 2 (100 %)",
    ]


def test_quiet(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with Screen(quiet=True).progress("reading") as advance:
        clock.now += 60
        advance(1, 2)
    assert capsys.readouterr().err == ""
