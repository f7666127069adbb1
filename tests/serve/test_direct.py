"""Requests that take the short way to their handler get the same answers as all others."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from demotic.serve.app import application
from demotic.serve.direct import Application
from demotic.serve.service import TranslationService

BODY = {"q": "das Haus ist alt", "source": "de", "target": "en"}
REQUESTS: list[tuple[str, str, dict[str, Any]]] = [
    ("GET", "/health", {}),
    ("GET", "/languages", {}),
    ("POST", "/translate", {"json": BODY}),
    ("POST", "/translate", {"json": BODY | {"source": "xx"}}),
    ("POST", "/translate", {"content": b"x" * (2 << 20)}),
    ("POST", "/translate", {"data": BODY}),
    ("POST", "/translate", {"files": {"q": (None, "das Haus"), "target": (None, "en")}}),
    ("GET", "/translate?text=das%20Haus&source=de&target=en", {}),
    ("GET", "/apy/translate?langpair=de%7Cen&q=Haus", {}),
    ("POST", "/v1/translate", {"json": {"text": "das Haus", "source": "de"}}),
    ("GET", "/v1/translate", {}),
    ("GET", "/nothing", {}),
    ("HEAD", "/health", {}),
    ("GET", "/", {}),
    ("POST", "/v1/stream?source=de&target=en", {"content": b'"das Haus"\n'}),
]


@pytest.fixture
def app(service: TranslationService) -> Application:
    return application(service)


@pytest.mark.parametrize(("method", "path", "more"), REQUESTS)
def test_answers_are_equal(app: Application, method: str, path: str, more: dict[str, Any]) -> None:
    found = [
        TestClient(app, base_url=f"http://{host}").request(method, path, **more)
        for host in ("localhost", "[::1]")  # a name with colons takes the long way
    ]
    assert len({one.status_code for one in found}) == 1
    assert found[0].content == found[1].content
    assert found[0].headers == found[1].headers


def test_some_requests_take_the_short_way(app: Application) -> None:
    def long_way(*_: object) -> None:
        raise AssertionError("the long way")

    app.middleware_stack = long_way  # type: ignore[assignment]
    assert TestClient(app, base_url="http://localhost:5000").get("/health").status_code == 200
    assert TestClient(app, base_url="http://localhost").post("/translate", json=BODY).json()
    assert TestClient(app, base_url="http://[::1]").get("/health").status_code == 500


def test_other_hosts_are_refused(app: Application) -> None:
    for host in ("example.org", "localhost.example.org"):
        assert TestClient(app, base_url=f"http://{host}").get("/health").status_code == 400


def test_pages_of_other_sites_get_their_headers(service: TranslationService) -> None:
    app = application(service, origins=["https://example.org"])
    client = TestClient(app, base_url="http://localhost")
    found = client.get("/health", headers={"Origin": "https://example.org"})
    assert found.headers["access-control-allow-origin"] == "https://example.org"
    app.middleware_stack = None  # other programs need none
    found = client.get("/health")
    assert "access-control-allow-origin" not in found.headers
    assert found.status_code == 200


def test_any_host_may_be_allowed(service: TranslationService) -> None:
    app = application(service, hosts=["localhost", "*"])
    client = TestClient(app, base_url="http://example.org")
    assert client.post("/translate", json=BODY).status_code == 200
