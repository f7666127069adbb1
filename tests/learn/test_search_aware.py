"""Evidence of search-aware tuning: the lists of bins, and their weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demotic.learn import Mira, Pool, TuneOptions, tune
from demotic.learn.search_aware import CandidateListKind
from demotic.metrics import Bleu, BleuOptions, References
from demotic.model import Model
from tests.learn.untuned import dev_set, untuned
from tests.search.small_models import prepared_model


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("models")
    return untuned(prepared_model(folder, "phrase"), folder / "untuned")


def evidence(model: Model, **options: Any) -> Pool:
    dev = dev_set(model)
    chosen = TuneOptions(**options)
    metric = Bleu(dev.references, BleuOptions(tokenize="none"))
    return CandidateListKind().search(model.decoder(), dev.source, metric, chosen, 1).evidence


def part(pool: Pool, lists: Any) -> list[tuple[Any, ...]]:
    """Key, features and statistics of the lists."""
    return [
        (int(pool.keys[i]), pool.dense[rows].tolist(), pool.statistics[rows].tolist())
        for i in lists
        for rows in [slice(pool.offsets[i], pool.offsets[i + 1])]
    ]


@pytest.mark.parametrize("aware", ["partial", "potential"])
def test_a_list_for_every_bin_and_the_k_best_for_the_last(model: Model, aware: Any) -> None:
    plain = evidence(model, nbest=20)
    pool = evidence(model, nbest=20, search_aware=aware)
    words = np.array([len(line.split()) for line in dev_set(model).source])
    # An empty sentence has no bin, but it has a translation.
    assert np.bincount(pool.sentences).tolist() == np.maximum(words, 1).tolist()
    assert part(pool, range(len(plain))) == part(plain, range(len(plain)))
    decoder = model.decoder()
    _, bins = decoder.candidates(decoder.sentences(dev_set(model).source), bins=aware)
    last = np.append(bins.sentence[1:] != bins.sentence[:-1], True)
    sizes = np.diff(bins.offsets)
    assert sizes[last].mean() < np.diff(plain.offsets)[words > 0].mean()
    assert np.diff(pool.offsets)[len(plain) :].tolist() == sizes[~last].tolist()


def test_partial_gains_use_fractions_of_reference_words(model: Model) -> None:
    source = dev_set(model).source
    texts = [f"{text} and more" for text in dev_set(model).references.texts]
    references = References.from_streams([texts])
    metric = Bleu(references, BleuOptions(tokenize="none")).with_fractional_lengths()
    options, kind = TuneOptions(search_aware="partial"), CandidateListKind()
    pool = kind.search(model.decoder(), source, metric, options, 1).evidence
    bins = np.repeat(pool.keys % (1 << 32), np.diff(pool.offsets))
    sentence = np.repeat(pool.sentences, np.diff(pool.offsets))
    words = np.array([max(1, len(line.split())) for line in source])[sentence]
    lengths = np.array([len(text.split()) for text in texts])[sentence]
    expected = np.rint(1000 * lengths * np.where(bins > 0, bins / words, 1.0))
    assert pool.statistics[:, -1].tolist() == expected.tolist()
    assert (expected % 1000 > 0).any()


def test_bins_share_the_weight_of_a_sentence_or_each_have_it(model: Model) -> None:
    assert evidence(model).list_weights is None
    for weight in ("shared", "equal"):
        pool = evidence(model, search_aware="potential", bin_weight=weight)
        assert pool.list_weights is not None
        sums = np.bincount(pool.sentences, pool.list_weights)
        words = np.bincount(pool.sentences)
        expected = np.minimum(words, 2) if weight == "shared" else words
        assert sums == pytest.approx(expected)
        first = pool.list_weights[: len(words)]
        assert first.tolist() == [1.0] * len(words)


def test_weights_of_lists_survive_an_interruption(model: Model, tmp_path: Path) -> None:
    options = TuneOptions(rounds=3, search_aware="potential", min_change=0)
    whole = tune(model, dev_set(model), Mira(), options)
    kind = CandidateListKind()
    pool = evidence(model, search_aware="potential")
    again = kind.restored(kind.arrays(pool))
    assert again.list_weights is not None
    assert np.array_equal(again.list_weights, pool.list_weights)
    assert kind.joined(again, pool, options) is again

    class StoppedError(Exception):
        pass

    def stop(_: Any) -> None:
        raise StoppedError

    with pytest.raises(StoppedError):
        tune(model, dev_set(model), Mira(), options, folder=tmp_path / "run", report=stop)
    resumed = tune(model, dev_set(model), Mira(), options, folder=tmp_path / "run")
    assert resumed.curve == whole.curve
    assert resumed.weights == whole.weights


@pytest.mark.parametrize("aware", ["partial", "potential"])
def test_bins_of_hiero_are_lists_too(aware: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("hiero")
    hiero = untuned(prepared_model(folder, "hiero"), folder / "untuned")
    plain = evidence(hiero, nbest=20)
    pool = evidence(hiero, nbest=20, search_aware=aware)
    assert part(pool, range(len(plain))) == part(plain, range(len(plain)))
    assert pool.list_weights is not None
    sums = np.bincount(pool.sentences, pool.list_weights)
    assert sums == pytest.approx(np.minimum(np.bincount(pool.sentences), 2))
    assert len(pool) > 5 * len(plain)
    options = TuneOptions(rounds=3, search_aware=aware)
    result = tune(hiero, dev_set(hiero), Mira(), options)
    assert max(result.curve) > result.curve[0]
