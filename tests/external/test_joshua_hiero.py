"""Joshua's Bengali test: as good as its own search at the same pop limit, with the same scores."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from demotic.formats.importing import import_model
from demotic.model import Model
from demotic.search import SearchOptions, SearchResult
from tests.external.where import models

pytestmark = pytest.mark.external

Entry = tuple[float, str]

LONGEST_LIST = 10
ROUNDING = 1e-3  # Joshua prints three decimals
BRACKETS = {"[": "-lsb-", "]": "-rsb-"}  # as Joshua's grammars have them; it restores its output


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    config = models() / "joshua" / "bn-en-hiero" / "joshua.config"
    return import_model(config, tmp_path_factory.mktemp("joshua") / "model").model


@pytest.fixture(scope="module")
def sources() -> list[str]:
    text = (models() / "joshua" / "bn-en-hiero" / "input.bn").read_text(encoding="utf-8")
    for bracket, name in BRACKETS.items():
        text = text.replace(bracket, name)
    return text.splitlines()


@pytest.fixture(scope="module")
def results(model: Model, sources: list[str]) -> list[SearchResult]:
    options = SearchOptions.for_model(model, {"pop_limit": 300, "beam_size": 300, "rule_limit": 0})
    return model.decoder(options).search(sources, threads=2)


@pytest.fixture(scope="module")
def ours(results: list[SearchResult]) -> list[dict[str, float]]:
    """The best scores of many distinct translations of each sentence."""
    return [{c.text: c.score for c in r.kbest(1000, distinct=True)} for r in results]


@pytest.fixture(scope="module")
def theirs(model: Model, ours: list[dict[str, float]]) -> list[list[Entry]]:
    """Joshua's lists by sentence, without the constant that only Joshua counts.

    The file does not assign lines to sentences: of all divisions into lists of falling scores, the
    one under which most lines are among our translations is used.
    """
    text = (models() / "joshua" / "bn-en-hiero" / "output.gold").read_text(encoding="utf-8")
    offset = float(model.info.origin["score_offset"])
    lines = [line.strip('"').split(maxsplit=1) for line in text.splitlines()]
    entries = [
        (float(score) - offset, " ".join(BRACKETS.get(word, word) for word in words.split()))
        for score, words in lines
    ]
    best: dict[int, tuple[int, list[int]]] = {0: (0, [0])}
    for known in ours:
        longer: dict[int, tuple[int, list[int]]] = {}
        for begin, (found, cuts) in best.items():
            for end in range(begin + 1, min(len(entries), begin + LONGEST_LIST) + 1):
                here = entries[begin:end]
                if any(b > a for (a, _), (b, _) in pairwise(here)):
                    break
                total_found = found + sum(words in known for _, words in here)
                if end not in longer or longer[end][0] < total_found:
                    longer[end] = (total_found, [*cuts, end])
        best = longer
    cuts = best[len(entries)][1]
    return [entries[a:b] for a, b in pairwise(cuts)]


def total(model: Model, sources: list[str], pop_limit: int) -> float:
    options = SearchOptions.for_model(model, {"pop_limit": pop_limit, "rule_limit": 0})
    return float(model.decoder(options).translate(sources, threads=2).scores.sum())


def test_model_score_at_every_pop_limit(
    model: Model, sources: list[str], theirs: list[list[Entry]]
) -> None:
    joshua = sum(entries[0][0] for entries in theirs)
    assert (model.settings["pop_limit"], model.settings["span_limit"]) == (10, 12)
    totals = [total(model, sources, pops) for pops in (10, 30, 100, 300)]
    print(f"Joshua {joshua:.3f}; ours {totals}")
    assert totals[0] >= joshua
    assert totals == sorted(totals)


def test_scores_of_the_same_translations(
    results: list[SearchResult], ours: list[dict[str, float]], theirs: list[list[Entry]]
) -> None:
    """Where Joshua's small beam missed the best derivation of a string, we also find Joshua's."""
    lines = found = better = same = 0
    for result, known, entries in zip(results, ours, theirs, strict=True):
        lines += len(entries)
        here = [(score, words) for score, words in entries if words in known]
        found += len(here)
        assert all(known[words] > score - ROUNDING for score, words in here)
        missed = [(score, words) for score, words in here if known[words] > score + ROUNDING]
        better += len(missed)
        same += derived(result, missed)
    print(f"{lines} lines, {found} among ours, {better} better, {same} of them also as there")
    assert lines == 805
    assert found > 0.98 * lines
    assert better < 0.1 * found
    assert same > 0.7 * better


def derived(result: SearchResult, entries: list[Entry]) -> int:
    """How many are among the best derivations with exactly that score."""
    if not entries:
        return 0
    scores: dict[str, list[float]] = {words: [] for _, words in entries}
    for one in result.kbest(5_000):
        if one.text in scores:
            scores[one.text].append(one.score)
    return sum(
        any(abs(score - theirs) < ROUNDING for score in scores[words]) for theirs, words in entries
    )


def test_constant_is_the_end_markers_and_the_first_piece(
    model: Model, ours: list[dict[str, float]], theirs: list[list[Entry]]
) -> None:
    """Joshua counts <s> and </s> in its word penalty and the first piece in its glue score."""
    offset = float(model.info.origin["score_offset"])
    assert offset == pytest.approx(model.weights["glue"] - 2 * model.weights["word_penalty"])
    assert offset == pytest.approx(1 + 2 * 3.6942747832593694 / math.log(10))
    differences = [
        score + offset - known[words]  # as Joshua printed it
        for known, entries in zip(ours, theirs, strict=True)
        for score, words in entries
        if words in known
    ]
    constant = sum(abs(one - offset) < ROUNDING for one in differences)
    print(f"{constant} of {len(differences)} scores differ by {offset:.4f}")
    assert constant > 0.9 * len(differences)
