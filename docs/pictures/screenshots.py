"""Takes the pictures of the report and of the server's page, in the system's chromium.

    demotic serve zh-en-hiero --port 5055 &
    python docs/pictures/screenshots.py zh-en/report.html http://localhost:5055

Both are models of the tutorial.  Needs the dependency group `browser`.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

HERE = Path(__file__).parent
TEXT = (
    "约翰喜欢我昨天写的很重要的邮件。\n在东京学习的时候，她经常在体育馆打网球。\n她喜欢我买的鱼。"
)


def report(browser: Browser, path: Path) -> None:
    """The first screen of a report."""
    page = browser.new_page(viewport={"width": 1300, "height": 590})
    page.goto(path.resolve().as_uri())
    page.screenshot(path=HERE / "report.png")


def server(browser: Browser, url: str) -> None:
    """A translation, with other possibilities for one sentence."""
    page = browser.new_page(viewport={"width": 1100, "height": 620})
    page.goto(f"{url}/#translate")
    page.fill("textarea", TEXT)
    page.wait_for_function("() => document.querySelector('.reading:not(.stale) .token')")
    page.click(".sentence >> nth=1")
    page.wait_for_selector(".other")
    page.screenshot(path=HERE / "server.png")


if __name__ == "__main__":
    with sync_playwright() as player:
        shown = player.chromium.launch(executable_path=shutil.which("chromium"))
        report(shown, Path(sys.argv[1]))
        server(shown, sys.argv[2])
        shown.close()
