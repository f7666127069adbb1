"""Features in Python: called once per application, the same everywhere, errors with their place."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from demotic import allowed_code
from demotic.allowed_code import ALLOW_CODE
from demotic.cli.main import run
from demotic.errors import Error
from demotic.features.own import AppliedRule, costs
from demotic.features.summary import summary
from demotic.lines import split_words
from demotic.model import Model
from demotic.own_classes import load_function
from demotic.search import Step
from demotic.search.parsed import read_parsed
from demotic.search.tagged import read_tagged
from demotic.train.features import training_features
from demotic.train.run import TrainRequest, train_model
from tests.learn.untuned import dev_set, untuned
from tests.search.small_models import prepared_model
from tests.train.test_training import OPTIONS, bitext

CODE = """
from demotic.features.own import AppliedRule, feature

@feature
def edges(use: AppliedRule):
    before = use.sentence[use.begin - 1] if use.begin else "<s>"
    yield f"{before} {' '.join(use.source)}"
    yield f"{len(use.links)} of {len(use.target)}, {use.end - use.begin} words"
    yield f"{len(use.links)} of {len(use.target)}, {use.end - use.begin} words"  # counts once

@feature
def broken(use: AppliedRule):
    raise KeyError("oh")

@feature
def wrong(use: AppliedRule):
    yield 3

@feature
def lengths(use: AppliedRule):
    yield " ".join(use.source), (1 + len(use.target)) / 3
    yield f"{use.target[0]} first"
    yield f"{use.target[-1]} last", 1
    yield "nothing", 0
    yield "tokens of the sentence", len(use.sentence) * -0.1

@feature
def twice(use: AppliedRule):
    yield f"{use.source[0]} {use.target[-1]}", 2.0
    yield f"{use.target[0]} {use.end - use.begin}", 2

@feature
def four(use: AppliedRule):
    for i in range(4):
        yield f"{use.source[0]} {use.target[-1]} {i}"
        yield f"{use.target[0]} {use.end - use.begin} {i}"

@feature
def infinite(use: AppliedRule):
    yield "log", float("-inf")

@feature
def spelled(use: AppliedRule):
    yield "number", "3"

@feature
def unequal(use: AppliedRule):
    yield "a"
    yield "a", 2

@feature
def layers(use: AppliedRule):
    for begin, end, label in use.constituents:
        if (begin, end) == (use.begin, use.end):
            yield f"{label} is {' '.join(use.target)}"
    yield "tags " + " ".join(use.tags[use.begin : use.end])

def unmarked(use: AppliedRule):
    yield "never"
"""


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder, kind = tmp_path_factory.mktemp("own"), request.param
    return untuned(prepared_model(folder, kind), folder / "untuned")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(CODE)
    Path("own.templates").write_text("family python function=mine.py:edges\n")
    return tmp_path


def _trained(model: Model, threads: int = 1, out: str = "out") -> Model:
    text = bitext(model)
    found = training_features(model, "own.templates", text, Path("classes"))
    request = TrainRequest(options=OPTIONS, features=found)
    return train_model(model, text, dev_set(model), out, request, threads=threads).model


def _use(name: str) -> None:
    Path("own.templates").write_text(f"family python function=mine.py:{name}\n")


def _expected(model: Model, line: str, steps: Sequence[Step], name: str) -> float:
    assert model.sparse is not None
    keys, weights = model.sparse.weights.arrays()
    names = map(model.sparse.features.name, keys.tolist())
    by_name = dict(zip(names, weights.tolist(), strict=True))
    words, rules = tuple(split_words(line)), list(model.rules)
    function = load_function(f"mine.py:{name}", "a function", "_demotic_feature").function
    total = 0.0
    for number, begin, end in steps:
        if number < 0:
            continue
        rule = rules[number]
        source, target = (
            tuple(f"[{w[-2]}]" if w.startswith("[") else w for w in side)
            for side in (rule.source, rule.target)
        )
        use = AppliedRule(source, target, rule.links, words, begin, end)
        fired = dict(one if isinstance(one, tuple) else (one, 1.0) for one in function(use))
        total += sum(
            value * by_name.get(f"mine.py:{name}={one}", 0.0) for one, value in fired.items()
        )
    return total


@pytest.mark.parametrize("name", ["edges", "lengths"])
def test_search_sums_what_the_function_yields(model: Model, home: Path, name: str) -> None:
    _use(name)
    made = _trained(model)
    assert made.sparse is not None
    assert len(made.sparse) > 0
    lines = sorted(set(bitext(model).source))
    decoder, place = made.decoder(), list(made.weights).index("sparse")
    found = decoder.translate(lines)
    for i, line in enumerate(lines):
        expected = _expected(made, line, found.steps(i), name)
        assert found.features[i][place] == pytest.approx(expected, abs=1e-4)
    before = costs()[f"mine.py:{name}"].calls
    assert before > 0
    again = decoder.translate(lines, threads=3)  # all applications are known
    assert costs()[f"mine.py:{name}"].calls == before
    assert again.scores.tolist() == found.scores.tolist()
    group = summary(made.sparse).families
    assert [one.name for one in group] == ["python"]


def test_training_with_a_value_of_two_is_training_with_four_names(model: Model, home: Path) -> None:
    """The scores of features (x, 2) and of four copies of x move alike."""
    lines, found = sorted(set(bitext(model).source)), []
    for name in ("twice", "four"):
        _use(name)
        made = _trained(model, out=name)
        assert made.sparse is not None
        found.append((made.decoder().translate(lines), made.weights, len(made.sparse)))
    (one, weights, count), (other, same, many) = found
    assert many == 4 * count > 0
    assert one.text == other.text
    assert one.scores == pytest.approx(other.scores, abs=1e-5)
    assert dict(weights) == pytest.approx(dict(same), abs=1e-6)


@pytest.mark.parametrize(
    "method", ["mira", "mira --search-aware potential", "pro", "rampion", "rm", "forest-mira"]
)
def test_tuning_with_a_value_of_two_is_tuning_with_four_names(
    model: Model, home: Path, capfd: pytest.CaptureFixture[str], method: str
) -> None:
    text, found = bitext(model), []
    Path("t.de").write_text("".join(f"{line}\n" for line in text.source))
    Path("t.en").write_text("".join(f"{line}\n" for line in text.target))
    for name in ("twice", "four"):
        _use(name)
        tune = f"tune {model.path} --src t.de --ref t.en --tokenized --features own.templates"
        flags = f"-o {name} --method {method} --rounds 2 --quiet --min-bleu 0 --no-confidence"
        assert run(f"{tune} {flags}".split()) == 0, capfd.readouterr().err
        made = Model.load(name)
        assert made.sparse is not None
        assert len(made.sparse) > 0
        found.append((made, made.decoder().translate(text.source)))
    (tuned, one), (same, other) = found
    assert dict(tuned.weights) == pytest.approx(dict(same.weights), abs=1e-4)
    assert one.text == other.text
    for i, line in enumerate(text.source):
        place = list(tuned.weights).index("sparse")
        expected = _expected(tuned, line, one.steps(i), "twice")
        assert one.features[i][place] == pytest.approx(expected, abs=1e-4)


def test_the_program_ends_without_a_crash() -> None:
    """The core keeps a Python function, which must not be released after the interpreter."""
    subprocess.run([sys.executable, "-c", "import demotic.features.own"], check=True)


def test_functions_see_tags_and_trees(
    model: Model, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Of every sentence its own, in tuning and in translation; nothing without them."""
    Path("own.templates").write_text("family python function=mine.py:layers\n")
    text = bitext(model)
    tags = [
        " ".join(f"T{i}.{place}" for place, _ in enumerate(split_words(line)))
        for i, line in enumerate(text.source)
    ]
    trees = [
        " ".join(f"(NP ({tag} {word}))" for tag, word in zip(*map(split_words, pair), strict=True))
        for pair in zip(tags, text.source, strict=True)
    ]
    for name, lines in (("de", text.source), ("en", text.target), ("tags", tags)):
        Path(f"t.{name}").write_text("".join(f"{line}\n" for line in lines))
    Path("t.trees").write_text("".join(f"(S {one})\n" if one else "()\n" for one in trees))
    tune = f"tune {model.path} --src t.de --ref t.en --tokenized --features own.templates -o tuned"
    annotated = "--trees t.trees --src-tags t.tags"
    command = f"{tune} --rounds 1 --quiet --min-bleu 0 --no-confidence {annotated}"
    assert run(command.split()) == 0, capfd.readouterr().err
    for flags in ("--trees t.trees", "--src-tags t.tags", annotated, ""):
        assert run(f"translate tuned t.de --tokenized --quiet {flags}".split()) == 0
    names = _names_after(
        Model.load("tuned"), read_tagged("t.tags", read_parsed("t.trees", text.source))
    )
    assert any("NP is " in name for name in names)
    assert any("=tags T" in name for name in names)
    assert "mine.py:layers=tags" not in names


def _names_after(model: Model, sentences: Sequence[str]) -> set[str]:
    """Names of features with a weight, known once the function has yielded them again."""
    model.decoder().translate(sentences)
    assert model.sparse is not None
    return set(map(model.sparse.features.name, model.sparse.weights.arrays()[0].tolist()))


def test_a_loaded_model_calls_the_same_code(model: Model, home: Path) -> None:
    _trained(model, threads=2)
    lines = sorted(set(bitext(model).source))
    first = Model.load("out").decoder().translate(lines)
    Path("mine.py").write_text(CODE.replace("words", "tokens"))
    with pytest.raises(Error, match=r"the code of mine.py:edges has changed"):
        Model.load("out").decoder().translate(lines)
    Path("mine.py").write_text(CODE)
    assert Model.load("out").decoder().translate(lines).text == first.text


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer on which nothing was allowed."""
    monkeypatch.setenv("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME", str(tmp_path / "c"))
    monkeypatch.delenv(ALLOW_CODE, raising=False)
    monkeypatch.setattr(allowed_code, "_allowed", set())


def test_code_of_others_runs_only_if_it_is_allowed(
    model: Model, home: Path, capfd: pytest.CaptureFixture[str], elsewhere: None
) -> None:
    _trained(model)
    Path("t.de").write_text(bitext(model).source[0] + "\n")
    translate = "translate out t.de --tokenized --quiet".split()
    assert run(translate) == 0  # named in a template file
    shutil.rmtree("c")
    allowed_code._allowed.clear()
    capfd.readouterr()
    for _ in range(2):  # not remembered by a refusal
        assert run(translate) == 2
        assert "runs Python code, mine.py:edges, which was never" in capfd.readouterr().err
    assert run(["--allow-code", *translate]) == 0
    del os.environ[ALLOW_CODE]
    allowed_code._allowed.clear()
    assert run(translate) == 0  # remembered
    Path("mine.py").write_text("from pathlib import Path\nPath('ran').touch()\n")
    assert run(translate) == 2
    assert "the code of mine.py:edges has changed" in capfd.readouterr().err
    assert not Path("ran").exists()  # other code is refused before it runs


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("mine.py:broken", " -> "),
        ("mine.py:broken", ": KeyError: 'oh'; expected a function that yields names of features"),
        ("mine.py:wrong", "TypeError: expected names of features, got 3"),
        ("mine.py:infinite", "expected a finite number as the value of 'log', got -inf"),
        ("mine.py:spelled", "expected a finite number as the value of 'number', got '3'"),
        ("mine.py:unequal", "two values of the feature 'a': 1.0 and 2"),
        ("mine.py:unmarked", "no function unmarked; expected a function decorated with @feature"),
        ("mine.py:edgse", "it has edges, broken, wrong, lengths"),
        ("other.py:edges", "other.py: no such file"),
        ("edges", "'edges' does not name a function"),
    ],
)
def test_errors_name_the_function(
    model: Model, home: Path, capfd: pytest.CaptureFixture[str], function: str, message: str
) -> None:
    Path("own.templates").write_text(f"family python function={function}\n")
    lines = bitext(model).source
    Path("t.de").write_text("".join(f"{line}\n" for line in lines))
    Path("t.en").write_text("".join(f"{line}\n" for line in bitext(model).target))
    order = f"tune {model.path} --src t.de --ref t.en --tokenized --features own.templates -o tuned"
    assert run([*order.split(), "--rounds", "1", "--quiet"]) in (1, 2)
    assert message in capfd.readouterr().err
