"""Search with an operation sequence model: every derivation has the values of the oracle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from demotic.errors import Error, InputError
from demotic.lm import LanguageModel
from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.model.operations import OperationOptions
from demotic.rules import RuleOptions
from demotic.search import SearchOptions
from demotic.search.record import Candidate
from tests.near import near
from tests.oracle.operations import Operations, Piece
from tests.search.small_models import pairs

SENTENCES = [
    "heute sehe ich das haus .",
    "heute ist das kind hier .",
    "das haus das haus ist <unk> klein",
    "zzz",
    "",
]
EXHAUSTIVE = SearchOptions(
    beam_size=10**6, pop_limit=10**6, cube_pruning=False, rule_limit=3, distortion_limit=4
)


@pytest.fixture(scope="module", params=[0, 4], ids=["words", "classes"])
def model(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Model:
    folder = tmp_path_factory.mktemp("operations")
    for side, name in enumerate(("t.de", "t.en")):
        lines = [pair[side].lower().replace(".", " .") for pair in pairs()]
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    options = BuildOptions(
        source=folder / "t.de",
        target=folder / "t.en",
        rules=RuleOptions(max_phrase=3),
        operations=OperationOptions(4, request.param),
    )
    made = build(options, folder / "model").model
    weights = {
        "operation_gaps": 0.3,
        "operation_open_gaps": 0.2,
        "operation_gap_width": -0.1,
        "operation_deletions": 0.25,
        "operation_sequence": 0.4,
    }
    return made.derive(folder / "weighted", weights=made.weights.replace(weights))


def pieces(model: Model, source: tuple[str, ...], one: Candidate) -> Iterator[Piece]:
    store = model.rules.store
    for step in one.steps:
        words = source[step.begin : step.end]
        if step.rule < 0:
            yield Piece(step.begin, words, words, frozenset(), unknown=True)
            continue
        target = [model.vocabulary.word(word) for word in store.target(step.rule)]
        yield Piece(step.begin, words, target, frozenset(store.links(step.rule)))


def check(model: Model, source: tuple[str, ...], one: Candidate) -> None:
    names = list(model.weights)
    shown = dict(zip(names, one.features.tolist(), strict=True))
    assert model.info.parts.operations
    lm = LanguageModel.load(model.part(model.info.parts.operations))
    expected = Operations(lm, {}).values(pieces(model, source, one), begin=True, end=True)
    for name, value in shown.items():
        if name.startswith("operation_"):
            assert value == near(expected[name], abs=1e-4), name
    total = sum(weight * shown[name] for name, weight in model.weights.items())
    assert one.score == near(total, abs=1e-4)


@pytest.mark.parametrize("line", SENTENCES)
def test_every_derivation_has_the_values_of_the_oracle(model: Model, line: str) -> None:
    decoder = model.decoder(EXHAUSTIVE)
    (result,) = decoder.search([line])
    found = result.kbest(3000)
    assert found
    for one in found:
        check(model, result.source, one)
    best = max(one.score for one in found)
    assert decoder.translate([line]).scores[0] == near(best, abs=1e-4)


def test_the_space_is_that_of_a_search_without_operations(model: Model) -> None:
    """Recombination splits states, but neither adds nor loses derivations."""
    (result,) = model.decoder(EXHAUSTIVE).search(SENTENCES[:1])
    zero = {name: 0.0 for name in model.weights if name.startswith("operation_")}
    (other,) = model.decoder(EXHAUSTIVE, weights=model.weights.replace(zero)).search(SENTENCES[:1])
    count = result.forest.number_of_derivations
    assert count == other.forest.number_of_derivations > 100


@pytest.mark.parametrize("beam", [1, 2, 10])
def test_pruned_searches_report_exact_values(model: Model, beam: int) -> None:
    options = SearchOptions(beam_size=beam, pop_limit=max(beam, 5))
    results = model.decoder(options).search(SENTENCES, record="bins")
    for result in results:
        for one in result.kbest(20):
            check(model, result.source, one)


def test_unknown_words_may_be_dropped(model: Model) -> None:
    decoder = model.decoder(replace(EXHAUSTIVE, drop_unknown=True))
    found = decoder.translate(["zzz zzz"])
    names = list(model.weights)
    assert found.features[0][names.index("operation_deletions")] == -2


def test_operations_of_classes_have_classes_instead_of_words(model: Model) -> None:
    assert model.operations
    if not model.operations.has_classes:
        return
    words, names = model.operations.words.words(), model.operations.vocabulary.words()
    for word, name in zip(words[3:], model.operations.classes[3:].tolist(), strict=True):
        assert word[0] == names[name][0]
        assert set(names[name]) <= set("=-+><_019 \t") | set("2345678")
        assert word.count(" ") == names[name].count(" ")
    assert 3 < len(names) < len(words)


def test_other_decoders_have_no_operations(model: Model, tmp_path: Path) -> None:
    from demotic.formats.exporting import export_model

    with pytest.raises(Error, match="operation sequence model"):
        export_model(model, "moses", tmp_path / "moses")


def test_classes_need_an_order() -> None:
    with pytest.raises(InputError, match="word classes"):
        OperationOptions(0, 50).check("phrase")


def test_a_hiero_model_refuses_operations(tmp_path: Path) -> None:
    options = BuildOptions(
        source=tmp_path / "s", target=tmp_path / "t", kind="hiero", operations=OperationOptions(5)
    )
    with pytest.raises(InputError, match="operation sequence model"):
        build(options, tmp_path / "m")
