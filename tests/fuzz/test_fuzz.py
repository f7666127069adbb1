"""Every reader takes any bytes: known inputs always, new ones for some seconds in long tests."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.fuzz.inputs import load, save
from tests.fuzz.targets import TARGETS, check

EVERY = pytest.mark.parametrize("target", TARGETS)


@EVERY
def test_known_inputs(target: str) -> None:
    for data in (b"", *TARGETS[target].seeds, *load(target)):
        check(target, data)


def test_inputs_are_kept_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.inputs.FOLDER", tmp_path)
    save("po", [b"b\n\xff", b"a"])
    save("po", [b"a"])
    assert load("po") == [b"a", b"b\n\xff"]


@pytest.mark.long
@pytest.mark.skipif(not find_spec("atheris"), reason="needs atheris, of the group bench")
@EVERY
def test_some_seconds_without_a_finding(target: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz", target, "--seconds", "20"]
    found = subprocess.run(
        [*command, "--folder", tmp_path], check=False, capture_output=True, text=True
    )
    assert found.returncode == 0, found.stderr[-4000:]
    assert int(found.stderr.partition("stat::new_units_added:")[2].split()[0]) > 0, "no coverage"
