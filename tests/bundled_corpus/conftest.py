"""A small corpus, drawn once for all tests of the bundled corpus."""

from __future__ import annotations

import pytest

from bundled_corpus import Corpus, Pair, generate


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    return generate(seed=1, train=1500, dev=120, test=120)


@pytest.fixture(scope="session")
def pairs(corpus: Corpus) -> list[Pair]:
    return [*corpus.train, *corpus.dev, *corpus.test]
