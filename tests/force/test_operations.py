"""Forced decoding of a model with operations: its derivations have the scores of the search."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.features.dense import OPERATION_FEATURES
from demotic.force import ForceOptions, GoldForests, force
from demotic.forest import Forest
from demotic.lm import LanguageModel
from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.model.operations import OperationOptions
from demotic.rules import RuleOptions
from demotic.search import SearchOptions
from demotic.search.record import Candidate
from tests.near import near
from tests.oracle.operations import Operations, Piece
from tests.search.small_models import token_model

PAIRS = [
    ("heute ist das haus hier .", "today the house is here ."),
    ("ich sehe das kind .", "i see the child ."),
    ("das mädchen ist alt .", "the girl is old ."),
]
EXHAUSTIVE = SearchOptions(
    beam_size=10**6, pop_limit=10**6, cube_pruning=False, rule_limit=100, distortion_limit=3
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("operations")
    token_model(folder)  # writes the text
    given = BuildOptions(
        source=folder / "t.de",
        target=folder / "t.en",
        rules=RuleOptions(max_phrase=2),
        operations=OperationOptions(4),
    )
    made = build(given, folder / "model").model
    weights = {"operation_gaps": 0.3, "operation_open_gaps": 0.2, "operation_gap_width": -0.1}
    return made.derive(folder / "weighted", weights=made.weights.replace(weights))


Steps = tuple[tuple[int, int, int], ...]


def gold_steps(forest: Forest) -> set[Steps]:
    """Rule and source span of the phrases of every derivation, in the order of the translation."""
    every = forest.kbest(int(forest.number_of_derivations), [0.0] * forest.edges)
    columns = [getattr(forest, f"edge_{name}").tolist() for name in ("rule", "begin", "end")]
    return {
        tuple((columns[0][edge], columns[1][edge], columns[2][edge]) for edge in reversed(edges))
        for edges in (one.tolist()[1:] for one in every)  # without the goal
    }


def check_operations(model: Model, source: tuple[str, ...], one: Candidate) -> None:
    """The operations of the oracle for the phrases of a derivation."""
    store, words = model.rules.store, model.vocabulary.word
    pieces = [
        Piece(
            step.begin,
            source[step.begin : step.end],
            [words(word) for word in store.target(step.rule)],
            frozenset(store.links(step.rule)),
        )
        for step in one.steps
    ]
    lm = LanguageModel.load(model.part(model.info.parts.operations or ""))
    expected = Operations(lm, {}).values(pieces, begin=True, end=True)
    found = dict(zip(model.weights, one.features.tolist(), strict=True))
    for name in OPERATION_FEATURES:
        assert found[name] == near(expected[name], abs=1e-4), name


def test_gold_derivations_have_the_scores_of_the_search(model: Model, tmp_path: Path) -> None:
    """Each is a derivation of the exhaustive search, and no other one yields the reference."""
    sources, references = ([pair[side] for pair in PAIRS] for side in (0, 1))
    options = ForceOptions(distortion_limit=EXHAUSTIVE.distortion_limit)
    found = force(model, sources, [[one] for one in references], options, path=tmp_path / "gold")
    assert found.reachable.all()
    gold = GoldForests.open(tmp_path / "gold", model, sources)
    results = model.decoder(EXHAUSTIVE).search(sources)
    for number, (result, reference) in enumerate(zip(results, references, strict=True)):
        every = result.kbest(int(result.forest.number_of_derivations))
        right = {tuple(one.steps): one for one in every if one.text == reference}
        assert gold_steps(gold.forest(number)) == right.keys()
        assert len({one.features.tobytes() for one in right.values()}) > 1
        for one in right.values():
            check_operations(model, result.source, one)
            assert one.score == near(float(one.features @ model.weights.array), abs=1e-4)


def test_command(model: Model, tmp_path: Path) -> None:
    for side, name in enumerate(("t.de", "t.en")):
        (tmp_path / name).write_text("".join(f"{pair[side]}\n" for pair in PAIRS))
    files = ["--src", str(tmp_path / "t.de"), "--ref", str(tmp_path / "t.en")]
    out = tmp_path / "gold"
    assert run(["force", str(model.path), *files, "-o", str(out), "--quiet"]) == 0
    assert len(GoldForests.open(out / "gold.bin", model, [pair[0] for pair in PAIRS])) == len(PAIRS)
