"""Gold forests as files: the same for any number of threads, refused when they are damaged."""

from __future__ import annotations

import random
import struct
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from demotic.errors import Error, FormatError, ModelError
from demotic.force import ForceOptions, force
from demotic.force.gold import GoldForests
from demotic.force.tables import as_dict
from demotic.force.texts import prefixes, reachable
from tests.base import forge
from tests.force import hiero_tasks, phrase_tasks
from tests.force.phrase_tasks import drawn_pair, extracted_model, oracle_of, table_model
from tests.force.tiny import Pair, TinyModel
from tests.oracle.phrase_force import Space

OPTIONS = ForceOptions(prefixes="maximal", min_source_words=1)


def drawn(folder: Path) -> tuple[TinyModel, list[Pair]]:
    rng = random.Random(5)
    model, _ = extracted_model(rng, folder)
    oracle = oracle_of(model, Space(6, True))
    return model, [drawn_pair(rng, oracle, 6) for _ in range(300)]


@pytest.mark.parametrize("kind", [phrase_tasks, hiero_tasks], ids=["phrase", "hiero"])
def test_the_same_file_for_any_number_of_threads(kind: ModuleType, tmp_path: Path) -> None:
    task = kind.drawn(random.Random(6), tmp_path)
    pairs = task.pairs * 30
    files, figures = [], []
    for threads in (1, 2, 5):
        path = tmp_path / f"gold{threads}"
        found = task.model.force(pairs, task.options, path, threads=threads)
        files.append(path.read_bytes())
        figures.append(as_dict(found))
    assert files[0] == files[1] == files[2]
    assert figures[0] == figures[1] == figures[2]
    assert 20 < figures[0]["reachable"] < len(pairs) - 20


def test_one_copy_of_the_source_for_each_reference(tmp_path: Path) -> None:
    model = table_model([(("a",), ("x",)), (("b",), ("y",))], tmp_path)
    found = force(
        model,  # type: ignore[arg-type]
        ["a b", "b"],
        [["x x", "x y"], ["y", "x"]],
        ForceOptions(prefixes="longest", min_source_words=1),
        path=tmp_path / "gold",
    )
    assert found.sources == ["a b", "a b", "b", "b"]
    assert found.reachable.tolist() == [False, True, True, False]
    assert [forest.pair for forest in model.gold(tmp_path / "gold", [])] == [0, 1, 2]
    assert reachable(found) == [("a b", "x y"), ("b", "y")]
    assert prefixes(found) == [("a", "x"), ("a b", "x y"), ("b", "y")]


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    model, pairs = drawn(tmp_path)
    path = tmp_path / "gold"
    model.force(pairs[:20], OPTIONS, path)
    data = path.read_bytes()
    rng = random.Random(1)
    for _ in range(200):
        changed = bytearray(data)
        changed[rng.randrange(len(data))] ^= rng.randint(1, 255)
        path.write_bytes(changed)
        with pytest.raises(Error, match="gold"):
            model.gold(path, pairs)
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(Error, match="gold"):
        model.gold(path, pairs)


# One forest of two nodes and an edge, with valid checksums: (what, nodes, offsets, edge, head).
NODES = [(0, 0, 0, 0, 0), (0, 1, 1, 0, 1)]
OFFSETS = [0, 0, 1]
EDGE = (0, 0, 0xFFFFFFFF, 0, 1)
HEAD = (0, 1, 1, 1, 2, 1, 0)


def forged(
    nodes: list[tuple[int, ...]] = NODES,
    offsets: list[int] = OFFSETS,
    edge: tuple[int, ...] = EDGE,
    head: tuple[int, ...] = HEAD,
) -> bytes:
    words = b"".join(struct.pack("<hHHHH", *node) for node in nodes)
    words += struct.pack(f"<{len(offsets)}I", *offsets) + struct.pack("<IIIHH", *edge)
    return forge.container(
        "gold forests",
        {
            "forests": (words, 4),
            "heads": (struct.pack("<iiiIIIQ", *head), 32),
            "rules": (struct.pack("<I", 2), 4),
        },
    )


def test_a_forged_file_that_is_sound_opens(tmp_path: Path) -> None:
    model = table_model([(("a",), ("x",)), (("b",), ("y",))], tmp_path)
    (tmp_path / "gold").write_bytes(forged())
    gold = GoldForests.open(tmp_path / "gold", model)  # type: ignore[arg-type]
    assert gold.forest(0).number_of_derivations == 1
    assert np.array_equal(gold[0].first_tail, [0])


@pytest.mark.parametrize(
    "bad",
    [
        {"edge": (2, 0, 0xFFFFFFFF, 0, 1)},  # a rule index out of range
        {"edge": (0, 1, 0xFFFFFFFF, 0, 1)},  # a tail that is its head
        {"edge": (0, 0, 7, 0, 1)},
        {"edge": (0, 0xFFFFFFFF, 0, 0, 1)},  # a second tail without a first
        {"edge": (0, 0, 0xFFFFFFFF, 0, 2)},  # past the sentence
        {"edge": (0, 0, 0xFFFFFFFF, 1, 0)},
        {"nodes": [NODES[0], (0, 2, 1, 0, 1)]},
        {"nodes": [NODES[0], (0, 1, 1, 1, 0)]},
        {"nodes": [NODES[0], (0, 1, 1, 0, 2)]},
        {"offsets": [0, 0, 2]},
        {"offsets": [1, 0, 1]},
        {"offsets": [0, 2, 1]},
        {"head": (-1, 1, 1, 1, 2, 1, 0)},
        {"head": (0, 70_000, 1, 1, 2, 1, 0)},
        {"head": (0, 1, 1, 2, 2, 1, 0)},
        {"head": (0, 1, 1, 1, 0, 1, 0)},
        {"head": (0, 1, 1, 1, 2, 2, 0)},
        {"head": (0, 1, 1, 1, 0xFFFFFFFF, 0xFFFFFFFF, 0)},
        {"head": (0, 1, 1, 1, 2, 1, 1)},
    ],
)
def test_forged_files_are_refused(bad: dict[str, object], tmp_path: Path) -> None:
    model = table_model([(("a",), ("x",)), (("b",), ("y",))], tmp_path)
    (tmp_path / "gold").write_bytes(forged(**bad))  # type: ignore[arg-type]
    with pytest.raises(FormatError, match="gold"):
        GoldForests.open(tmp_path / "gold", model)  # type: ignore[arg-type]


def test_forests_of_another_model_are_refused(tmp_path: Path) -> None:
    model = table_model([(("a",), ("x",))], tmp_path)
    (tmp_path / "gold").write_bytes(forged())
    with pytest.raises(ModelError, match="2 rules"):
        GoldForests.open(tmp_path / "gold", model)  # type: ignore[arg-type]
