"""Classes of the user's own: how they are found, and what is said where they are not."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demotic.cli.main import run
from demotic.errors import Error
from demotic.learn.evidence import Pool
from demotic.learn.learner import LearnerResult
from demotic.learn.methods import find_method
from demotic.metrics import Metric, MetricChoice, References
from demotic.testing import (
    ContractError,
    Promises,
    check_learner,
    check_metric,
    check_update_rule,
)
from demotic.train.own_rule import RuleChoice

METRIC = """
import numpy as np
from demotic.metrics import Metric

class Length(Metric):
    '''Words that are missing.'''
    name, columns, higher_is_better = "missing", 2, False

    def rows(self, texts, sentences, threads):
        return np.array([[len(text.split()), 10] for text in texts], np.int32)

    def corpus_scores(self, sums):
        return 100 - 100 * sums[..., 0] / sums[..., 1]

class Nothing:
    pass
"""
LEARNER = """
class Short:
    def update(self, weights, pool, metric, *, seed):
        return weights

class Nothing:
    pass
"""
RULE = """
class Wrong:
    def choose(self, bins):
        return 0
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("metric.py", METRIC), ("learner.py", LEARNER), ("rule.py", RULE)):
        Path(name).write_text(text, encoding="utf-8")
    Path("broken.py").write_text("x = 1\n\ndef f(:\n", encoding="utf-8")
    Path("failing.py").write_text("x = 1\ny = x / 0\n", encoding="utf-8")
    return tmp_path


MESSAGES = {
    ("metric", "absent.py:Length"): (
        "absent.py: no such file; expected a Python file that defines the class"
    ),
    ("metric", "metric.py:Lenght"): (
        "metric.py: no class Lenght; expected a class derived from demotic.metrics.Metric; it has "
        "Length, Nothing; did you mean Length?"
    ),
    ("metric", "metric.py:Nothing"): (
        "metric.py:Nothing is not a metric; expected a class derived from demotic.metrics.Metric"
    ),
    ("metric", "metric.py:"): (
        "'metric.py:' does not name a class; expected file.py:Class or module:Class (Class is a "
        "class derived from demotic.metrics.Metric)"
    ),
    ("metric", "broken.py:X"): "broken.py line 3: invalid syntax; expected Python",
    ("metric", "failing.py:X"): (
        "failing.py line 2: ZeroDivisionError: division by zero; expected a file that Python can "
        "import (try it with python failing.py)"
    ),
    ("metric", "no.such.module:X"): (
        "the module no.such.module cannot be imported: No module named 'no'; expected a file that "
        "ends in .py, or a module that is installed (give file.py:Class for a class in a file)"
    ),
    ("metric", "blue"): (
        "no metric 'blue'; did you mean bleu?; expected one of bleu, char-bleu, ter, chrf, chrf++, "
        "ter-bleu, or file.py:Class"
    ),
    ("method", "learner.py:Nothing"): (
        "learner.py:Nothing has no method update; expected a class with "
        "update(weights, evidence, metric, *, seed, round_number, threads)"
    ),
    ("method", "learner.py:Short"): (
        "update of learner.py:Short has no argument round_number; expected a class with "
        "update(weights, evidence, metric, *, seed, round_number, threads) "
        "(see docs/howto/learner.md, A learner of your own)"
    ),
}


@pytest.mark.parametrize(("flag", "name"), MESSAGES)
def test_what_is_wrong_is_a_user_error(
    flag: str, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code = run(["tune", "model", "--src", "a", "--ref", "b", "-o", "c", f"--{flag}", name])
    assert code == 2
    assert capfd.readouterr().err == f"demotic: error: {MESSAGES[flag, name]}\n"


def test_update_rules_that_are_none() -> None:
    with pytest.raises(Error, match=r"choose of rule.py:Wrong cannot be called with 4 arguments"):
        RuleChoice("rule.py:Wrong")
    with pytest.raises(Error, match=r"no update rule 'max-violation' .* give --method"):
        RuleChoice("max-violation")
    with pytest.raises(Error, match=r"learner.py:Nothing has no method choose"):
        RuleChoice("learner.py:Nothing")


def test_another_version_of_a_file_is_another_class(files: Path) -> None:
    before = MetricChoice("metric.py:Length")
    (files / "metric.py").write_text(METRIC.replace("10", "12"), encoding="utf-8")
    after = MetricChoice("metric.py:Length")
    assert before.digest != after.digest
    references = References.from_streams([["a b"]])
    rows = [choice.make(references).statistics(["x"]).tolist() for choice in (before, after)]
    assert rows == [[[1, 10]], [[1, 12]]]


def test_entry_points_of_installed_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(".")
    points = EntryPoints(
        [
            EntryPoint("missing", "metric:Length", "demotic.metrics"),
            EntryPoint("loop", "demotic.learn.mira:Mira", "demotic.learners"),
        ]
    )

    def entry_points(*, group: str) -> EntryPoints:
        return points.select(group=group)

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
    choice = MetricChoice("missing")
    assert choice.text == "Words that are missing"
    assert choice.make(References.from_streams([["a"]])).name == "missing"
    assert find_method("loop").text == "Margins equal to the difference in gain"
    with pytest.raises(Error, match="no method 'lop'; did you mean loop"):
        find_method("lop")
    sys.modules.pop("metric", None)


def test_options_of_a_metric_without_any() -> None:
    with pytest.raises(ValueError, match=r"no option beta of the metric metric\.py:Length"):
        MetricChoice("metric.py:Length", {"beta": 1})


# Broken promises, and how they are put into words.


class Counted(Metric):
    """Words in common with the first reference."""

    name, columns = "counted", 2

    def rows(self, texts: list[str], sentences: Any, threads: int) -> Any:
        first, known = self.references.first, self.references.texts
        rows = []
        for text, sentence in zip(texts, sentences, strict=True):
            references = [one.split() for one in known[first[sentence] : first[sentence + 1]]]
            best = max(references, key=lambda one: len(set(one) & set(text.split())) / len(one))
            extra = abs(len(best) - len(text.split()))
            rows.append([len(set(best) & set(text.split())), len(best) + extra])
        return np.array(rows, np.int32)

    def corpus_scores(self, sums: Any) -> Any:
        return 100 * sums[..., 0] / sums[..., 1]


class Floating(Counted):
    def rows(self, texts: list[str], sentences: Any, threads: int) -> Any:
        return super().rows(texts, sentences, threads).astype(float)


class Neighbourly(Counted):
    def rows(self, texts: list[str], sentences: Any, threads: int) -> Any:
        return super().rows(texts, sentences, threads) + len(texts)


class Upside(Counted):
    def gain(self, statistics: Any) -> Any:
        return 1 - super().gain(statistics)


class Wide(Counted):
    def gain(self, statistics: Any) -> Any:
        return 100 * super().gain(statistics)


BROKEN_METRICS = {
    Floating: "statistics are float64; expected int32",
    Neighbourly: "depend on its neighbours",
    Upside: "expected a reference to be better than nonsense",
    Wide: r"expected them in \[0, 1\]",
}


@pytest.mark.parametrize("broken", BROKEN_METRICS)
def test_a_broken_metric_is_told_what_is_wrong(broken: type[Metric]) -> None:
    check_metric(Counted)
    with pytest.raises(ContractError, match=BROKEN_METRICS[broken]):
        check_metric(broken)


class Still:
    """Learns nothing."""

    def update(self, weights: Any, pool: Pool, metric: Metric, **more: Any) -> Any:
        new = pool.checked(weights)
        new.flags.writeable = False
        return LearnerResult(new)


class Bare(Still):
    def update(self, weights: Any, pool: Pool, metric: Metric, **more: Any) -> Any:
        return np.array(weights)


class Careless(Still):
    def update(self, weights: Any, pool: Pool, metric: Metric, **more: Any) -> Any:
        new = np.array(weights, float)
        new.flags.writeable = False
        return LearnerResult(new)


class Random(Still):
    def update(self, weights: Any, pool: Pool, metric: Metric, **more: Any) -> Any:
        if pool.candidates < 5:
            return super().update(weights, pool, metric)
        return LearnerResult(pool.checked(weights) + np.random.default_rng().normal())


BROKEN_LEARNERS = {
    Still: "after 5 rounds on a separable problem BLEU is",
    Bare: "update returned ndarray; expected demotic.learn.LearnerResult",
}
BROKEN_LAZY_LEARNERS = {
    Careless: "the weights .* was accepted; expected ModelError",
    Random: "the same seed gave other weights",
}


def test_a_broken_learner_is_told_what_is_wrong() -> None:
    check_learner(Promises(Still(), solves_toy=False, sparse=True))
    for broken, message in BROKEN_LEARNERS.items():
        with pytest.raises(ContractError, match=message):
            check_learner(broken())
    for lazy, message in BROKEN_LAZY_LEARNERS.items():
        with pytest.raises(ContractError, match=message):
            check_learner(Promises(lazy(), solves_toy=False))


class Last:
    def choose(self, gold: Any, bad: Any, holds_gold: Any, window: int) -> Any:
        return len(gold) - 1


class Never:
    def choose(self, gold: Any, bad: Any, holds_gold: Any, window: int) -> Any:
        return -1


class Wordy:
    def choose(self, gold: Any, bad: Any, holds_gold: Any, window: int) -> Any:
        return "the last one"


BROKEN_RULES = {
    Last: "which has no gold or no bad derivation",
    Never: "returned -1 for all of 300 sentences",
    Wordy: "choose returned 'the last one'; expected the number of a bin",
}


@pytest.mark.parametrize("broken", BROKEN_RULES)
def test_a_broken_rule_is_told_what_is_wrong(broken: Any) -> None:
    with pytest.raises(ContractError, match=BROKEN_RULES[broken]):
        check_update_rule(broken())
