"""The documentation is built without warnings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.reader import DOCS

for package in ("furo", "myst_parser", "sphinx"):
    pytest.importorskip(package)


def test_no_warnings(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    places = ["-d", str(tmp_path / "doctrees"), str(DOCS), str(tmp_path / "html")]
    done = subprocess.run([*command, *places], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "html" / "tutorial.html").exists()
