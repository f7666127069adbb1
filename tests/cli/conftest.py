"""Models for the verbs that need one; built once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.search.small_models import prepared_model, token_model


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the models `phrase` (raw text), `tokens` and `hiero`."""
    folder = tmp_path_factory.mktemp("models")
    prepared_model(folder)
    prepared_model(folder, "hiero")
    token_model(folder)
    return folder
