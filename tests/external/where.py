"""Where the models of other projects are, which tests read if they are there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def models() -> Path:
    """The folder `models` of the data, or a skipped test."""
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    folder = Path(os.environ.get("DEMOTIC_DATA") or beside) / "models"
    if not folder.is_dir():
        pytest.skip("no models of other toolkits: set DEMOTIC_DATA to the folder of the data")
    return folder
