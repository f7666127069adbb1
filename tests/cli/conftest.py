"""Models for the verbs that need one, built once, and a folder with texts for them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.search.small_models import prepared_model, token_model

TEXT = b"Das Haus ist gro\xc3\x9f.\n\nHeute kenne ich das Kind.\n"
TRANSLATED = "The house is big.\n\nI know the child today.\n"


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the models `phrase` (raw text), `tokens` and `hiero`."""
    folder = tmp_path_factory.mktemp("models")
    prepared_model(folder)
    prepared_model(folder, "hiero")
    token_model(folder)
    return folder


@pytest.fixture
def home(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("phrase", "tokens", "hiero"):
        (tmp_path / name).symlink_to(models / name)
    (tmp_path / "t.de").write_bytes(TEXT)
    (tmp_path / "t.de.gz").write_bytes(gzip.compress(TEXT))
    (tmp_path / "bad.de").write_bytes(b"Das \xff ist alt.\nDas Buch ist alt.\n")
    (tmp_path / "tokens.de").write_bytes(b"das haus ist alt .\na ||| b\n|||\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path
