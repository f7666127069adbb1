"""Documents of clients: translated in place, refused by name, stored for a while."""

from __future__ import annotations

import time
from typing import Any

import pytest
from starlette.testclient import TestClient

from demotic.serve.app import application
from demotic.serve.files import DocumentTask, FileStore, suffixes
from demotic.serve.options import ServeOptions
from demotic.serve.refusals import Busy, Late, Stopping, Vanished
from demotic.serve.served_model import ServedModel
from demotic.serve.service import TranslationService
from tests.serve.test_service import SENTENCE, TRANSLATION

SUBTITLES = f"1\n00:00:01,000 --> 00:00:02,000\n{SENTENCE}\n\n2\n00:00:03,000 --> 00:00:04,000\n"
TRANSLATED = SUBTITLES.replace(SENTENCE, TRANSLATION)


def sent(client: TestClient, name: str, data: bytes, **fields: str) -> Any:
    wanted = {"source": "de", "target": "en", **fields}
    return client.post("/translate_file", data=wanted, files={"file": (name, data)})


@pytest.mark.parametrize("source", ["de", "auto"])
def test_a_file_in_the_way_of_libretranslate(client: TestClient, source: str) -> None:
    answer = sent(client, "Film.srt", SUBTITLES.encode(), source=source)
    url = answer.json()["translatedFileUrl"]
    assert url.startswith("http://localhost/download_file/")
    found = client.get(url)
    assert found.text == TRANSLATED
    assert found.headers["content-disposition"] == "attachment; filename*=utf-8''Film.en.srt"
    assert client.get(f"{url}x").status_code == 404


def test_a_file_in_our_way(client: TestClient) -> None:
    page = f"<html><body><p id='x'>{SENTENCE}</p></body></html>"
    answer = client.post("/v1/file?name=a.html&source=de&target=en", content=page.encode())
    assert answer.text == page.replace(SENTENCE, TRANSLATION)
    assert answer.headers["content-type"] == "application/octet-stream"


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("a.exe", b"", "the suffix '.exe'"),
        ("", b"", "missing name"),
        ("a.xlf", b"<nope", "broken XML"),
        ("a.xlf", b'<!DOCTYPE x [<!ENTITY a "b">]><xliff>&a;</xliff>', "a.xlf"),
        ("a.docx", b"PK\x03\x04", "broken archive"),
        ("../../a.po", b"\xff\xfe\xfa", "a.po"),
    ],
)
def test_bad_files_are_named(client: TestClient, name: str, data: bytes, error: str) -> None:
    query = {"name": name, "source": "de"} if name else {"source": "de"}
    answer = client.post("/v1/file", params=query, content=data)
    assert answer.status_code == 400
    assert error in answer.json()["error"]


def test_forms_without_a_file(client: TestClient) -> None:
    assert client.post("/translate_file", data={"source": "de"}).status_code == 400
    assert sent(client, "a.srt", b"", source="xx").json() == {"error": "xx is not supported"}


def test_keys_are_needed(guarded_client: TestClient) -> None:
    assert sent(guarded_client, "a.srt", SUBTITLES.encode()).status_code == 403
    assert sent(guarded_client, "a.srt", SUBTITLES.encode(), api_key="open").status_code == 200
    assert guarded_client.post("/v1/file?name=a.srt", content=b"").status_code == 403


def test_every_format_has_a_suffix() -> None:
    assert {".po", ".xlf", ".tmx", ".html", ".md", ".srt", ".docx"} <= set(suffixes())


def test_a_stopped_document_ends(service: TranslationService) -> None:
    task = DocumentTask(service, service.default)
    task.stop()
    with pytest.raises(Vanished):
        task.run(SUBTITLES.encode(), "a.srt")


def test_a_stopping_server_refuses_documents(models: list[ServedModel]) -> None:
    stopped = TranslationService(models, ServeOptions())
    stopped.scheduler.close()
    with pytest.raises(Stopping):
        DocumentTask(stopped, stopped.default).run(SUBTITLES.encode(), "a.srt")


def test_only_some_documents_at_once(service: TranslationService) -> None:
    task = DocumentTask(service, service.default)
    places = [DocumentTask._places.acquire(blocking=False) for _ in range(2)]
    try:
        assert places == [True, True]
        with pytest.raises(Busy):
            task.run(SUBTITLES.encode(), "a.srt")
    finally:
        for _ in places:
            DocumentTask._places.release()
    assert task.run(SUBTITLES.encode(), "a.srt").decode() == TRANSLATED


def test_the_store_is_bounded() -> None:
    store = FileStore(size=100, seconds=60)
    keys = [store.put(b"a" * 40, f"{i}.po") for i in range(4)]
    assert len(set(keys)) == 4
    assert [store.get(key) is not None for key in keys] == [False, False, True, True]
    large = store.put(b"a" * 1000, "large.po")
    assert [store.get(key) is not None for key in (*keys, large)] == [False] * 4 + [True]


def test_the_store_forgets() -> None:
    store = FileStore(seconds=0.01)
    key = store.put(b"a", "a.po")
    time.sleep(0.02)
    assert store.get(key) is None


def test_documents_of_very_many_parts_are_refused(models: list[ServedModel]) -> None:
    limited = TranslationService(models, ServeOptions(max_segments=20, max_characters=100))
    client = TestClient(application(limited), base_url="http://localhost")
    address = "/v1/file?name=a.html&source=de&target=en"
    try:
        assert client.post(address, content=b"<p>Haus</p>" * 20).status_code == 200
        for content, error in (
            (b"<p>Haus</p>" * 21, "a document with more than 20 segments; expected at most 20"),
            (b"<b>" * 201, "more than 200 tags"),
            (b"Haus " * 100, "a sentence of 499 characters; expected at most 100"),
        ):
            answer = client.post(address, content=content)
            assert answer.status_code == 413
            assert error in answer.json()["error"]
        answer = sent(client, "a.html", b"<p>Haus</p>" * 21)
        assert answer.status_code == 413
        assert "--max-segments" in answer.json()["error"]
    finally:
        limited.scheduler.close()


def test_a_document_is_not_read_for_nobody(service: TranslationService) -> None:
    """Nothing of this one is translated, so only its reading can notice that the client left."""
    task = DocumentTask(service, service.default)
    task.stop()
    with pytest.raises(Vanished):
        task.run(b"<b>" * 1000, "a.html")


def test_reading_has_a_deadline(models: list[ServedModel]) -> None:
    slow = TranslationService(models, ServeOptions(max_seconds=0.1))
    try:
        with pytest.raises(Late):
            DocumentTask(slow, slow.default).run(b"<b>" * 200_000, "a.html")
    finally:
        slow.scheduler.close()
