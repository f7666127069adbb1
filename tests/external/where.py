"""Locates corpora and models of other projects for tests that use them if they exist."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def _folder() -> Path:
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    return Path(os.environ.get("DEMOTIC_DATA") or beside)


def data() -> Path:
    """The folder of the corpora, or a skipped test."""
    if not _folder().is_dir():
        pytest.skip("no corpora: set DEMOTIC_DATA to the folder of the data")
    return _folder()


def models() -> Path:
    """The folder `models` of the data, or a skipped test."""
    folder = _folder() / "models"
    if not folder.is_dir():
        pytest.skip("no models of other toolkits: set DEMOTIC_DATA to the folder of the data")
    return folder
