"""The page of forced decoding: examples with marked words, and charts."""

from __future__ import annotations

import random
from pathlib import Path
from typing import cast

import pytest

from demotic.force import ForceOptions, force
from demotic.force.blame import blame
from demotic.force.examples import examples
from demotic.force.report import page_of
from demotic.force.tables import CAUSES
from demotic.model import Model
from tests.force.phrase_tasks import drawn_pair, extracted_model, oracle_of
from tests.oracle.phrase_force import Space
from tests.report.html_pages import check_page
from tests.search.small_models import prepared_model


@pytest.mark.parametrize("left_out", [False, True])
def test_words_are_at_fault_exactly_where_the_search_finds_the_cause(
    tmp_path: Path, left_out: bool
) -> None:
    seen = dict.fromkeys(CAUSES, 0)
    for seed in range(40):
        rng = random.Random(seed)
        model, bitext = extracted_model(rng, tmp_path)
        oracle = oracle_of(model, Space(2, True))
        pairs = bitext if left_out else [drawn_pair(rng, oracle, 5) for _ in range(8)]
        if not left_out:
            pairs += [((*source[:-1], "q"), reference) for source, reference in pairs[:3]]
        found = model.force(pairs, ForceOptions(distortion_limit=2), None, leave_one_out=left_out)
        for i, (source, reference) in enumerate(pairs):
            if found.reachable[i]:
                continue
            (cause,) = [name for name in CAUSES if found.cause(name)[i]]
            seen[cause] += 1
            number = i if left_out else -1
            words = [
                blame(cast("Model", model), source, reference, name, number)
                for name in ("unknown_word", "uncovered_word")
            ]
            assert bool(words[0].source) == (cause == "unknown_word")
            if cause != "unknown_word":
                assert bool(words[1].source | words[1].target) == (cause == "uncovered_word")
            for place in words[0].source:
                assert source[place] not in reference
    assert seen["unknown_word"] > 5
    assert seen["uncovered_word"] > 5


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Model:
    return prepared_model(tmp_path_factory.mktemp("models"), request.param)


PAIRS = [
    ("das haus ist klein .", "the house is small ."),
    ("das zebra ist klein .", "the <b>zebra</b> is small ."),
    ("das haus ist klein .", "the house is tiny ."),
    ("ich kenne das buch .", "i know the book ."),
]


def test_page(model: Model) -> None:
    sources, references = [s for s, _ in PAIRS], [[t] for _, t in PAIRS]
    found = force(model, sources, references)
    shown = examples(found, model)
    assert {*shown} == {"reachable", "unknown_word", "uncovered_word"}
    assert [one.source[0] for one in shown["reachable"]] == ["das", "ich"]
    (unknown,), (uncovered,) = shown["unknown_word"], shown["uncovered_word"]
    assert unknown.at_fault.source == {1}
    assert uncovered.reference[3] == "tiny"
    assert 3 in uncovered.at_fault.target
    html = page_of(found, "<m>", (), shown, kind=model.kind).html()
    tags = check_page(html)
    assert tags.headings[0] == "Forced decoding: 50.0 % of 4 pairs are reachable"
    assert {"Reachable", "A source word that is in no rule", "By length"} <= {*tags.headings}
    assert '<mark class="cause">zebra</mark>' in html
    assert '<mark class="cause">tiny</mark>' in html
    assert "jumps" in html if model.kind == "phrase" else "span at most 20 source words" in html


def test_prefixes_are_marked(model: Model) -> None:
    if model.kind == "hiero":
        return
    options = ForceOptions(prefixes="longest", min_source_words=1)
    source, reference = "das haus ist klein . zebra zebra", "the house is small . <zebra>"
    found = force(model, [source], [[reference]], options)
    html = page_of(found, "m", (), examples(found, model)).html()
    assert '<mark class="words">das haus ist klein .</mark>' in html
    assert "or with a reachable prefix" in html


def test_a_sweep_and_an_empty_search(model: Model) -> None:
    found = force(model, [], [])
    tags = check_page(page_of(found, "m", (), examples(found, model)).html())
    assert "Examples" not in tags.headings
    row = {"distortion_limit": -1, "reachable_share": 50.0, "by_length": [
        {"words": "1-5", "reachable_share": 50.0, "log10_derivations": None}]}  # fmt: skip
    tags = check_page(page_of(found, "m", [row]).html())
    assert "By distortion limit" in tags.headings


def test_charts_have_few_columns(model: Model) -> None:
    lengths = [*range(1, 301, 5), 7]
    sources = [" ".join(["das haus"] * length)[: 9 * length] for length in lengths]
    found = force(model, sources, [["the"]] * len(sources), ForceOptions(find_cause=False))
    html = page_of(found, "m").html()
    drawing = html[html.index("By length") : html.index("In numbers")]
    assert 10 < drawing.count('class="bar"') <= 25
