"""The initial model is scored first and, with `keep="best"`, kept if it is not improved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from demotic.model import Model
from demotic.search.options import SearchOptions
from demotic.train import Bitext, Trained, TrainOptions, TrainReport, TrainRequest, train_model
from demotic.train.dev_score import _SHARES_OF_SPARSE, DevScorer
from demotic.train.epochs import Epoch
from demotic.train.features import training_features
from tests.learn.untuned import dev_set, untuned
from tests.search.small_models import pairs, prepared_model
from tests.train.test_training import bitext, sparse_weights

OPTIONS = TrainOptions(epochs=2, patience=0, batch=8, folds=2, keep="best")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Model]:
    """One that translates its dev set perfectly, and one that does not."""
    folder = tmp_path_factory.mktemp("models")
    good = prepared_model(folder)
    return {"good": good, "bad": untuned(good, folder / "untuned")}


def trained(
    model: Model,
    out: Path,
    options: TrainOptions = OPTIONS,
    text: Bitext | None = None,
    **more: Any,
) -> Trained:
    text = text or bitext(model)
    request = TrainRequest(
        options=options, features=lambda folder: training_features(model, "z14", text, folder)
    )
    return train_model(model, text, dev_set(model), out, request, **more)


def bleu(model: Model, search: SearchOptions | None = None) -> float:
    return DevScorer(dev_set(model), "closest")(model.decoder(search), 1).bleu


def test_a_start_that_is_not_beaten_is_kept(models: dict[str, Model], tmp_path: Path) -> None:
    model = models["good"]
    found = trained(model, tmp_path / "out")
    assert not found.result.helped
    assert found.result.kept == found.result.start
    assert found.result.kept.score == bleu(model) == 100
    assert found.model.weights == model.weights
    assert found.model.sparse is None
    assert found.model.info.origin["training_epoch"] == 0
    again = trained(model, tmp_path / "out")
    assert again.result == found.result


def test_a_sparse_start_is_kept_whole(models: dict[str, Model], tmp_path: Path) -> None:
    start = trained(models["bad"], tmp_path / "start").model
    for number in range(10):  # until training finds nothing better
        found = trained(start, tmp_path / str(number))
        if not found.result.helped:
            break
        start = found.model
    assert not found.result.helped
    assert start.sparse is not None
    assert sparse_weights(found.model) == sparse_weights(start)


def test_a_training_without_updates_leaves_a_model_that_translates(
    models: dict[str, Model], tmp_path: Path
) -> None:
    found = trained(models["good"], tmp_path / "out", replace(OPTIONS, keep="last"))
    assert sum(epoch.updates for epoch in found.result.epochs) == 0
    assert Model.load(tmp_path / "out").decoder().translate(["das haus"]).text


def test_a_better_epoch_is_kept(models: dict[str, Model], tmp_path: Path) -> None:
    seen: list[Epoch] = []
    report = TrainReport(start=seen.append)
    found = trained(models["bad"], tmp_path / "out", report=report)
    assert found.result.helped
    assert seen == [found.result.start]
    assert seen[0].number == 0
    assert seen[0].score == pytest.approx(bleu(models["bad"]))
    assert found.result.kept.score > seen[0].score
    assert found.model.info.origin["training_score_before"] == pytest.approx(
        seen[0].score, abs=1e-3
    )
    assert found.model.sparse is not None


def test_the_start_is_measured_with_the_settings_of_the_training(
    models: dict[str, Model], tmp_path: Path
) -> None:
    model = models["good"]
    request = TrainRequest(
        options=OPTIONS,
        search={"distortion_limit": 0, "beam_size": 1},
        features=lambda folder: training_features(model, "z14", bitext(model), folder),
    )
    found = train_model(model, bitext(model), dev_set(model), tmp_path / "out", request)
    expected = bleu(model, SearchOptions(distortion_limit=0, beam_size=1))
    assert found.result.start is not None
    assert found.result.start.score == pytest.approx(expected)
    assert expected < 100


def test_the_dev_set_is_searched_once_for_each_weight_of_the_sparse_features(
    models: dict[str, Model], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    scored = DevScorer.__call__

    def counted(self: DevScorer, *arguments: Any) -> Any:
        calls.append(1)
        return scored(self, *arguments)

    monkeypatch.setattr(DevScorer, "__call__", counted)
    found = trained(models["bad"], tmp_path / "out")
    assert len(calls) == 1 + len(found.result.epochs) * len(_SHARES_OF_SPARSE)


def test_pairs_with_words_that_the_model_has_never_seen(
    models: dict[str, Model], tmp_path: Path
) -> None:
    """Filtered text: the model was built without a pair that the bitext has."""
    model, text = models["bad"], bitext(models["bad"])
    known = trained(model, tmp_path / "known", text=text)
    more = Bitext(
        [*text.source, "neue wörter .", "das haus ist neu ."],
        [*text.target, "the house is small .", "unseen words ."],
    )
    found = trained(model, tmp_path / "more", text=more)
    assert (known.unknown, found.unknown) == (0, 2)
    assert found.bitext == len(pairs()) + 2
    assert found.result.epochs[0].score > 0
