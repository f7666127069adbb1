"""Tuning of sparse weights: evidence, scores, every method, resuming, refusals."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demotic.errors import Error
from demotic.learn import METHODS, LearnerResult, Mert, Mira, TuneOptions, TuneResult, tune
from demotic.learn.forest_evidence import ForestEvidence, joined, searched_forests
from demotic.learn.forest_kind import ForestKind
from demotic.learn.journal import Round
from demotic.learn.loop import Report, Tuning
from demotic.learn.methods import kind_for
from demotic.learn.runs import TuneRequest, tune_model
from demotic.learn.search_aware import CandidateListKind
from demotic.learn.tuned_weights import SparseTunedWeights, tuned_weights
from demotic.metrics import Bleu, BleuOptions
from demotic.model import Model
from demotic.search.options import SearchOptions
from tests.learn.sparse_models import new_features, with_random_weights
from tests.learn.untuned import dev_set, untuned
from tests.oracle.sparse_keys import derivation_keys
from tests.search.small_models import prepared_model


def tune_new(
    model: Model,
    learner: Any,
    options: TuneOptions,
    folder: Path | None = None,
    threads: int = 1,
    report: Report | None = None,
) -> TuneResult:
    """Tunes a model with new features."""
    kind = kind_for(type(learner))
    features = new_features(model)
    tuning = Tuning(model, dev_set(model), learner, options, kind, features=features)
    return tuning.run(folder, threads, report)


SPARSE_METHODS = ("mira", "rm", "rm-cp", "pro", "rampion", "forest-mira")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Model]:
    """Without sparse features, and with weights of them."""
    folder = tmp_path_factory.mktemp("models")
    found = {}
    for kind in ("phrase", "hiero"):
        plain = untuned(prepared_model(folder, kind), folder / f"untuned-{kind}")  # type: ignore[arg-type]
        lines = [*dev_set(plain).source]
        found[kind] = plain
        found[f"{kind}-sparse"] = with_random_weights(
            plain, folder / f"sparse-{kind}", lines, new_features(plain)
        )
    joint = new_features(found["phrase"], joint=True)
    lines = [*dev_set(found["phrase"]).source]
    home = folder / "joint"
    found["joint-sparse"] = with_random_weights(found["phrase"], home, lines, joint)
    return found


def bleu(model: Model) -> Bleu:
    return Bleu(dev_set(model).references, BleuOptions(tokenize="none"))


def searched(model: Model, **options: Any) -> tuple[SparseTunedWeights, Any, np.ndarray]:
    """The tuned weights, the pool of one search, and the weights for it."""
    kind = CandidateListKind()
    tuned = tuned_weights(model, Mira(), kind, sparse=True)
    search = SearchOptions.for_model(model, {"beam_size": 12, **options.pop("search", {})})
    decoder = tuned.decoder(tuned.start.array, search)
    lists = TuneOptions(nbest=8, **options)
    pool = kind.search(decoder, dev_set(model).source, bleu(model), lists, 1).evidence
    assert isinstance(tuned, SparseTunedWeights)
    return tuned, pool, tuned.for_learner(tuned.extended(tuned.start.array))


@pytest.mark.parametrize("name", ["phrase-sparse", "hiero-sparse", "joint-sparse"])
def test_rows_are_the_features_of_the_derivations(models: dict[str, Model], name: str) -> None:
    model = models[name]
    tuned = SparseTunedWeights(model)
    decoder = model.decoder()
    lines = [*dev_set(model).source[:12]]
    source = decoder.sentences(lines)
    best, _ = decoder.candidates(source, k=6, parts=True)
    results = decoder.search(lines)
    rows = _keys_of(best)
    for sentence, line in enumerate(lines):
        begin, end = best.offsets[sentence : sentence + 2]
        own = results[sentence].kbest(6, distinct=True)
        assert len(own) == end - begin
        for i, candidate in zip(range(begin, end), own, strict=True):
            assert candidate.score == pytest.approx(best.scores[i])
            keys = derivation_keys(
                model, tuned._features, line, candidate.steps, joint=name == "joint-sparse"
            )
            assert rows[i] == keys


def _keys_of(found: Any) -> list[Counter[int]]:
    """The keys of every candidate."""
    ends, keys = found.key_offsets, found.keys.tolist()
    return [
        Counter(key for part in parts.tolist() for key in keys[ends[part] : ends[part + 1]])
        for parts in np.split(found.parts, found.part_offsets[1:-1])
    ]


@pytest.mark.parametrize("name", ["phrase-sparse", "hiero-sparse", "joint-sparse"])
def test_scores_of_the_pool_are_those_of_the_search(models: dict[str, Model], name: str) -> None:
    model = models[name]
    _, pool, weights = searched(model)
    tuned = SparseTunedWeights(model)
    search = SearchOptions.for_model(model, {"beam_size": 12})
    decoder = tuned.decoder(tuned.start.array, search)
    source = decoder.sentences(dev_set(model).source)
    best, _ = decoder.candidates(source, k=8)
    assert pool.candidates == len(best.scores)
    assert np.allclose(scores_of(pool, weights), best.scores, atol=1e-4)
    # The common weight is part of each sparse weight.
    plain = model.decoder(search).candidates(source, k=8)[0]
    assert np.allclose(plain.scores, best.scores, atol=1e-4)


def scores_of(pool: Any, weights: np.ndarray) -> np.ndarray:
    """weights . features, from the rows."""
    width = pool.dense.shape[1]
    return pool.dense.astype(float) @ weights[:width] + np.array(
        [
            sum(weights[width + id_] * value for id_, value in row.items())
            for row in pool.sparse.rows()
        ]
    )


@pytest.mark.parametrize(
    ("name", "settings"),
    [("phrase-sparse", {}), ("phrase-sparse", {"future_cost": False}), ("hiero-sparse", {})],
)
def test_bins_are_scored_as_they_are_pruned(
    models: dict[str, Model], name: str, settings: dict[str, bool]
) -> None:
    model = models[name]
    search = SearchOptions.for_model(model, {"beam_size": 12, **settings})
    tuned = SparseTunedWeights(model)
    decoder = tuned.decoder(tuned.start.array, search)
    source = decoder.sentences(dev_set(model).source[:10])
    _, bins = decoder.candidates(source, bins="potential", parts=True)
    weights = {
        key: tuned._model.sparse.weights.weight(key) * 0.5 for key in set(bins.keys.tolist())
    }  # type: ignore[union-attr]
    names = decoder.weights.index.names
    dense = bins.features.reshape(len(bins.scores), -1)
    kept = [i for i, one in enumerate(names) if one != "sparse"]
    own = [sum(weights[key] * n for key, n in row.items()) for row in _keys_of(bins)]
    found = dense[:, kept] @ decoder.weights.array[kept] + own
    assert len(bins.scores) > 200
    assert np.allclose(found, bins.scores, atol=1e-3)


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
@pytest.mark.parametrize("method", SPARSE_METHODS)
def test_every_method_tunes_new_features(models: dict[str, Model], method: str, kind: str) -> None:
    model = models[kind]
    options = TuneOptions(rounds=3)
    learner = METHODS[method].make({})
    result = tune_new(model, learner, options)
    assert result.sparse is not None
    assert 0 < result.sparse.active <= result.sparse.seen
    assert result.weights["sparse"] == 1.0
    assert result.curve[0] < 35
    assert result.score > 90


@pytest.mark.parametrize("aware", ["partial", "potential"])
def test_search_aware(models: dict[str, Model], aware: Any) -> None:
    options = TuneOptions(rounds=2, search_aware=aware)
    model = models["phrase-sparse"]
    result = tune(model, dev_set(model), Mira(), replace_sparse(options))
    assert result.sparse is not None
    assert result.sparse.active > 100
    assert result.score > result.curve[0]


def replace_sparse(options: TuneOptions) -> TuneOptions:
    from dataclasses import replace

    return replace(options, tune_sparse=True)


@pytest.mark.parametrize("name", ["phrase-sparse", "hiero-sparse"])
def test_the_new_model_scores_as_the_pool_predicts(
    models: dict[str, Model], name: str, tmp_path: Path
) -> None:
    model = models[name]
    request = TuneRequest(options=TuneOptions(rounds=2, keep="last", tune_sparse=True))
    tuned = tune_model(model, dev_set(model), tmp_path / "tuned", request)
    result, new = tuned.runs[0], tuned.model
    assert new.weights["sparse"] == 1.0
    assert new.sparse is not None
    assert result.sparse is not None
    assert len(new.sparse) == len(result.sparse.keys)
    _, pool, weights = searched(new)
    decoder = new.decoder(SearchOptions.for_model(new, {"beam_size": 12}))
    best, _ = decoder.candidates(decoder.sentences(dev_set(new).source), k=8)
    assert np.allclose(scores_of(pool, weights), best.scores, atol=1e-4)
    # Features of no candidate keep their weights, times the common one.
    old = dict(zip(*[a.tolist() for a in model.sparse.weights.arrays()], strict=True))  # type: ignore[union-attr]
    now = dict(zip(*[a.tolist() for a in new.sparse.weights.arrays()], strict=True))
    kept = [key for key in old if key in now and now[key] == np.float32(0.5 * old[key])]
    assert kept
    assert new.info.origin["tuning_sparse_seen"] == result.sparse.seen


@pytest.mark.parametrize("method", ["mira", "pro", "forest-mira"])
def test_threads_and_stops_change_nothing(
    models: dict[str, Model], method: str, tmp_path: Path
) -> None:
    model = models["phrase"]
    options = TuneOptions(rounds=3, min_change=0)

    def run(folder: Path | None = None, stop: int = 0, threads: int = 1) -> TuneResult:
        def report(done: Round) -> None:
            if done.number == stop:
                raise KeyboardInterrupt

        return tune_new(model, METHODS[method].make({}), options, folder, threads, report)

    whole = run()
    for other in (
        run(threads=2),
        _resumed(run, tmp_path / "1", 1),
        _resumed(run, tmp_path / "2", 2),
    ):
        assert other.weights == whole.weights
        assert other.curve == whole.curve
        assert other.sparse is not None
        assert whole.sparse is not None
        assert other.sparse.keys.tobytes() == whole.sparse.keys.tobytes()
        assert other.sparse.values.tobytes() == whole.sparse.values.tobytes()
    finished = run(tmp_path / "1")
    assert finished.sparse is not None
    assert whole.sparse is not None
    assert finished.sparse.values.tobytes() == whole.sparse.values.tobytes()


def _resumed(run: Any, folder: Path, stop: int) -> TuneResult:
    with pytest.raises(KeyboardInterrupt):
        run(folder, stop)
    result: TuneResult = run(folder)
    return result


def test_rounds_keep_sparse_weights_in_arrays(models: dict[str, Model], tmp_path: Path) -> None:
    model = models["phrase"]
    options = TuneOptions(rounds=2)
    tune_new(model, Mira(), options, tmp_path)
    assert (tmp_path / "rounds.jsonl").stat().st_size < 10_000
    assert (tmp_path / "weights-1.npz").exists()


@pytest.mark.parametrize("name", ["phrase-sparse", "hiero-sparse", "joint-sparse"])
def test_forests_have_the_features_of_their_derivations(
    models: dict[str, Model], name: str
) -> None:
    model = models[name]
    tuned, evidence, weights = forests(model)
    lines = dev_set(model).source
    results = tuned.decoder(tuned.start.array, SearchOptions.for_model(model)).search(lines[:10])
    for place, result in enumerate(results):
        scores = evidence.edge_scores(place, weights)
        found = evidence.forests[place].kbest(5, scores)
        best = result.kbest(5)
        assert np.allclose(found.scores, [one.score for one in best], atol=1e-3)
        rows = evidence.derivation_features(place, found.edges)
        for row, candidate in zip(rows, best, strict=True):
            keys = derivation_keys(
                model, tuned._features, lines[place], candidate.steps, joint=name == "joint-sparse"
            )
            seen = tuned.seen.keys.tolist()
            width = len(evidence.names)
            own = {seen[id_ - width]: value for id_, value in row.items() if id_ >= width}
            assert own == keys


def forests(model: Model) -> tuple[SparseTunedWeights, ForestEvidence, np.ndarray]:
    kind = ForestKind()
    tuned = tuned_weights(model, METHODS["forest-mira"].make({}), kind, sparse=True)
    assert isinstance(tuned, SparseTunedWeights)
    decoder = tuned.decoder(tuned.start.array, SearchOptions.for_model(model))
    found = searched_forests(decoder, dev_set(model).source, bleu(model), seen=tuned.seen)
    weights = tuned.for_learner(tuned.extended(tuned.start.array))
    return tuned, found.evidence, weights


def test_joined_forests_share_their_parts(models: dict[str, Model]) -> None:
    _, evidence, weights = forests(models["phrase-sparse"])
    both = joined([evidence, evidence])
    for place in range(len(evidence)):
        own = evidence.edge_scores(place, weights)
        edges = len(own)
        assert np.allclose(both.edge_scores(place, weights)[:edges], own)
        assert np.allclose(both.edge_scores(place, weights)[edges : 2 * edges], own)
        assert len(both.parts[place].ids) == len(evidence.parts[place].ids)
    assert both.best_statistics(weights).tolist() == evidence.best_statistics(weights).tolist()


def test_pruned_forests_keep_their_parts(models: dict[str, Model]) -> None:
    model = models["phrase-sparse"]
    tuned = SparseTunedWeights(model)
    decoder = tuned.decoder(tuned.start.array, SearchOptions.for_model(model))
    lines, metric = dev_set(model).source, bleu(model)
    whole = searched_forests(decoder, lines, metric, seen=tuned.seen)
    pruned = searched_forests(decoder, lines, metric, density=2.0, seen=tuned.seen)
    weights = tuned.for_learner(tuned.extended(tuned.start.array))
    assert pruned.evidence.edges < whole.evidence.edges
    assert pruned.score == whole.score
    best = [one.best_statistics(weights).tolist() for one in (whole.evidence, pruned.evidence)]
    assert best[0] == best[1]


class DenseLearner:
    def update(self, weights: Any, pool: Any, metric: Any, /, **more: int) -> LearnerResult:
        return LearnerResult(np.asarray(weights), {"score": 0.0})


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
def test_mert_tunes_few_sparse_features_like_dense_ones(
    models: dict[str, Model], kind: str
) -> None:
    """MERT learns from the lists with sparse features as from the same with dense ones, and keeps
    the weights of all of them in the tuned model's precision."""
    model = models[f"{kind}-sparse"]
    learner = Mert(restarts=1, max_sparse=10_000)
    result = tune(model, dev_set(model), learner, TuneOptions(tune_sparse=True, rounds=2))
    assert result.sparse is not None
    assert result.sparse.seen > 0
    assert result.score >= result.curve[0]
    few = Mert(restarts=0, max_sparse=1)
    with pytest.raises(Error, match=r"MERT with .* sparse features; expected at most"):
        tune(model, dev_set(model), few, TuneOptions(tune_sparse=True, rounds=2))


@pytest.mark.parametrize("method", ["hgmert", "own"])
def test_learners_of_dense_weights_refuse_by_name(models: dict[str, Model], method: str) -> None:
    learner = DenseLearner() if method == "own" else METHODS[method].make({})
    model = models["phrase-sparse"]
    with pytest.raises(Error, match=f"{type(learner).__name__} cannot tune sparse weights"):
        tune(model, dev_set(model), learner, TuneOptions(tune_sparse=True))


def test_features_that_do_not_fit_the_model_are_refused(models: dict[str, Model]) -> None:
    plain, sparse = models["phrase"], models["phrase-sparse"]
    with pytest.raises(Error, match="a model without sparse features to tune"):
        tune(plain, dev_set(plain), Mira(), TuneOptions(tune_sparse=True))
    with pytest.raises(Error, match="new features for a model that has sparse features"):
        tune_new(sparse, Mira(), TuneOptions())


def test_medium_features_of_pro_are_not_lexicalised(models: dict[str, Model]) -> None:
    model = models["phrase"]
    learner = METHODS["pro"].make({"features": "medium", "interpolation": 1.0})
    result = tune_new(model, learner, TuneOptions(rounds=2))
    assert result.sparse is not None
    names = [result.sparse.features.native.name(int(key)) for key in result.sparse.keys]
    assert names
    assert all(name.startswith("source.length=") for name in names)
