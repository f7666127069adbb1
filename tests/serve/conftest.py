"""Two small models behind one service, and a client of the application."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from demotic.serve.app import application
from demotic.serve.options import ServeOptions
from demotic.serve.served_model import ServedModel
from demotic.serve.service import TranslationService
from tests.search.small_models import prepared_model


@pytest.fixture(scope="session")
def phrase_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A phrase model, German to English."""
    return prepared_model(tmp_path_factory.mktemp("phrase")).path


@pytest.fixture(scope="session")
def models(phrase_home: Path, tmp_path_factory: pytest.TempPathFactory) -> list[ServedModel]:
    """German to English, and a Hiero model of the same that claims to be Dutch to French."""
    hiero = prepared_model(tmp_path_factory.mktemp("hiero"), "hiero")
    return [ServedModel.load(phrase_home), ServedModel(hiero, "nl", "fr")]


@pytest.fixture(scope="session")
def service(models: list[ServedModel]) -> Iterator[TranslationService]:
    made = TranslationService(models, ServeOptions(max_characters=2000), threads=2)
    yield made
    made.scheduler.close()


@pytest.fixture
def client(service: TranslationService) -> TestClient:
    return TestClient(application(service), base_url="http://localhost")


@pytest.fixture
def guarded_client(service: TranslationService) -> TestClient:
    """The same with keys."""
    return TestClient(application(service, keys=["sesame", "open"]), base_url="http://localhost")
