"""Phrase search on real sentences: the oracle gives every list entry the same score."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.search import SearchOptions
from tests.external.where import models
from tests.oracle.phrase_search import PhraseOracle
from tests.search.model_oracle import derivation_of, oracle_of

pytestmark = pytest.mark.external

PAIRS, SENTENCES = 5_000, 50


def first_lines(path: Path, count: int) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n") for line in islice(file, count)]


@contextmanager
def silent(label: str) -> Iterator[object]:
    yield lambda done, total=0: None


@pytest.fixture(scope="module")
def corpus() -> Path:
    return models().parent / "zh-en-tatoeba" / "tok"


@pytest.fixture(scope="module")
def model(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("tatoeba")
    for side in ("zh", "en"):
        text = "\n".join([*first_lines(corpus / f"train.{side}.gz", PAIRS), ""])
        (folder / side).write_text(text, encoding="utf-8")
    options = BuildOptions(source=folder / "zh", target=folder / "en")
    return build(options, folder / "model", progress=silent).model  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def oracle(model: Model, tmp_path_factory: pytest.TempPathFactory) -> PhraseOracle:
    return oracle_of(model, SearchOptions(), tmp_path_factory.mktemp("arpa"))


@pytest.fixture(scope="module")
def sentences(corpus: Path) -> list[str]:
    return first_lines(corpus / "test.zh.gz", SENTENCES)


SETTINGS = {
    "usual": SearchOptions(),
    "small": SearchOptions(beam_size=5, pop_limit=10),
    "exhaustive expansion": SearchOptions(beam_size=30, cube_pruning=False),
    "early, far": SearchOptions(early_distortion=True, distortion_limit=-1, beam_size=30),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_distinct_lists_are_scored_right(
    name: str, model: Model, oracle: PhraseOracle, sentences: list[str]
) -> None:
    options = SETTINGS[name]
    oracle = oracle.under(options)
    results = model.decoder(options).search(sentences)
    entries = 0
    for line, result in zip(sentences, results, strict=True):
        words = tuple(line.split())
        listed = result.kbest(20, distinct=True)
        assert len({one.words for one in listed}) == len(listed)
        assert [one.score for one in listed] == sorted((c.score for c in listed), reverse=True)
        for one in listed:
            phrases = derivation_of(model, oracle, words, one.steps)
            for i, phrase in enumerate(phrases):
                assert oracle.may_follow(len(words), phrases[:i], phrase)
            assert one.words == tuple(word for phrase in phrases for word in phrase.target)
            values = oracle.features(phrases)
            ours = dict(zip(model.weights, one.features.tolist(), strict=True))
            assert ours == pytest.approx(values, rel=1e-6, abs=1e-5)
            assert one.score == pytest.approx(model.weights.array @ one.features, rel=1e-9)
            entries += 1
    assert entries > 15 * SENTENCES


@pytest.mark.parametrize("name", SETTINGS)
def test_record_agrees_with_its_forest(name: str, model: Model, sentences: list[str]) -> None:
    decoder = model.decoder(SETTINGS[name])
    found = decoder.translate(sentences, threads=2)
    for i, result in enumerate(decoder.search(sentences, record="bins")):
        best, _ = result.forest.best_of_nodes(result.edge_scores)
        bins = result.bins
        assert bins.score == pytest.approx(best[:-1], rel=1e-4, abs=1e-3)
        assert result.best.score == pytest.approx(found.scores[i], rel=1e-5)
        assert found.scores[i] == pytest.approx(best[-1], rel=1e-5)
        kept = result.forest.prune(result.edge_scores)
        assert kept.nodes == np.count_nonzero(bins.reaches_goal) + 1
        for number in range(1, len(bins) + 1):
            members = bins.members(number)
            assert np.count_nonzero(bins.alive[members]) <= SETTINGS[name].beam_size


def test_futures_and_monotone_spans(
    model: Model, oracle: PhraseOracle, sentences: list[str]
) -> None:
    options = replace(SearchOptions(), beam_size=1)
    short = [line for line in sentences if len(line.split()) <= 9][:10]
    oracle = oracle.under(options)
    results = model.decoder(options).search(short, monotone=True)
    for line, result in zip(short, results, strict=True):
        words = tuple(line.split())
        for (begin, end), (score, texts) in oracle.monotone(words).items():
            row = begin * (len(words) + 1) + end
            assert result._native.monotone_score[row] == pytest.approx(score, rel=1e-5, abs=1e-4)
            assert result.monotone(begin, end) in texts


def test_threads_change_nothing(model: Model, sentences: list[str]) -> None:
    decoder = model.decoder(SearchOptions())
    one, four = (decoder.translate(sentences, threads=n) for n in (1, 4))
    assert one.text == four.text
    assert np.array_equal(one.scores, four.scores)
    assert np.array_equal(one.features, four.features)
