"""An interrupted tuning run resumes after its last round and ends with the same weights."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demotic.errors import Error, FormatError
from demotic.learn import METHODS, Mira, TuneOptions, TuneResult, tune
from demotic.learn import journal as journal_module
from demotic.learn.journal import Round
from demotic.model import Model
from tests.learn.untuned import dev_set, untuned
from tests.search.small_models import prepared_model

OPTIONS = TuneOptions(rounds=4, min_change=0)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("models")
    return untuned(prepared_model(folder), folder / "untuned")


def stopped_after(model: Model, rounds: int, folder: Path, method: str = "mira") -> None:
    def stop(done: Round) -> None:
        if done.number == rounds:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(model, dev_set(model), METHODS[method].make({}), OPTIONS, folder=folder, report=stop)


def resumed(model: Model, folder: Path, method: str = "mira") -> tuple[TuneResult, list[int]]:
    """The result, and the numbers of the remaining rounds."""
    seen: list[int] = []
    learner = METHODS[method].make({})
    result = tune(
        model,
        dev_set(model),
        learner,
        OPTIONS,
        folder=folder,
        report=lambda done: seen.append(done.number),
    )
    return result, seen


@pytest.mark.parametrize("method", ["mira", "mert", "pro", "forest-mira"])
def test_stopped_after_any_round(model: Model, tmp_path: Path, method: str) -> None:
    whole = tune(model, dev_set(model), METHODS[method].make({}), OPTIONS)
    for rounds in range(1, len(whole.rounds) + 1):
        stopped_after(model, rounds, tmp_path / str(rounds), method)
        result, seen = resumed(model, tmp_path / str(rounds), method)
        assert seen == list(range(rounds + 1, len(whole.rounds) + 1))
        assert result.weights == whole.weights
        assert result.curve == whole.curve
        assert [one.size for one in result.rounds] == [one.size for one in whole.rounds]


def test_stopped_between_the_evidence_and_its_line(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped_after(model, 1, tmp_path)
    with monkeypatch.context() as patch:

        def no_line(*_: object) -> None:
            raise KeyboardInterrupt

        patch.setattr(journal_module.Journal, "_write", no_line)
        with pytest.raises(KeyboardInterrupt):
            tune(model, dev_set(model), Mira(), OPTIONS, folder=tmp_path)
    assert (tmp_path / "evidence-2.npz").exists()
    result, seen = resumed(model, tmp_path)
    assert seen[0] == 2
    assert result.weights == tune(model, dev_set(model), Mira(), OPTIONS).weights


def test_evidence_that_is_gone_is_searched_again(model: Model, tmp_path: Path) -> None:
    stopped_after(model, 3, tmp_path)
    (tmp_path / "evidence-1.npz").unlink()
    (tmp_path / "evidence-3.npz").unlink()
    result, seen = resumed(model, tmp_path)
    assert seen == [4]
    assert result.weights == tune(model, dev_set(model), Mira(), OPTIONS).weights


def test_a_state_that_is_gone_is_missed(model: Model, tmp_path: Path) -> None:
    """Weights alone are not what forest MIRA continues from."""
    stopped_after(model, 2, tmp_path, "forest-mira")
    assert [path.name for path in tmp_path.glob("state-*")] == ["state-2.npz"]
    (tmp_path / "state-2.npz").unlink()
    with pytest.raises(Error, match="the state of the learner after round 2 is missing"):
        resumed(model, tmp_path, "forest-mira")


def test_a_finished_run_is_not_repeated(model: Model, tmp_path: Path) -> None:
    first, _ = resumed(model, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["rounds.jsonl"]
    again, seen = resumed(model, tmp_path)
    assert seen == []
    assert again.weights == first.weights
    assert again.curve == first.curve


def test_another_run_is_not_continued(model: Model, tmp_path: Path) -> None:
    stopped_after(model, 1, tmp_path / "run")
    dev = dev_set(model)
    other_dev = dev_set(model, 31)
    others = [
        (dev, Mira(step=0.1), OPTIONS),
        (dev, Mira(), TuneOptions(rounds=4, min_change=0, seed=2)),
        (other_dev, Mira(), OPTIONS),
    ]
    for texts, learner, options in others:
        with pytest.raises(Error, match="another model, text or other settings"):
            tune(model, texts, learner, options, folder=tmp_path / "run")


@pytest.mark.parametrize("damage", ["", "{}\n", "no json\n", '{"key": "x"}\n{"number": 1}\n'])
def test_a_damaged_journal_is_refused(model: Model, tmp_path: Path, damage: str) -> None:
    (tmp_path / "rounds.jsonl").write_text(damage, encoding="utf-8")
    with pytest.raises(FormatError, match="not a record of tuning"):
        tune(model, dev_set(model), Mira(), OPTIONS, folder=tmp_path)


def test_the_journal_records_what_happened(model: Model, tmp_path: Path) -> None:
    result, _ = resumed(model, tmp_path)
    head, *lines = map(json.loads, (tmp_path / "rounds.jsonl").read_text().splitlines())
    assert list(head) == ["key"]
    assert [line["score"] for line in lines] == result.curve[:-1]
    assert lines[-1]["next_score"] == result.curve[-1]
    assert lines[0]["weights"] == model.weights.array.tolist()
