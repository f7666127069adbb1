"""Every tuner takes every metric: native formulas, Python objects, and both directions."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from demotic.errors import Error
from demotic.learn import METHODS, Mert, Mira, Pool, TuneOptions, tune
from demotic.learn.learner import form_of, pool_score
from demotic.metrics import (
    Bleu,
    BleuOptions,
    Chrf,
    ChrfOptions,
    Metric,
    MetricChoice,
    References,
    Ter,
    TerBleu,
)
from demotic.model import Model
from demotic.testing.plain_metrics import PlainBleu, PlainTer
from demotic.testing.pools import random_pool
from tests.learn.untuned import dev_set, untuned
from tests.oracle.line_search import best_on_line
from tests.search.small_models import prepared_model

if TYPE_CHECKING:
    from demotic.metrics.metric import Floats, Numbers, Rows

Make = Callable[[References], Metric]

METRICS: dict[str, Make] = {
    "bleu": lambda r: Bleu(r, BleuOptions(tokenize="none")),
    "bleu lower-cased": lambda r: Bleu(r, BleuOptions(tokenize="none", lowercase=True)),
    "bleu add-k": lambda r: Bleu(r, BleuOptions(tokenize="none", smoothing="add-k")),
    "bleu average": lambda r: Bleu(r, BleuOptions(tokenize="none", reference_length="average")),
    "char-bleu": lambda r: Bleu(r, BleuOptions(tokenize="char")),
    "ter": Ter,
    "chrf": Chrf,
    "chrf++": lambda r: Chrf(r, ChrfOptions(word_order=2)),
    "ter-bleu": TerBleu,
}


class Neighbours(Metric):
    """Recall of word bigrams: a metric in plain Python."""

    name = "neighbours"
    columns = 2

    def rows(self, texts: list[str], sentences: np.ndarray, threads: int) -> Rows:
        first, known = self.references.first, self.references.texts
        found = []
        for text, sentence in zip(texts, sentences, strict=True):
            wanted, given = (set(pairwise(one.split())) for one in (known[first[sentence]], text))
            found.append([len(wanted & given), len(wanted)])
        return np.array(found, np.int32)

    def corpus_scores(self, sums: Numbers) -> Floats:
        return np.asarray(100 * sums[..., 0] / np.maximum(sums[..., 1], 1))


class Strangers(Neighbours):
    """The same as an error rate: lower is better."""

    name = "strangers"
    higher_is_better = False

    def corpus_scores(self, sums: Numbers) -> Floats:
        return 100 - super().corpus_scores(sums)


METRICS |= {"neighbours": Neighbours, "strangers": Strangers}


def counted_pool(make: Make, seed: int) -> tuple[Pool, Metric]:
    """Lists of references with some words changed; the first feature is their gain."""
    rng = np.random.default_rng(seed)
    words = np.array(["The", "house", "is", "small", "big", "a", "not", "."])
    texts = [rng.choice(words, rng.integers(9, 15)) for _ in range(8)]
    references = [[" ".join(text), " ".join(text[:-2])] for text in texts]
    metric = make(References.from_sentences(references))
    lists = []
    for sentence, text in enumerate(texts):
        count = int(rng.integers(4, 15))
        kept = rng.random((count, len(text))) < rng.uniform(0.6, 1, (count, 1))
        candidates = [" ".join(np.where(row, text, rng.choice(words, len(text)))) for row in kept]
        rows = metric.statistics(candidates, [sentence] * count)
        gains = metric.gain(rows)[:, None] + rng.normal(size=(count, 1)) / 50
        lists.append((np.hstack([gains, rng.normal(size=(count, 3)) / 3]), rows))
    return Pool.of(lists, statistics=metric.columns), metric


@pytest.mark.parametrize("name", METRICS)
def test_the_line_search_finds_what_trying_every_interval_finds(name: str) -> None:
    for seed in range(8):
        pool, metric = counted_pool(METRICS[name], seed)
        start, along = np.random.default_rng(seed).normal(size=(2, 4))
        step, score = pool.native.line_search(form_of(metric), start, along)
        best_step, best_score = best_on_line(pool, metric, start, along)
        assert score == pytest.approx(best_score, abs=1e-12)
        assert step == pytest.approx(best_step, abs=1e-9)


@pytest.mark.parametrize("plain", [PlainBleu, PlainTer])
def test_a_python_object_gives_the_bits_of_its_native_formula_on_a_line(plain: Any) -> None:
    """Steps are exact; scores may differ by the rounding of the two formulas."""
    for seed in range(10):
        pool = random_pool(seed, lists=20)
        if plain is PlainTer:
            edits = np.random.default_rng(seed).integers(0, 12, pool.candidates)
            rows = np.column_stack([edits, np.full(pool.candidates, 12)]).astype(np.int32)
            pool = Pool(pool.offsets, pool.dense, rows)
        for along in np.eye(4):
            native = pool.native.line_search(form_of(plain()), np.ones(4), along)
            python = pool.native.line_search(form_of(plain(native=False)), np.ones(4), along)
            assert python[0] == native[0]
            assert python[1] == pytest.approx(native[1], abs=1e-12)


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("method", ["mira", "mert", "pro", "rampion", "rm", "rm-cp"])
def test_every_list_learner_improves_every_metric(method: str, name: str) -> None:
    pool, metric = counted_pool(METRICS[name], 3)
    large = {"step": 0.01, "bound_step": 0.01}  # for few lists
    quick = {"pro": {"interpolation": 1.0}, "rampion": {"rate": 0.01}, "rm": large, "rm-cp": large}
    learner: Any = METHODS[method].make(quick.get(method, {}))
    weights = start = np.array([-0.1, -0.2, 0.1, 0.05])
    for number in range(1, 5):
        result = learner.update(weights, pool, metric, seed=2, round_number=number, threads=2)
        weights = result.weights
    assert result.report["score"] == pool_score(weights, pool, metric)
    assert result.report["score"] > pool_score(start, pool, metric)
    again = learner.update(weights, pool, metric, seed=2, round_number=5)
    more = learner.update(weights, pool, metric, seed=2, round_number=5, threads=3)
    assert again.weights.tobytes() == more.weights.tobytes()


def test_a_metric_that_fails_is_named() -> None:
    pool, metric = counted_pool(Neighbours, 1)

    class Failing(Neighbours):
        def corpus_scores(self, sums: Numbers) -> Floats:
            return np.full(sums.shape[:-1], np.nan)

    with pytest.raises(Error, match=r"the metric neighbours scored .* nan; expected finite scores"):
        Mert(restarts=1).update(np.ones(4), pool, Failing(metric.references), threads=2)

    class Short(Neighbours):
        def corpus_scores(self, sums: Numbers) -> Floats:
            return np.zeros(1 + len(sums))

    with pytest.raises(ValueError, match="scores from the metric, one per row of sums"):
        Mira(sweeps=2).update(np.ones(4), pool, Short(metric.references))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("models")
    return untuned(prepared_model(folder, "phrase"), folder / "untuned")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "name", ["char-bleu", "ter", "chrf", "ter-bleu", "neighbours", "strangers"]
)
def test_every_method_tunes_for_every_metric(model: Model, method: str, name: str) -> None:
    dev = dev_set(model)
    options = TuneOptions(rounds=3, nbest=20, min_change=0, forest_density=5.0, keep="best")
    learner: Any = METHODS[method].make({})
    result = tune(model, dev, learner, options, metric=METRICS[name], threads=2)
    metric = METRICS[name](dev.references)
    assert (result.metric, result.higher_is_better) == (metric.name, metric.higher_is_better)
    texts = model.decoder(weights=result.weights).translate(dev.source).text
    assert result.score == pytest.approx(metric.score(texts), abs=1e-9)
    best = (max if metric.higher_is_better else min)(result.curve)
    assert result.score == best == result.curve[result.kept]
    assert metric.is_better(result.score, result.curve[0])


@pytest.mark.parametrize("method", ["hgmert", "forest-mira"])
def test_forests_of_hiero_are_counted_for_any_metric(
    method: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("hiero")
    model = untuned(prepared_model(folder, "hiero"), folder / "untuned")
    options = TuneOptions(rounds=2, min_change=0, forest_density=5.0)
    learner: Any = METHODS[method].make({})
    for name in ("ter", "chrf"):
        result = tune(model, dev_set(model), learner, options, metric=name)
        metric = MetricChoice(name).make(dev_set(model).references)
        texts = model.decoder(weights=result.weights).translate(dev_set(model).source).text
        assert result.score == pytest.approx(metric.score(texts), abs=1e-9)
        assert metric.is_better(result.score, result.curve[0])


def test_potential_gains_for_any_metric_partial_ones_for_bleu(model: Model) -> None:
    dev, aware = dev_set(model), TuneOptions(rounds=2, nbest=20, search_aware="potential")
    for name in ("ter", "chrf"):
        result = tune(model, dev, Mira(), aware, metric=name)
        assert MetricChoice(name).make(dev.references).is_better(result.score, result.curve[0])
    partial = TuneOptions(rounds=1, search_aware="partial")
    assert tune(model, dev, Mira(), partial, metric="char-bleu").metric == "BLEU"
    with pytest.raises(Error, match=r"partial gains by TER.*--search-aware potential"):
        tune(model, dev, Mira(), partial, metric="ter")


def test_a_lower_score_is_better_for_patience_too(model: Model) -> None:
    dev = dev_set(model)
    options = TuneOptions(rounds=20, patience=2, nbest=20, min_change=0)
    result = tune(model, dev, Mert(), options, metric="ter")
    if result.stop == "flat":
        assert len(result.rounds) - 1 - result.curve.index(min(result.curve[:-1])) == 2
    assert result.score == min(result.curve)


def test_rounds_of_another_metric_are_not_continued(model: Model, tmp_path: Path) -> None:
    options = TuneOptions(rounds=1, nbest=10)
    tune(model, dev_set(model), Mert(restarts=1), options, folder=tmp_path, metric="ter")
    lines = (tmp_path / "rounds.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[1])["score"] < 100
    with pytest.raises(Error, match="a run with another model, text or other settings"):
        tune(model, dev_set(model), Mert(restarts=1), options, folder=tmp_path)
