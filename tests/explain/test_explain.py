"""Explanations reflect the search: contributions add up, and all outputs are escaped."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from demotic.cli.main import run
from demotic.explain import Explanation, explain
from demotic.explain.explanation import StepView
from demotic.explain.feature_names import feature_meaning, feature_name
from demotic.explain.page import blocks
from demotic.explain.plain import plain_table
from demotic.feature_sets import FEATURE_SETS
from demotic.features.dense import FEATURES, OPERATION_FEATURES
from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.model.operations import OperationOptions
from demotic.search import SearchOptions
from tests.report.html_pages import check_page, parsed
from tests.search.small_models import prepared_model, token_model

SENTENCE = "Heute kenne ich das Zebra."


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def model(home: Path) -> Model:
    return prepared_model(home)


@pytest.fixture(scope="module")
def tokens(home: Path) -> Model:
    return token_model(home)


@pytest.fixture(scope="module")
def hiero(home: Path) -> Model:
    return prepared_model(home, "hiero")


@pytest.fixture(scope="module")
def explanation(model: Model) -> Explanation:
    return explain(model, SENTENCE, reference="Today I know the zebra.", rivals=4)


def test_scores_add_up(explanation: Explanation) -> None:
    for total in (
        sum(one.points for one in explanation.contributions),
        sum(step.score for step in explanation.steps),
    ):
        assert total == pytest.approx(explanation.score)
    for rival in explanation.rivals:
        assert rival.behind == pytest.approx(explanation.score - rival.score)
        assert sum(one.points for one in rival.differences) == pytest.approx(-rival.behind)
    by_feature: Counter[str] = Counter()
    for step in explanation.steps:
        for one in step.contributions:
            by_feature[one.feature] += one.points  # type: ignore[assignment]
    for one in explanation.contributions:
        assert by_feature[one.feature] == pytest.approx(one.points)
        assert one.points == pytest.approx(one.value * one.weight)


def test_it_is_the_translation(model: Model, explanation: Explanation) -> None:
    assert explanation.translation == model.translate([SENTENCE])[0]
    assert " ".join(explanation.source) == "heute kenne ich das zebra ."
    phrases = explanation.steps[:-1]
    assert sorted(i for step in phrases for i in range(*step.source_span)) == [*range(6)]
    assert tuple(word for step in phrases for word in step.target) == explanation.words
    for step in phrases:
        assert step.source == explanation.source[slice(*step.source_span)]
        assert step.kind == ("copied" if step.source == ("zebra",) else "rule")
        assert (step.rule is None) == (step.kind == "copied")
        assert (step.seen is None) == (step.rule is None)
    end = explanation.steps[-1]
    assert (end.kind, end.source, end.target, end.rule) == ("end", (), (), None)
    assert {one.feature for one in end.contributions} <= {"language_model", "distortion"}
    assert (4, explanation.words.index("zebra")) in explanation.links
    sizes = [abs(one.points) for one in explanation.contributions]
    assert sizes == sorted(sizes, reverse=True)


def test_bins_are_those_of_the_search(model: Model, explanation: Explanation) -> None:
    (result,) = model.search(["heute kenne ich das zebra ."], record="bins")
    assert [view.name for view in explanation.bins] == ["1", "2", "3", "4", "5", "6"]
    for view in explanation.bins:
        members = result.bins.members(int(view.name))
        assert view.entered == len(members)
        assert view.survived == result.bins.alive[members].sum()
        assert view.reach_goal == result.bins.reaches_goal[members].sum()
        totals = [one.total for one in view.best]
        assert totals == sorted(totals, reverse=True)
        assert totals[0] == pytest.approx(
            np.max(result.bins.score[members] + result.bins.future[members]), abs=1e-4
        )
        for one in view.best:
            assert one.covered.count("+") == int(view.name)
            assert one.reaches_goal <= one.alive
        winners = [one for one in view.best if one.winner]
        assert [one.rank for one in winners] == [view.winner_rank] * len(winners)
    last = explanation.bins[-1].best[0]
    assert last.winner
    assert last.text == " ".join(explanation.words)
    passed = {int(view.name) for view in explanation.bins if view.winner_rank}
    ends = np.cumsum([len(step.source) for step in explanation.steps[:-1]])
    assert passed == set(ends.tolist())


def test_hiero(hiero: Model) -> None:
    found = explain(hiero, SENTENCE, reference="I know the zebra today.", rivals=3)
    assert found.translation == hiero.translate([SENTENCE])[0]
    assert sum(step.score for step in found.steps) == pytest.approx(found.score)
    assert sum(one.points for one in found.contributions) == pytest.approx(found.score)
    assert {step.kind for step in found.steps} == {"rule", "copied", "glue", "end"}
    for step in found.steps[:-1]:
        gaps = [word for word in step.source if word.startswith("[")]
        assert gaps == ["[1]", "[2]"][: len(gaps)]
        assert sorted(gaps) == sorted(word for word in step.target if word.startswith("["))
        begin, end = step.source_span
        inside = [word for word in step.source if word not in gaps]
        assert set(inside) <= set(found.source[begin:end])
        if not gaps:
            assert step.source == found.source[begin:end]
            assert step.target == found.words[slice(*step.target_span)]
    spans = Counter(view.name for view in found.bins)
    assert spans["S[0:6]"] == 1
    assert all(view.winner_rank for view in found.bins)
    assert check_page(found.html()).classes["pieces"] == 1
    assert "S[0:6]" in found.text()
    assert found.reference is not None
    assert found.reference.path[-1][0] == "S[0:6]"


def test_a_narrow_search_shows_what_was_pruned(model: Model) -> None:
    narrow = explain(model, SENTENCE, options=SearchOptions(beam_size=2, pop_limit=50))
    assert any(view.survived < view.entered for view in narrow.bins)
    assert "pruned" in narrow.text()
    assert 'class="hollow"' in narrow.html()


def test_reference(model: Model, explanation: Explanation) -> None:
    known = explanation.reference
    assert known is not None
    assert known.chrf >= known.chrf_of_best
    assert known.path[-1][0] == "6"
    assert all(1 <= rank <= entered for _, rank, entered in known.path)
    exact = explain(model, SENTENCE, reference=explanation.translation).reference
    assert exact is not None
    assert exact.is_reference
    assert (exact.closest_rank, exact.chrf) == (1, pytest.approx(100))
    far = explain(model, SENTENCE, reference="Something else entirely.")
    assert "It is not among the" in far.text()


def test_text(explanation: Explanation) -> None:
    text = explanation.text()
    for part in ("TRANSLATION", "DERIVATION", "BINS", "NEAR MISSES", "REFERENCE", "unknown_word"):
        assert part in text
    assert "copied" in text
    assert repr(explanation).startswith(f"Explanation('{SENTENCE}' -> ")


def test_page(explanation: Explanation) -> None:
    html = explanation.html()
    tags = check_page(html)
    assert tags.headings == [
        "Why this translation?",
        "How it was put together",
        "Why it won",
        "What nearly won",
        "The reference",
        "Where the closest translation ranked during search",
        "The search, bin by bin",
        "Details",
        "The steps and their scores",
        "Features, values and weights",
        "Links between words",
        "Bins in numbers",
        "The best partial translations",
        "Search settings",
    ]
    assert tags.classes["hit"] == len(explanation.steps) - 1  # a band per phrase
    inside = explanation._repr_html_()
    assert inside.startswith("<iframe srcdoc=")
    assert parsed(inside).seen == {"iframe": 1}


def test_page_says_where_a_phrase_comes_from(explanation: Explanation) -> None:
    html = explanation.html()
    for step in explanation.steps[:-1]:
        source, target = " ".join(step.source), " ".join(step.target)
        origin = "copied: no rule for this word"
        if step.rule is not None:
            origin = f"rule {step.rule}, seen {step.seen} times in training"
        assert f"<title>{source} → {target}\n{origin}\nscore {step.score:+.3f}\n" in html


@given(st.permutations(range(6)), st.lists(st.integers(1, 3), min_size=6, max_size=6))
def test_phrases_are_cut_wherever_nothing_crosses(order: list[int], sizes: list[int]) -> None:
    ends = np.cumsum([0, *sizes]).tolist()
    spans = [(ends[i], ends[i + 1]) for i in order]
    steps = [StepView("rule", (), (), span, (0, 0), 1, 1, ()) for span in spans]
    found = blocks(steps)
    assert [step for block in found for step in block] == steps
    cuts = {k for k in range(1, 7) if {*order[:k]} == {*range(k)}}
    assert {*np.cumsum([len(block) for block in found]).tolist()} == cuts


def test_features_are_named_in_plain_words(explanation: Explanation) -> None:
    html = explanation.html()
    bars = html[html.index("Why it won") : html.index("What nearly won")]
    shown = [float(x) for x in re.findall(r'<span class="value">([+-][\d.]+)</span>', bars)]
    assert sum(shown) == pytest.approx(explanation.score, abs=0.1)
    assert ">language model</span>" in bars
    assert "how likely the translation is as a sentence of the target language" in bars


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("language_model_2", "language model 2"),
        ("reordering_backward_swap", "reordering: swap, backward"),
        ("word_penalty", "length"),
        ("my_own_score", "my own score"),
    ],
)
def test_feature_names(name: str, words: str) -> None:
    assert feature_name(name) == words
    assert name in feature_meaning(name)


def test_every_dense_feature_has_a_meaning() -> None:
    scores = [one for names in FEATURE_SETS.values() for one in names]
    for name in (*FEATURES, *scores, "source_given_target", "reordering_forward_monotone"):
        assert feature_meaning(name) != name


HOSTILE = st.one_of(
    st.sampled_from(["<script>alert(1)</script>", '"><img src=x onerror=y>', "&lt;", "das", "]]>"]),
    st.text(max_size=12),
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(words=st.lists(HOSTILE, max_size=5), reference=HOSTILE)
def test_everything_is_escaped(tokens: Model, words: list[str], reference: str) -> None:
    sentence = " ".join(words).encode("utf-8", "replace").decode()
    reference = reference.encode("utf-8", "replace").decode()
    found = explain(tokens, sentence, reference=reference, options=SearchOptions(beam_size=5))
    tags = check_page(found.html())
    assert set(tags.seen) <= {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "table", "tbody",
        "tr", "th", "td", "figure", "figcaption", "svg", "g", "text", "circle", "rect", "path",
        "line", "div", "section", "span", "strong", "bdi", "mark", "details", "summary",
    }  # fmt: skip
    assert parsed(found._repr_html_()).attributes == {"srcdoc", "sandbox", "style"}
    json.dumps(found.as_dict())
    assert found.text()


def test_nothing_to_explain(tokens: Model) -> None:
    found = explain(tokens, "")
    assert (found.translation, found.bins, found.source) == ("", (), ())
    assert len(found.steps) == 1
    assert "There is no other." in found.text()
    parsed(found.html())


def test_table_in_columns() -> None:
    assert plain_table(("word", "n"), [("书", "1"), ("book", "-12.5")]) == (
        "word      n\n书        1\nbook  -12.5"
    )


def test_verb(
    home: Path,
    model: Model,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(home)
    page = tmp_path / "why.html"
    command = ["explain", "phrase", SENTENCE, "--nbest", "2", "-o", str(page)]
    assert run(command) == 0
    assert capfd.readouterr().out == explain(model, SENTENCE, rivals=2).text() + "\n"
    assert page.read_text(encoding="utf-8") == explain(model, SENTENCE, rivals=2).html()
    assert run(["explain", "phrase", SENTENCE, "--json", "--ref", "A zebra."]) == 0
    values = json.loads(capfd.readouterr().out)
    assert values["reference"]["text"] == "A zebra."
    assert values["steps"][0]["contributions"][0]["feature"]
    assert run(["explain", "phrase", "Das Haus", "--tokenized", "--drop-unknown", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["words"] == []
    assert run(["explain", "nowhere", SENTENCE]) == 2
    assert "nowhere: no such directory" in capfd.readouterr().err


def test_on_a_terminal(
    home: Path, model: Model, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "160")
    assert run(["explain", str(model.path), SENTENCE]) == 0
    out = capfd.readouterr().out
    assert "Derivation" in out
    assert "━" in out


def test_operations_are_named_and_add_up(tokens: Model, home: Path) -> None:
    """Their features are those of the search, and belong to the steps that have the operations."""
    given = BuildOptions(source=home / "t.de", target=home / "t.en", operations=OperationOptions(4))
    made = build(given, home / "operations").model
    weights = {"operation_sequence": 0.4, "operation_gaps": 0.3, "operation_open_gaps": 0.2}
    model = made.derive(home / "operations-weighted", weights=made.weights.replace(weights))
    line = "heute kenne ich das buch ."
    found = explain(model, line)
    shown = {one.feature: one for one in found.contributions}
    best = model.decoder().translate([line])[0]
    for name, value in zip(model.weights, best.features.tolist(), strict=True):
        if name in OPERATION_FEATURES and value * model.weights[name]:
            assert shown[name].value == pytest.approx(value)
            of_steps = [one for step in found.steps for one in step.contributions]
            points = sum(one.points for one in of_steps if one.feature == name)
            assert points == pytest.approx(value * model.weights[name])
    assert {"operation_sequence", "operation_gaps"} <= shown.keys()
    assert sum(step.score for step in found.steps) == pytest.approx(found.score)
    assert sum(one.points for one in found.contributions) == pytest.approx(found.score)
    assert "operation_sequence" in found.text()
    assert feature_name("operation_sequence") == "operations"
    assert "how likely the steps are that build both sentences" in found.html()
    assert "operation_sequence" not in tokens.weights
