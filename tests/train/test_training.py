"""Training on small models: it improves bad weights, and is deterministic and resumable."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from demotic import _core
from demotic.errors import Error, FormatError
from demotic.formats.exporting import export_model
from demotic.lm import LanguageModel
from demotic.metrics import MetricChoice, Ter
from demotic.model import Model
from demotic.search import SearchOptions
from demotic.train import (
    Bitext,
    Epoch,
    Trained,
    TrainOptions,
    TrainReport,
    TrainRequest,
    find_parts,
    train_model,
)
from demotic.train import parts as parts_module
from demotic.train import training as training_module
from demotic.train.features import training_features
from tests.learn.untuned import dev_set, untuned
from tests.search.small_models import pairs, prepared_model

# Few pairs and no noise: large steps of all weights, and no need to hold anything out.
OPTIONS = TrainOptions(
    epochs=4, patience=0, held_out="none", rate=1.0, dense_rate=1.0, balance=False
)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Model]:
    folder = tmp_path_factory.mktemp("models")
    return {
        kind: untuned(prepared_model(folder, kind), folder / f"untuned-{kind}")  # type: ignore[arg-type]
        for kind in ("phrase", "hiero")
    }


def bitext(model: Model) -> Bitext:
    text = model.raw_text
    return Bitext(
        [text.prepared(source) for source, _ in pairs()],
        [text.prepared_reference(target) for _, target in pairs()],
    )


def trained(
    model: Model,
    out: Path,
    options: TrainOptions = OPTIONS,
    *,
    features: str = "z14",
    threads: int = 1,
    report: TrainReport | None = None,
) -> Trained:
    text = bitext(model)
    chosen = training_features(model, features, text, out / "training")
    request = TrainRequest(options=options, features=chosen)
    return train_model(model, text, dev_set(model), out, request, threads=threads, report=report)


def sparse_weights(model: Model) -> list[tuple[int, float]]:
    assert model.sparse is not None
    keys, weights = model.sparse.weights.arrays()
    return list(zip(keys.tolist(), weights.tolist(), strict=True))


def test_the_dev_set_is_scored_by_any_metric(models: dict[str, Model], tmp_path: Path) -> None:
    """A lower TER is better: it decides which epoch is kept and is recorded in the origin."""
    model = models["phrase"]
    text = bitext(model)
    chosen = training_features(model, "z14", text, tmp_path / "out" / "training")
    request = TrainRequest(options=OPTIONS, features=chosen, metric=MetricChoice("ter"))
    found = train_model(model, text, dev_set(model), tmp_path / "out", request)
    result = found.result
    assert (result.metric, result.higher_is_better) == ("TER", False)
    assert result.start is not None
    assert result.kept.score == min(one.score for one in result.epochs) < result.start.score
    assert found.model.info.origin["training_metric"] == "TER"
    texts = found.model.decoder().translate(dev_set(model).source).text
    assert Ter(dev_set(model).references).score(texts) == pytest.approx(result.kept.score)


CASES = [("phrase", method) for method in ("max-violation", "early", "standard", "local", "skip")]
CASES += [("hiero", method) for method in ("max-violation", "standard", "local", "skip")]


@pytest.mark.parametrize(("kind", "method"), CASES)
def test_every_rule_improves_bad_weights(
    models: dict[str, Model], tmp_path: Path, kind: str, method: str
) -> None:
    model = models[kind]
    found = trained(model, tmp_path / "out", replace(OPTIONS, method=method, epochs=6))  # type: ignore[arg-type]
    bad = dev_set(model)
    assert found.result.kept.score > 80, [one.score for one in found.result.epochs]
    texts = found.model.decoder().translate(bad.source).text
    right = sum(t == r for t, r in zip(texts, bad.references.texts, strict=True))
    assert right > 25


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
def test_threads_change_nothing(models: dict[str, Model], tmp_path: Path, kind: str) -> None:
    one = trained(models[kind], tmp_path / "one", threads=1)
    two = trained(models[kind], tmp_path / "two", threads=3)
    assert dict(one.model.weights) == dict(two.model.weights)
    assert sparse_weights(one.model) == sparse_weights(two.model)
    assert [e.score for e in one.result.epochs] == [e.score for e in two.result.epochs]


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
def test_stopped_anywhere_it_ends_with_the_same_weights(
    models: dict[str, Model], tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_module, "_CHECKPOINT_SECONDS", 0.0)
    options = replace(OPTIONS, batch=2)
    whole = trained(models[kind], tmp_path / "whole", options)
    calls = 0

    def stop(*_: object) -> None:
        nonlocal calls
        calls += 1
        if calls % 3 == 0:
            raise KeyboardInterrupt

    report = TrainReport(advance=stop)
    for _ in range(50):
        try:
            again = trained(models[kind], tmp_path / "again", options, report=report)
            break
        except KeyboardInterrupt:
            continue
    assert calls > 6
    assert dict(again.model.weights) == dict(whole.model.weights)
    assert sparse_weights(again.model) == sparse_weights(whole.model)
    assert [e.score for e in again.result.epochs] == [e.score for e in whole.result.epochs]


def test_a_run_that_was_stopped_after_an_epoch_is_reported_once(
    models: dict[str, Model], tmp_path: Path
) -> None:
    seen: list[int] = []

    def stop(epoch: Epoch) -> None:
        seen.append(epoch.number)
        if epoch.number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trained(models["phrase"], tmp_path / "out", report=TrainReport(epoch=stop))
    found = trained(
        models["phrase"],
        tmp_path / "out",
        report=TrainReport(epoch=lambda e: seen.append(e.number)),
    )
    assert seen == [1, 2, 3, 4]
    assert [one.number for one in found.result.epochs] == [1, 2, 3, 4]


def test_the_same_command_again_gives_the_model_that_is_there(
    models: dict[str, Model], tmp_path: Path
) -> None:
    first = trained(models["phrase"], tmp_path / "out")
    again = trained(models["phrase"], tmp_path / "out")
    assert again.model.path == first.model.path
    with pytest.raises(Error, match=r"already|another model"):
        trained(models["phrase"], tmp_path / "out", replace(OPTIONS, seed=2))


def test_training_continues_from_a_trained_model(models: dict[str, Model], tmp_path: Path) -> None:
    first = trained(models["phrase"], tmp_path / "one")
    text = bitext(first.model)
    features = training_features(first.model, None, text, tmp_path / "two" / "training")
    request = TrainRequest(options=replace(OPTIONS, epochs=1), features=features)
    more = train_model(first.model, text, dev_set(first.model), tmp_path / "two", request)
    assert more.model.sparse is not None
    assert len(more.model.sparse) >= len(first.model.sparse or ())
    assert more.result.kept.score > 80


def test_sparse_weights_are_inherited_times_the_weight_of_their_sum(
    models: dict[str, Model], tmp_path: Path
) -> None:
    first = trained(models["phrase"], tmp_path / "one").model
    halved = first.derive(tmp_path / "half", weights=first.weights.replace({"sparse": 0.5}))
    still = replace(OPTIONS, epochs=1, rate=0.0, dense_rate=0.0, average=False, keep="last")
    again = trained(halved, tmp_path / "two", still).model
    before, after = dict(sparse_weights(first)), dict(sparse_weights(again))
    assert after == {key: value / 2 for key, value in before.items()}
    assert again.weights["sparse"] == 1
    other = trained(halved, tmp_path / "three", still, features="ruleid").model
    assert other.sparse is not None
    assert len(other.sparse) == 0  # other templates have no weights yet


def test_nothing_to_learn_is_refused(models: dict[str, Model], tmp_path: Path) -> None:
    with pytest.raises(Error, match="fixed dense weights"):
        trained(models["phrase"], tmp_path / "a", replace(OPTIONS, dense_rate=0.0), features="none")
    first = trained(models["phrase"], tmp_path / "one").model
    with pytest.raises(Error, match="has sparse weights"):
        trained(first, tmp_path / "b", features="none")


def test_dense_weights_only(models: dict[str, Model], tmp_path: Path) -> None:
    found = trained(models["phrase"], tmp_path / "out", features="none")
    assert found.model.sparse is None
    assert found.result.kept.score > 80


def test_zero_weights_move(models: dict[str, Model], tmp_path: Path) -> None:
    options = replace(OPTIONS, start="zero", epochs=6)
    assert trained(models["phrase"], tmp_path / "out", options).result.kept.score > 80


def test_a_bitext_that_is_not_the_models(
    models: dict[str, Model], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, text = models["phrase"], bitext(models["phrase"])
    short = Bitext(text.source[:3], text.target[:3])
    monkeypatch.setattr(parts_module, "_last_pair", lambda _: 7)
    request = TrainRequest(options=TrainOptions(held_out="leave-one-out", dense_rate=1.0))
    with pytest.raises(Error, match="rules from pair 8"):
        train_model(model, short, dev_set(model), tmp_path / "out", request)


def test_early_updates_need_phrases(models: dict[str, Model], tmp_path: Path) -> None:
    with pytest.raises(Error, match="Hiero"):
        trained(models["hiero"], tmp_path / "out", replace(OPTIONS, method="early"))


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
def test_folds_are_decoded_with_rules_of_the_other_folds(
    models: dict[str, Model], tmp_path: Path, kind: str
) -> None:
    model, text = models[kind], bitext(models[kind])
    options = replace(OPTIONS, held_out="folds", folds=3)
    search = SearchOptions.for_model(model)
    parts = find_parts(model, text, options, search, tmp_path / "parts")
    numbers = [set(part.pairs.number.tolist()) for part in parts]
    assert len(parts) == 3
    assert not numbers[0] & numbers[1]
    for part in parts:
        assert part.rules is not None
        store = model.rules.store
        counts = [sum(one.count(i) for i in range(len(one))) for one in (part.rules, store)]
        assert counts[0] < counts[1]
        same = _core.map_rules(part.rules, store)
        known = np.flatnonzero(same != 2**32 - 1)
        assert len(known) > 0.9 * len(same)
        for rule in known[::7].tolist():
            assert part.rules.target(rule) == store.target(int(same[rule]))
    found = trained(model, tmp_path / "out", options)
    assert found.result.kept.score > 80
    again = trained(model, tmp_path / "again", options, threads=2)
    assert sparse_weights(again.model) == sparse_weights(found.model)


def test_folds_are_made_without_pairs_that_hold_words_the_model_lacks(
    models: dict[str, Model], tmp_path: Path
) -> None:
    """For example, `prepare` dropped a long pair that the training text still has."""
    model, text = models["phrase"], bitext(models["phrase"])
    longer = Bitext(
        [*text.source, f"never {text.source[0]}"], [*text.target, f"{text.target[0]} <unk>"]
    )
    options = replace(OPTIONS, held_out="folds", folds=2)
    search = SearchOptions.for_model(model)
    for part in find_parts(model, longer, options, search, tmp_path / "parts"):
        assert part.rules is not None
        words = {word for i in range(len(part.rules)) for word in part.rules.target(i)}
        assert min(words) >= _core.RESERVED_WORDS
    for path in (tmp_path / "parts").rglob("lm.lm"):
        assert "<unk>" not in LanguageModel.load(path).vocabulary


def test_sparse_features_are_balanced_on_the_dev_set(
    models: dict[str, Model], tmp_path: Path
) -> None:
    options = replace(OPTIONS, balance=True, dense_rate=0.0, epochs=2)
    found = trained(models["phrase"], tmp_path / "out", options)
    assert 0 < found.model.weights["sparse"] <= 1
    alone = trained(models["phrase"], tmp_path / "alone", replace(options, balance=False))
    assert alone.model.weights["sparse"] == 1
    pairs = zip(found.result.epochs, alone.result.epochs, strict=True)
    assert all(one.score >= other.score for one, other in pairs)


def test_several_references_are_pairs_that_stay_together(
    models: dict[str, Model], tmp_path: Path
) -> None:
    text = models["phrase"].raw_text
    source, first, second = (tmp_path / name for name in ("source", "first", "second"))
    source.write_text("".join(f"{one}\n" for one, _ in pairs()), encoding="utf-8")
    first.write_text("".join(f"{one}\n" for _, one in pairs()), encoding="utf-8")
    others = [pairs()[1][1], *(one for _, one in pairs()[1:])]
    second.write_text("".join(f"{one}\n" for one in others), encoding="utf-8")
    both = Bitext.read(source, [first, second], text)
    plain = bitext(models["phrase"])
    assert len(both) == 2 * len(pairs())
    assert list(both.source[:4]) == [line for line in plain.source[:2] for _ in range(2)]
    assert list(both.target[:4]) == [plain.target[0], *[plain.target[1]] * 3]
    usable = both.usable(60)
    parts = both.folds(usable, 3)
    assert np.concatenate(parts).tolist() == usable.tolist()
    lines = [set((part // 2).tolist()) for part in parts]
    assert sum(map(len, lines)) == len(set.union(*lines))
    options = replace(OPTIONS, epochs=1)
    request = TrainRequest(options=options, features=None)
    model = models["phrase"]
    once = train_model(model, bitext(model), dev_set(model), tmp_path / "once", request)
    twice = train_model(model, both, dev_set(model), tmp_path / "twice", request)
    assert 2 * once.pairs - 1 <= twice.pairs <= 2 * once.pairs


def test_a_target_file_that_is_too_short(models: dict[str, Model], tmp_path: Path) -> None:
    (tmp_path / "source").write_text("a\nb\n")
    (tmp_path / "first").write_text("a\nb\n")
    (tmp_path / "second").write_text("a\n")
    files = [tmp_path / "first", tmp_path / "second"]
    with pytest.raises(FormatError, match=r"second.*1 line"):
        Bitext.read(tmp_path / "source", files, models["phrase"].raw_text)


def test_a_trained_model_is_not_exported_without_its_sparse_weights(
    models: dict[str, Model], tmp_path: Path
) -> None:
    model = trained(models["phrase"], tmp_path / "t", replace(OPTIONS, epochs=1)).model
    with pytest.raises(Error, match=r"sparse weights .*moses cannot use sparse ones"):
        export_model(model, "moses", tmp_path / "exported")
    assert not (tmp_path / "exported").exists()
