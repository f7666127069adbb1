"""Fuzzes every reader of the core for a minute each, where clang is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READERS = ("lines", "container", "arrays")
OLDEST = 16
"""Older versions do not compile the ranges of GCC's standard library."""


def _find_clang() -> str | None:
    for name in ("clang++", *(f"clang++-{version}" for version in range(22, OLDEST - 1, -1))):
        path = shutil.which(name)
        if path is None:
            continue
        version = subprocess.run([path, "-dumpversion"], capture_output=True, text=True, check=True)
        if int(version.stdout.split(".")[0]) >= OLDEST:
            return path
    return None


CLANG = _find_clang()

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(CLANG is None, reason=f"needs clang {OLDEST} or later, which has libFuzzer"),
    pytest.mark.skipif(shutil.which("ninja") is None, reason="needs ninja"),
]


@pytest.fixture(scope="module")
def built() -> Path:
    folder = ROOT / "build" / "fuzz"
    environment = {**os.environ, "CXX": CLANG or ""}
    subprocess.run(["cmake", "--preset", "fuzz"], cwd=ROOT, env=environment, check=True)
    subprocess.run(["cmake", "--build", "--preset", "fuzz"], cwd=ROOT, check=True)
    return folder / "core" / "fuzz"


@pytest.mark.parametrize("reader", READERS)
def test_a_minute_without_a_finding(built: Path, tmp_path: Path, reader: str) -> None:
    subprocess.run([built / f"{reader}_replay", "--write", tmp_path], check=True)
    options = ["-max_total_time=60", "-max_len=2048", f"-artifact_prefix={tmp_path}/"]
    subprocess.run([built / f"{reader}_fuzz", *options, tmp_path], check=True)
