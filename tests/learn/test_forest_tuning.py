"""Tuning on forests end to end: search, join the last rounds, update, repeat."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from demotic.features.weights import Weights
from demotic.learn import ForestLearner, ForestMira, HypergraphMert, TuneOptions, TuneRequest
from demotic.learn.forest_evidence import ForestEvidence, joined, searched_forests
from demotic.learn.forest_kind import ForestKind
from demotic.metrics import Bleu, BleuOptions, References
from demotic.model import Model
from demotic.search import Decoder
from tests.search.small_models import prepared_model


def decoder_of(model: Model, weights: np.ndarray) -> Decoder:
    return model.decoder(weights=Weights(model.weights.index, weights))


def tune_on_forests(
    problem: Problem, learner: ForestLearner, *, rounds: int, kept_rounds: int, threads: int = 1
) -> tuple[list[float], np.ndarray]:
    """The score of the search in every round, and the final weights."""
    weights, scores = problem.weights, []
    evidence: list[ForestEvidence] = []
    for number in range(1, rounds + 2):
        decoder = decoder_of(problem.model, weights)
        found = searched_forests(decoder, problem.lines, problem.metric, threads=threads)
        scores.append(found.score)
        if number > rounds:
            break
        evidence = [*evidence, found.evidence][-kept_rounds:]
        result = learner.update(
            weights, joined(evidence), problem.metric, round_number=number, threads=threads
        )
        weights = result.weights
    return scores, weights


@dataclass(frozen=True)
class Problem:
    """A small model with poor weights, and sentences with references."""

    model: Model
    lines: list[str]
    metric: Bleu
    weights: np.ndarray


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def problem(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Problem:
    folder = tmp_path_factory.mktemp("forests")
    model = prepared_model(folder, request.param)
    lines = (folder / "text" / "corpus.de").read_text(encoding="utf-8").splitlines()[::3]
    references = (folder / "text" / "corpus.en").read_text(encoding="utf-8").splitlines()[::3]
    metric = Bleu(References.from_streams([references]), BleuOptions(tokenize="none"))
    poor = np.random.default_rng(3).normal(size=len(model.weights.array)) / 10
    return Problem(model, lines, metric, poor)


@pytest.mark.parametrize(
    "learner", [HypergraphMert(restarts=2), ForestMira(step=0.05, passes=3)], ids=["mert", "mira"]
)
def test_three_rounds_improve_the_search(learner: ForestLearner, problem: Problem) -> None:
    scores, weights = tune_on_forests(problem, learner, rounds=3, kept_rounds=2)
    assert len(scores) == 4
    assert max(scores[1:]) > scores[0] + 0.1
    again = tune_on_forests(problem, learner, rounds=3, kept_rounds=2, threads=3)
    assert again[0] == scores
    assert again[1].tobytes() == weights.tobytes()


def test_the_evidence_has_the_score_of_the_search(problem: Problem) -> None:
    decoder, lines, metric = (
        decoder_of(problem.model, problem.weights),
        problem.lines,
        problem.metric,
    )
    found = searched_forests(decoder, lines, metric)
    translated = decoder.translate(lines).text
    assert found.best == translated
    rows = metric.statistics(translated, np.arange(len(lines)))
    sums = rows.sum(axis=0, dtype=np.float64)
    assert found.evidence.best_statistics(problem.weights).tolist() == sums.tolist()
    assert found.score == pytest.approx(metric.corpus_score(sums) / 100)
    for line, covered in zip(lines, found.evidence.covered, strict=True):
        assert covered[-1] == covered.max() == len(line.split())
        assert covered.min() >= 0
    pruned = searched_forests(decoder, lines, metric, density=2.0)
    assert pruned.evidence.edges < found.evidence.edges
    assert pruned.score == found.score
    assert searched_forests(decoder, [], metric).evidence.edges == 0


def test_forests_are_pruned_as_the_method_or_the_user_asks(problem: Problem) -> None:
    """The best derivation is never pruned, so the score of the search is unchanged."""
    sizes, scores = [], set()
    requests = [
        TuneRequest(method="forest-mira"),
        TuneRequest(method="hgmert", options=TuneOptions(forest_density=3.0)),
        TuneRequest(method="hgmert", options=TuneOptions(forest_density=1.0)),
    ]
    for request in requests:
        decoder = decoder_of(problem.model, problem.weights)
        found = ForestKind().search(decoder, problem.lines, problem.metric, request.effective, 1)
        sizes.append(found.evidence.edges)
        scores.add(found.score)
    assert sizes[0] > sizes[1] > sizes[2] > 0
    assert len(scores) == 1
    assert TuneRequest(method="hgmert").effective.forest_density == 20.0
    assert TuneRequest(method="forest-mira").effective.forest_density is None
