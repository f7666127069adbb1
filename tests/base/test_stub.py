"""The committed type stub matches the native module."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import demotic

pytest.importorskip("nanobind", reason="the stub is made by nanobind's own program")


def test_stub_is_up_to_date(tmp_path: Path) -> None:
    made = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-m", "demotic._core", "-o", str(made)]
    subprocess.run(command, check=True, capture_output=True)
    committed = Path(demotic.__file__).with_name("_core.pyi")
    assert made.read_text() == committed.read_text(), "run `make stub` and commit the result"
