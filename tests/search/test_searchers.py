"""A decoder reuses its searchers between calls; their caches change no result."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Timer

import pytest

from demotic._core import StopFlag
from demotic.errors import ModelError
from demotic.model import Model
from demotic.search import Decoder
from tests.search.small_models import pairs, prepared_model

Result = tuple[str, bytes, bytes]


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Model:
    return prepared_model(tmp_path_factory.mktemp("models"), request.param)


@pytest.fixture(scope="module")
def source(model: Model) -> list[str]:
    lines = [model.raw_text.prepared(line) for line, _ in pairs()][::3]
    # Unknown words are prepared in each call; an empty sentence prepares nothing.
    return [*lines, "", *(f"{line} unseen{i}" for i, line in enumerate(lines))]


def found(decoder: Decoder, line: str) -> Result:
    result = decoder.translate([line])
    return result.text[0], result.scores.tobytes(), result.features.tobytes()


@pytest.fixture(scope="module")
def fresh(model: Model, source: list[str]) -> list[Result]:
    """Translations by a new decoder for each line."""
    results = [found(model.decoder(), line) for line in source]
    assert len({text for text, *_ in results}) > len(results) // 4  # different texts
    return results


def test_a_used_searcher_finds_the_same(
    model: Model, source: list[str], fresh: list[Result]
) -> None:
    decoder = model.decoder()
    for order in (range(len(source)), range(len(source) - 1, -1, -1)):
        for i in order:
            assert found(decoder, source[i]) == fresh[i]


def test_threads_share_a_decoder(model: Model, source: list[str], fresh: list[Result]) -> None:
    decoder = model.decoder()
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda line: found(decoder, line), source * 5)) == fresh * 5


def test_the_calling_thread_finds_the_same(
    model: Model, source: list[str], fresh: list[Result]
) -> None:
    here = model.decoder().translate(source, stop=StopFlag())
    assert here.text == [text for text, *_ in fresh]
    assert here.scores.tobytes() == b"".join(score for _, score, _ in fresh)


def test_a_flag_ends_the_search(model: Model, source: list[str], fresh: list[Result]) -> None:
    decoder, stop = model.decoder(), StopFlag()
    late = Timer(0.05, stop.set)
    late.start()
    with pytest.raises(KeyboardInterrupt):
        decoder.translate([" ".join(source)] * 10_000, stop=stop)
    assert [found(decoder, line) for line in source] == fresh


def test_a_failed_call_leaves_a_working_decoder(
    model: Model, source: list[str], fresh: list[Result]
) -> None:
    decoder = model.decoder()
    with pytest.raises(ModelError, match="a weight of"):
        model.decoder(weights=decoder.weights.replace({"word_penalty": 1e13})).translate(source)
    with pytest.raises(TypeError):
        decoder.translate([None])  # type: ignore[list-item]
    assert [found(decoder, line) for line in source] == fresh
