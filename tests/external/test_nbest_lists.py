"""N-best lists that Moses, cdec and Joshua wrote are read; ours look like Moses'."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from demotic.search.nbest import NbestEntry, read_nbest
from tests.external.where import models

pytestmark = pytest.mark.external

RESULT = re.compile(r"TRANSLATION_(\d+)_NBEST_\d+=(.*)")


@pytest.mark.parametrize(
    "name", ["phrase.nbest-with-alignment", "phrase.early-distortion-cost.kenlm"]
)
def test_moses(tmp_path: Path, name: str) -> None:
    results = models() / "moses" / "tests" / name / "truth" / "results.txt"
    found = RESULT.findall(results.read_text(encoding="utf-8"))
    lines = [f"{number} ||| {rest}" for number, rest in found]
    (tmp_path / "list").write_text("\n".join(lines) + "\n", encoding="utf-8")
    entries = [*read_nbest(tmp_path / "list")]
    assert len(entries) == len(lines) > 4
    for line, entry in zip(lines, entries, strict=True):
        assert len(entry.features["PhraseDictionaryMemory0"]) == 5
        assert entry.features["WordPenalty0"] == (-len(entry.text.split()),)
        assert entry.segments is not None
        places = [i for segment in entry.segments for i in range(*segment.target)]
        assert places == [*range(len(entry.text.split()))]
        written = str(NbestEntry(**vars(entry))).split(" ||| ")
        assert [field.strip() for field in line.split("|||")] == [w.strip() for w in written]


@pytest.mark.parametrize(
    ("path", "feature"),
    [
        ("cdec/lattice/gold.stdout", "WordPenalty"),
        ("joshua/lattice-short/output.expected", "lm_0"),
    ],
)
def test_cdec_and_joshua(path: str, feature: str) -> None:
    entries = [*read_nbest(models() / path)]
    assert len(entries) > 5
    assert all(len(entry.features[feature]) == 1 for entry in entries)
    best: dict[int, float] = {}
    for entry in entries:
        assert entry.score <= best.setdefault(entry.sentence, entry.score)
