"""The report of `demotic make` has every section, in order, in plain words."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from demotic.durations import duration, short_duration
from demotic.pipeline.page import report_page
from demotic.pipeline.result import Example, MakeResult, Score, StageResult
from demotic.report.words import (
    difference,
    plain_name,
    plain_value,
)
from demotic.sizes import bytes_text
from tests.pipeline.example_result import example_made
from tests.report.html_pages import check_page


@pytest.fixture
def result() -> MakeResult:
    return example_made()


def test_every_section_is_there_in_order(result: MakeResult, tmp_path: Path) -> None:
    report_page(result).write(tmp_path / "report.html")
    tags = check_page((tmp_path / "report.html").read_text("utf-8"))
    assert tags.headings == [
        "Chinese to English translator: 28.4 BLEU",
        "Test scores by stage",
        "Time by stage",
        "Some of its best translations",
        "Some of its worst",
        "How to use it",
        "Learning curves",
        "The corpus",
        "Details",
        "Sizes",
        "Settings",
        "Signatures of the scores",
    ]
    assert tags.classes["example"] == 10
    text = " ".join("".join(tags.text).split())
    assert (
        "A phrase-based Chinese-English model, trained on 35,120 sentence pairs in 6 minutes 32 "
        "seconds; it translates 5,213 words per second."
    ) in text
    assert "better than built, p < 0.001" in text.replace("\xa0", " ")
    assert "better than tuned, p = 0.031" in text.replace("\xa0", " ")


def test_invalid_updates_and_reachable_pairs(result: MakeResult) -> None:
    trained = replace(result.stages[2], invalid=(12.0, 7.5), reachable=17_560)
    html = report_page(replace(result, stages=(*result.stages[:2], trained))).html()
    assert "The references of 17,560 (50 %) training pairs can be derived." in html
    assert "last: 7.50" in html


def test_no_keys_of_programs(result: MakeResult) -> None:
    tags = check_page(report_page(result).html())
    commands = "import demotic"  # of Python, to be copied
    shown = [text for text in tags.text if commands not in text]
    assert not [text for text in shown if re.search(r"[a-z]_[a-z]", text)]


def test_scores_are_drawn_with_their_intervals(result: MakeResult) -> None:
    html = report_page(result).html()
    for stage in result.stages:
        score = stage.scores["bleu"]
        hover = f"{score.value:.1f}, 95 % interval {score.low:.1f} to {score.high:.1f}"
        assert f"<title>{hover}</title>" in html
    assert html.count('class="ring"') == 2  # one curve of tuning, one of training
    assert "kept: 28.90" in html
    assert "kept: 29.60" in html


def test_changed_words_are_marked(result: MakeResult) -> None:
    html = report_page(result).html()
    assert 'He <mark class="new">put</mark> the key on the table.' in html
    # A translation that stayed as it was stands there once.
    assert html.count("There are three 万 five thousand people participated.") == 1


def test_text_is_escaped_and_may_run_from_right_to_left(result: MakeResult) -> None:
    hostile = '</title><script>alert(1)</script>" onload="x'
    arabic = "الكتاب على الطاولة"
    one = Example(hostile, (arabic,), hostile, f"{hostile} {arabic}", 1.0, 2.0)
    result = replace(
        result,
        good=(one,),
        bad=(),
        findings=(hostile,),
        settings={hostile: hostile},
        dropped={hostile: 1},
        signatures={"bleu": hostile},
        times=((hostile, 1.0),),
        path=Path(hostile),
    )
    tags = check_page(report_page(result).html())
    assert "onload" not in tags.attributes
    assert f'<bdi dir="auto">{arabic}</bdi>' in report_page(result).html()


def test_as_little_as_there_can_be() -> None:
    stage = StageResult("built", "hiero", ".", 1.0, 0.0, {})
    result = MakeResult(
        path=Path("m"), source_language="qqq", target_language="de-AT", kind="hiero", final=0,
        stages=(stage,), signatures={}, sentences={},
    )  # fmt: skip
    tags = check_page(report_page(result).html())
    assert tags.headings[0] == "qqq to German translator"
    assert "Nothing was tested" in "".join(tags.text)


def test_two_kinds_are_told_apart(result: MakeResult) -> None:
    other = StageResult("built", "hiero", "hiero", 9.0, 20.0, {"bleu": Score(20.0, 19.0, 21.0)})
    text = "".join(
        check_page(report_page(replace(result, stages=(*result.stages, other))).html()).text
    )
    assert "built (phrase)" in text
    assert "built (hiero)" in text


@pytest.mark.parametrize(
    ("better", "p", "words"),
    [
        (True, 0.0001, "better than built, p < 0.001"),
        (False, 0.02, "worse than built, p = 0.020"),
        (True, 0.3, "no significant difference from built, p = 0.300"),
    ],
)
def test_significance_in_words(better: bool, p: float, words: str) -> None:
    assert difference("built", p, better=better).replace("\xa0", " ") == words


def test_figures_in_words() -> None:
    assert [duration(x) for x in (0.2, 1, 61, 3600, 7325)] == [
        "0.2 seconds", "1 second", "1 minute 1 second", "1 hour", "2 hours 2 minutes",
    ]  # fmt: skip
    assert [short_duration(x) for x in (0.2, 241, 7325)] == ["0.2 s", "4 min 1 s", "2 h 2 min"]
    assert [bytes_text(x) for x in (12, 4_200, 48_211_934, 3e12)] == [
        "12 bytes", "4.2 kB", "48 MB", "3.0 TB",
    ]  # fmt: skip
    assert plain_name("search.beam_size") == "search: beam size"
    assert [plain_value(x) for x in (None, True, 3, "beam_size 30, pop_limit 100")] == [
        "not set", "yes", "3", "beam size 30, pop limit 100",
    ]  # fmt: skip
