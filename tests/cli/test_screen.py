"""Progress without a terminal: few lines, and no repetition."""

from __future__ import annotations

import re
import time

import pytest

from demotic.cli.screen import OneBar, Screen, _PlainLines


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_lines_are_rare_and_say_how_long_it_takes(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with Screen().progress("extracting rules") as advance:
        for step in range(1, 601):  # ten minutes
            clock[0] = 100.0 + step
            advance(step, 600)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "extracting rules: 0 %, 9 min 58 s left"
    assert lines[1] == "extracting rules: 1 %, 9 min 53 s left"
    assert lines[-1] == "extracting rules: done in 10 min"
    assert 20 < len(lines) < 45
    assert len(set(lines)) == len(lines)


def test_the_end_of_the_count_is_told_once(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with Screen().progress("extracting rules") as advance:
        for _ in range(80):
            clock[0] += 1
            advance(400, 400)
    assert capsys.readouterr().err == (
        "extracting rules: 100 %\nextracting rules: done in 1 min 20 s\n"
    )


def test_short_work_is_silent(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with Screen().progress("reading") as advance:
        clock[0] += 1.9
        advance(1, 2)
    assert capsys.readouterr().err == ""


def test_work_that_tells_nothing_shows_its_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_PlainLines, "FIRST", 0.01)
    with Screen().progress("reading"):
        time.sleep(0.3)
    assert re.fullmatch(r"reading \.\.\.\nreading: done in 0\.\d s\n", capsys.readouterr().err)


def test_failed_work_is_not_called_done(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    def work() -> None:
        with Screen().progress("reading") as advance:
            clock[0] += 3
            advance(7)
            raise KeyError

    with pytest.raises(KeyError):
        work()
    assert capsys.readouterr().err == "reading: 7 so far\n"


def test_remarks_come_last(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with Screen().progress("translating") as advance:
        clock[0] += 10
        advance(1, 4, "320 words/s")
    assert capsys.readouterr().err.splitlines()[0] == ("translating: 25 %, 30 s left, 320 words/s")


def test_quiet_is_quiet(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen(quiet=True)
    with screen.progress("translating") as advance:
        clock[0] += 10
        advance(1, 4)
    screen.written({}, "made it", "next")
    assert capsys.readouterr() == ("", "")


def test_one_label_after_the_other(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with OneBar(Screen()) as bar:
        for label in ("round 1", "round 2"):
            bar.show(label, 0, 2)
            clock[0] += 3
            bar.show(label, 1, 2)
    assert capsys.readouterr().err.splitlines() == [
        "round 1: 50 %, 3 s left",
        "round 1: done in 3 s",
        "round 2: 50 %, 3 s left",
        "round 2: done in 3 s",
    ]
