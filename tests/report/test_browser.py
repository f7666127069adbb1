"""Reports in a real browser: no problem in the console, nothing too wide, also dark and printed.

Needs the group `browser` (playwright) and the system's chromium; skipped without them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from demotic.cli.main import run
from demotic.experiments import read_experiment, run_experiment
from demotic.pipeline.page import report_page
from tests.browser import launched, needs_chromium
from tests.experiments.small import written
from tests.pipeline.example_result import example_made
from tests.search.small_models import prepared_model

pytestmark = needs_chromium

WAYS = {
    "laptop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 360, "height": 740}},
    "dark": {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
    "paper": {"viewport": {"width": 680, "height": 1000}},  # A4 less its margins
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    home = tmp_path_factory.mktemp("pages")
    made = {name: home / f"{name}.html" for name in ("make", "phrase", "hiero")}
    models: dict[str, str] = {}
    report_page(example_made()).write(made["make"])
    for kind in ("phrase", "hiero"):
        models[kind] = str(prepared_model(home, kind).path)
        explain = f"explain {models[kind]} --evidence 2 -o {made[kind]} --ref".split()
        assert run([*explain, "Today I know it.", "Heute kenne ich das Zebra."]) == 0
    (home / "t.de").write_text("Heute kenne ich das Zebra.\nIch kenne es.\n", encoding="utf-8")
    (home / "t.en").write_text("Today I know the zebra.\nI know.\n", encoding="utf-8")
    texts = f"--src {home / 't.de'} --ref {home / 't.en'}"
    assert run(f"force {models['phrase']} {texts} -o {home / 'force'}".split()) == 0
    run_experiment(read_experiment(written(home)), home / "experiment")
    return made | {name: home / name / "report.html" for name in ("force", "experiment")}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as made:
        yield made


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["make", "phrase", "hiero", "force", "experiment"])
def test_page(browser: Any, pages: dict[str, Path], name: str, way: str) -> None:
    page = browser.new_page(**WAYS[way])
    problems: list[str] = []
    asked: list[str] = []
    page.on("console", lambda one: problems.append(one.text))
    page.on("pageerror", lambda one: problems.append(str(one)))
    page.on("request", lambda one: asked.append(one.url))
    page.goto(pages[name].as_uri())
    if way == "paper":
        page.emulate_media(media="print")
    else:
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= WAYS[way]["viewport"]["width"]
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    assert dark == (way == "dark")
    assert problems == []
    assert asked == [pages[name].as_uri()]
    page.close()
