"""Further client libraries, as they are on the package index.

`libretranslatepy` and `xmlrpc.client` are in test_hostile.py.  `deep-translator` sends all fields
in the address of a POST request without a body.  It is not among the dependencies of the tests: its
requests are repeated as recorded, and it is used where it is installed.  No other library on the
index fits: there is none for Apertium, OPUS-CAT or Wordfast; `translators` and `translatepy` know
only public services; `wlc` talks to Weblate.
"""

from __future__ import annotations

import json
import urllib.parse
import urllib.request
from collections.abc import Iterator

import pytest

from demotic.serve.options import ServeOptions
from demotic.serve.served_model import ServedModel
from demotic.serve.service import TranslationService
from tests.serve.running import Running, running
from tests.serve.test_service import SENTENCE, TRANSLATION


@pytest.fixture(scope="module")
def server(models: list[ServedModel]) -> Iterator[Running]:
    service = TranslationService(models, ServeOptions(), threads=1)
    with running(service, keys=["sesame"]) as made:
        yield made
    service.scheduler.close()


def test_fields_in_the_address_of_a_post_request(server: Running) -> None:
    fields = {
        "q": f"{SENTENCE} {{Haus}} & 5 %",
        "source": "de",
        "target": "en",
        "format": "text",
        "api_key": "sesame",
    }
    address = f"{server.url}/translate?{urllib.parse.urlencode(fields)}"
    headers = {"Content-Length": "0", "Accept": "*/*"}
    request = urllib.request.Request(address, headers=headers, method="POST")
    with urllib.request.urlopen(request, timeout=20) as answer:
        found = json.loads(answer.read())["translatedText"]
    assert found.startswith(f"{TRANSLATION} {{Haus}}")


def test_deep_translator(server: Running) -> None:
    library = pytest.importorskip("deep_translator", reason="deep-translator is not installed")
    client = library.LibreTranslator(
        source="German", target="English", api_key="sesame", custom_url=f"{server.url}/"
    )
    assert client.translate(SENTENCE) == TRANSLATION
    assert client.translate("Ich sehe das {Haus}.") == "I see the {Haus}."
    assert client.translate_batch([SENTENCE, "Ich sehe das Haus."]) == [
        TRANSLATION,
        "I see the house.",
    ]
    stranger = library.LibreTranslator(
        source="de", target="en", api_key="wrong", custom_url=f"{server.url}/"
    )
    with pytest.raises(library.exceptions.AuthorizationException):
        stranger.translate(SENTENCE)
