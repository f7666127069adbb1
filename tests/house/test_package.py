"""What is excluded from the source distribution is not excluded from the package."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_exclusions_are_folders_of_the_repository() -> None:
    """Without the slash they exclude packages of the same name too, from wheels as well."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    excluded = tomllib.loads(text)["tool"]["scikit-build"]["sdist"]["exclude"]
    assert all(one.startswith("/") and (ROOT / one[1:]).is_dir() for one in excluded)
