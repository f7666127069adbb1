"""The system's chromium for tests of pages; a module that imports this is skipped without it.

Needs the group `browser` (playwright).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

__all__ = ["launched", "needs_chromium"]

_playwright = pytest.importorskip(
    "playwright.sync_api", reason="the group browser is not installed"
)
_CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
needs_chromium = pytest.mark.skipif(not _CHROMIUM, reason="there is no chromium on this machine")


@contextmanager
def launched() -> Iterator[Any]:
    with _playwright.sync_playwright() as started:
        arguments = ["--no-sandbox"] if os.getuid() == 0 else []
        browser = started.chromium.launch(executable_path=_CHROMIUM, args=arguments)
        yield browser
        browser.close()
