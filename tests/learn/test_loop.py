"""The tuning loop on small models: it improves BLEU, is deterministic, and stops."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demotic.errors import Error
from demotic.learn import METHODS, DevSet, LearnerResult, Mira, TuneOptions, TuneResult, tune
from demotic.learn.loop import Tuning
from demotic.learn.search_aware import CandidateListKind
from demotic.metrics import Bleu, BleuOptions, References
from demotic.model import Model
from tests.learn.untuned import dev_set, untuned
from tests.search.small_models import prepared_model


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Model]:
    folder = tmp_path_factory.mktemp("models")
    return {
        kind: untuned(prepared_model(folder, kind), folder / f"untuned-{kind}")
        for kind in ("phrase", "hiero")
    }


def dev_bleu(model: Model, result: TuneResult) -> float:
    """The score of the final weights, measured independently."""
    dev = dev_set(model)
    texts = model.decoder(weights=result.weights).translate(dev.source).text
    metric = Bleu(dev.references, BleuOptions(tokenize="none"))
    rows = metric.statistics(texts, np.arange(len(texts)))
    return metric.corpus_score(rows.sum(axis=0, dtype=np.float64))


CASES = [
    *((method, "phrase", "none") for method in METHODS),
    *((method, "phrase", "partial") for method in ("mert", "pro", "mira", "rampion")),
    ("mira", "phrase", "potential"),
    *((method, "hiero", "none") for method in METHODS),
]


@pytest.mark.parametrize(("method", "kind", "aware"), CASES)
def test_every_method_improves_bad_weights(
    models: dict[str, Model], method: str, kind: str, aware: Any
) -> None:
    model, chosen = models[kind], METHODS[method]
    options = TuneOptions(rounds=4, search_aware=aware)
    result = tune(model, dev_set(model), chosen.make({}), options)
    assert result.curve[0] < 35
    assert max(result.curve) > 90
    assert result.score in (max(result.curve), result.curve[-1])
    assert dev_bleu(model, result) == pytest.approx(result.score, abs=1e-9)


@pytest.mark.parametrize("aware", ["none", "potential"])
def test_threads_and_repetition_change_nothing(models: dict[str, Model], aware: Any) -> None:
    model = models["phrase"]
    options = TuneOptions(rounds=3, search_aware=aware, min_change=0)
    found = [tune(model, dev_set(model), Mira(), options, threads=threads) for threads in (1, 2, 1)]
    for other in found[1:]:
        assert other.weights == found[0].weights
        assert other.curve == found[0].curve


def test_other_seeds_give_other_samples(models: dict[str, Model]) -> None:
    dev, model = dev_set(models["phrase"]), models["phrase"]
    options = TuneOptions(rounds=1, keep="last")
    one, two = (tune(model, dev, Mira(), replace(options, seed=seed)) for seed in (1, 2))
    assert one.weights != two.weights


class Forgetful:
    """Returns the weights of MIRA in the first round and the initial weights in the second."""

    def __init__(self, model: Model) -> None:
        self._start = model.weights.array

    def update(
        self, weights: Any, evidence: Any, metric: Any, /, *, round_number: int, **rest: Any
    ) -> LearnerResult:
        if round_number > 1:
            return LearnerResult(self._start, {"score": 0.0})
        return Mira().update(weights, evidence, metric, round_number=round_number, **rest)


def test_best_or_last(models: dict[str, Model]) -> None:
    model, learner = models["phrase"], Forgetful(models["phrase"])
    runs = [
        tune(model, dev_set(model), learner, TuneOptions(rounds=2, keep=keep))
        for keep in ("best", "last")
    ]
    assert runs[0].curve == runs[1].curve
    assert runs[0].curve[-1] < runs[0].score == max(runs[0].curve)
    assert runs[1].score == runs[1].curve[-1]
    assert runs[1].weights.array.tolist() == runs[1].rounds[-1].next_weights.tolist()


def halves(model: Model) -> tuple[DevSet, DevSet]:
    dev = dev_set(model)
    texts, half = dev.references.texts, len(dev) // 2
    return tuple(  # type: ignore[return-value]
        DevSet(dev.source[part], References.from_streams([texts[part]]))
        for part in (slice(half), slice(half, None))
    )


def test_a_dev_set_decides_what_is_kept_and_changes_nothing_else(
    models: dict[str, Model],
) -> None:
    """The learner ruins the second round; only the dev set or the tuning set can tell."""
    model, learner = models["phrase"], Forgetful(models["phrase"])
    tuning, held_out = halves(model)
    options = TuneOptions(rounds=3, min_change=0)
    alone = tune(model, tuning, learner, options)
    found = tune(model, replace(tuning, held_out=held_out), learner, options)
    assert found.curve == alone.curve
    assert alone.dev_curve == []
    scored = [
        tune(model, held_out, Fixed(weights), TuneOptions(rounds=1)).curve[-1]
        for weights in (*(one.weights for one in found.rounds), found.rounds[-1].next_weights)
    ]
    assert found.dev_curve == pytest.approx(scored)
    assert found.dev_score == found.selection_score == max(found.dev_curve)
    assert found.kept == found.dev_curve.index(found.dev_score) == 1
    with pytest.raises(Error, match="the same text as the tuning set"):
        replace(tuning, held_out=tuning)


class Fixed:
    """Learns given weights."""

    def __init__(self, weights: Any) -> None:
        self.weights = weights

    def update(self, *_: Any, **__: Any) -> LearnerResult:
        return LearnerResult(np.array(self.weights), {"score": 0.0})


class Ruinous:
    """Turns the weights around, and asks for its last weights to be kept."""

    keeps_last = True

    def update(self, weights: Any, *_: Any, **__: Any) -> LearnerResult:
        return LearnerResult(-np.array(weights), {"score": 0.0})


def test_last_weights_worse_than_the_initial_ones_are_kept_only_when_asked_for(
    models: dict[str, Model], tmp_path: Path
) -> None:
    model, options = models["phrase"], TuneOptions(rounds=1)
    dev = dev_set(model)
    learnt = tune(model, dev, Mira(), TuneOptions(rounds=2)).weights
    good = model.derive(tmp_path / "good", weights=learnt, origin={})
    result = tune(good, dev, Ruinous(), options)
    assert (result.kept, result.keep, result.fell_back) == (0, "best", True)
    asked = tune(good, dev, Ruinous(), replace(options, keep="last"))
    assert (asked.kept, asked.keep, asked.fell_back) == (1, "last", False)
    assert asked.score < result.score


@pytest.mark.parametrize(
    ("method", "aware", "held_out", "keep", "patience"),
    [
        ("mira", "none", False, "best", 4),
        ("mira", "potential", False, "last", 0),
        ("mira", "potential", True, "best", 4),
        ("rm", "none", False, "last", 0),
        ("rm-cp", "none", True, "best", 4),
        ("forest-mira", "none", False, "last", 0),
        ("hgmert", "none", False, "best", 4),
    ],
)
def test_what_is_kept_by_default(
    models: dict[str, Model], method: str, aware: Any, held_out: bool, keep: str, patience: int
) -> None:
    tuning, other = halves(models["phrase"])
    chosen = METHODS[method]
    made = Tuning(
        models["phrase"],
        replace(tuning, held_out=other) if held_out else tuning,
        chosen.make({}),
        TuneOptions(search_aware=aware),
        chosen.kind(),
    )
    assert (made.options.keep, made.options.patience) == (keep, patience)


class Broken:
    """Returns the weights of MIRA, but NaN in the second round."""

    def update(
        self, weights: Any, evidence: Any, metric: Any, /, *, round_number: int, **rest: Any
    ) -> LearnerResult:
        learnt = Mira().update(weights, evidence, metric, round_number=round_number, **rest)
        if round_number < 2:
            return learnt
        return LearnerResult(np.array(weights), {"score": 0.0}, refused=True)


def test_a_refused_update_stops_with_the_last_good_weights(models: dict[str, Model]) -> None:
    model = models["phrase"]
    result = tune(model, dev_set(model), Broken(), TuneOptions(rounds=9, keep="last"))
    assert result.stop == "refused"
    assert len(result.rounds) == 2
    assert result.weights.array.tolist() == result.rounds[0].next_weights.tolist()


def test_it_stops_when_nothing_is_new(models: dict[str, Model]) -> None:
    model = models["hiero"]
    result = tune(model, dev_set(model), Mira(), TuneOptions(rounds=50, min_change=0, patience=0))
    assert result.stop == "nothing new"
    assert len(result.rounds) < 50
    sizes = [one.size for one in result.rounds]
    assert sizes[-1] == sizes[-2]


def test_a_full_pool_still_takes_new_candidates(models: dict[str, Model]) -> None:
    """A pool of the same size may hold other candidates."""
    kind, model, dev = CandidateListKind(), models["phrase"], dev_set(models["phrase"])
    metric, options = (
        Bleu(dev.references, BleuOptions(tokenize="none")),
        TuneOptions(nbest=5, pool_limit=5),
    )
    good = model.weights.replace({"language_model": 0.5, "distortion": 0.3})
    old, new = (
        kind.search(model.decoder(weights=weights), dev.source, metric, options, 1).evidence
        for weights in (model.weights, good)
    )
    joined = kind.joined(old, new, options)
    assert joined is not old
    assert (np.diff(joined.offsets) <= 5).all()
    assert kind.joined(joined, new, options) is joined
    again = kind.restored(kind.arrays(joined))
    assert kind.joined(again, joined, options) is again


def test_only_short_sentences(models: dict[str, Model]) -> None:
    dev = dev_set(models["phrase"])
    short = dev.up_to(5)
    lengths = [len(line.split()) for line in dev.source]
    assert 0 < len(short) == sum(length <= 5 for length in lengths) < len(dev)
    assert max(len(line.split()) for line in short.source) == 5
    chosen = [i for i, length in enumerate(lengths) if length <= 5]
    assert short.references.texts == [dev.references.texts[i] for i in chosen]
    result = tune(models["phrase"], dev, Mira(), TuneOptions(rounds=1, max_words=5))
    assert result.curve == tune(models["phrase"], short, Mira(), TuneOptions(rounds=1)).curve
    with pytest.raises(Error, match="no sentence of at most 1 words"):
        dev.up_to(1)


def test_refusals(models: dict[str, Model]) -> None:
    references = References.from_streams([["a", "b"]])
    with pytest.raises(Error, match="1 sentences, but references for 2"):
        DevSet(["x"], references)
    with pytest.raises(Error, match="the tuning set is empty"):
        DevSet(["", " "], references)


def test_average_reference_lengths(models: dict[str, Model]) -> None:
    """Fractional lengths: the same loop with another brevity penalty."""
    model, dev = models["phrase"], dev_set(models["phrase"])
    both = [dev.references.texts, [f"well , {text}" for text in dev.references.texts]]
    twice = DevSet(dev.source, References.from_streams(both))
    curves = []
    for length in ("closest", "average"):
        result = tune(model, twice, Mira(), TuneOptions(rounds=2, ref_length=length))
        assert result.score > 60 > result.curve[0]
        curves.append(result.curve)
    assert curves[0] != curves[1]
    assert "reflen:average" in result.signature


def test_journal_in_a_folder(models: dict[str, Model], tmp_path: Path) -> None:
    """A folder does not change the result; `test_loop_resume.py` tests what is in it."""
    model, options = models["phrase"], TuneOptions(rounds=3)
    kept = tune(model, dev_set(model), Mira(), options, folder=tmp_path / "run")
    assert kept.curve == tune(model, dev_set(model), Mira(), options).curve
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["rounds.jsonl"]


class Fresh(CandidateListKind):
    """Treats all evidence as new."""

    def joined(self, old: Any, new: Any, options: TuneOptions) -> Any:
        return replace(super().joined(old, new, options))


class Still(Mira):
    """Does not improve: the weights move around the initial ones."""

    def update(self, weights: Any, evidence: Any, metric: Any, /, **more: Any) -> LearnerResult:
        turned = np.array(weights)
        turned[0] += 1e-3 * (-1) ** more["round_number"]
        return LearnerResult(turned, {"score": 0.0})


@pytest.mark.parametrize("patience", [1, 3])
def test_it_stops_when_the_score_is_flat(models: dict[str, Model], patience: int) -> None:
    model = models["phrase"]
    options = TuneOptions(rounds=9, patience=patience, min_change=0, nbest=2)
    result = Tuning(model, dev_set(model), Still(), options, Fresh()).run(None, 1, None)
    best = max(result.curve)
    assert result.stop == "flat"
    assert len(result.rounds) == result.curve.index(best) + 1 + patience
    assert result.score == best
    last = replace(options, keep="last")
    again = Tuning(model, dev_set(model), Still(), last, Fresh()).run(None, 1, None)
    assert (again.stop, again.curve) == ("flat", result.curve)  # the patience was given
    assert again.kept == len(again.rounds)
    last = replace(options, keep="last", patience=None)
    again = Tuning(model, dev_set(model), Still(), last, Fresh()).run(None, 1, None)
    assert again.stop == ""  # with the last weights kept, the score does not matter


class Slow(CandidateListKind):
    """A search slow enough to report progress."""

    def search(self, *arguments: Any) -> Any:
        *_, progress = arguments
        progress(16, 33)
        return super().search(*arguments)


def test_progress_of_a_round(models: dict[str, Model]) -> None:
    model, seen = models["phrase"], []
    tuning = Tuning(model, dev_set(model), Mira(), TuneOptions(rounds=1), Slow())
    tuning.run(None, 1, None, lambda *state: seen.append(state))
    assert ("round 1: searching the tuning set", 16, 33) in seen
    assert ("round 1: updating the weights", 0, 0) in seen
