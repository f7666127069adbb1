"""Adapters for OpusFilter and sil-machine: with the real packages where they are installed, else
with stand-ins that have the interface their documentation describes."""

from __future__ import annotations

import importlib
import sys
import types
from abc import ABC, abstractmethod
from importlib.util import find_spec
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demotic.align import Aligner
from tests.align.texts import invented, parallel

# The directions of scores that OpusFilter 3.3.1 knows.
DIRECTIONS = {
    "CLEAN_LOW": "clean_low",
    "CLEAN_HIGH": "clean_high",
    "CLEAN_BETWEEN": "clean_between",
    "CLEAN_TRUE": "clean_true",
    "CLEAN_FALSE": "clean_false",
}


def stand_in(name: str, **members: Any) -> types.ModuleType:
    module = types.ModuleType(name)
    vars(module).update(members)
    return module


class FilterABC(ABC):
    """What a filter of OpusFilter inherits."""

    def __init__(self, name: str | None = None, workdir: str = "", **kwargs: Any) -> None:
        assert not kwargs
        self.name, self.workdir = name, workdir

    @abstractmethod
    def score(self, pairs: Any) -> Any: ...

    @abstractmethod
    def accept(self, score: Any) -> Any: ...

    @property
    @abstractmethod
    def score_direction(self) -> Any: ...

    accept_threshold: Any = None
    reject_threshold: Any = None

    def decisions(self, pairs: Any) -> Any:
        return map(self.accept, self.score(pairs))


class WordAligner:
    """What an aligner of sil-machine inherits."""


class WordAlignmentMatrix:
    def __init__(self, matrix: Any) -> None:
        self._matrix = matrix

    @classmethod
    def from_word_pairs(cls, rows: int, columns: int, pairs: Any) -> WordAlignmentMatrix:
        matrix = np.full((rows, columns), False)
        for i, j in pairs:
            matrix[i, j] = True
        return cls(matrix)

    def __getitem__(self, key: tuple[int, int]) -> bool:
        return bool(self._matrix[key])

    @property
    def row_count(self) -> int:
        return int(self._matrix.shape[0])

    @property
    def column_count(self) -> int:
        return int(self._matrix.shape[1])


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if find_spec("opusfilter") is None:
        module = stand_in("opusfilter", FilterABC=FilterABC, **DIRECTIONS)
        monkeypatch.setitem(sys.modules, "opusfilter", module)
    if find_spec("machine") is None:
        translation = stand_in(
            "machine.translation", WordAligner=WordAligner, WordAlignmentMatrix=WordAlignmentMatrix
        )
        monkeypatch.setitem(sys.modules, "machine", stand_in("machine", translation=translation))
        monkeypatch.setitem(sys.modules, "machine.translation", translation)
    Aligner().fit(invented(300)).save(tmp_path / "aligner")
    return tmp_path


def test_opus_filter(saved: Path) -> None:
    module = importlib.import_module("demotic.align.opus_filter")
    made = module.AlignmentFilter(
        aligner="aligner", workdir=str(saved), src_threshold=-5, tgt_threshold=-5
    )
    pairs = [("s1 s2 s3", "t1 t2 t3"), ("s1 s2 s3", "t41 t42 t57"), ("s1", ""), ("s4", "t4\nt4")]
    pairs += [("s5 s6", "t5 t6")] * 2500
    scores = list(made.score(iter(pairs)))
    assert len(scores) == len(pairs)
    aligner = Aligner.load(saved / "aligner")
    corpus = parallel(pairs[:1])
    sides = (aligner._in_own_words(side).sentences for side in (corpus.source, corpus.target))
    log_likelihoods = aligner.native_.posteriors(*sides, 0)[2:]
    assert scores[0] == pytest.approx([one / 3 for one in log_likelihoods], abs=1e-4)
    assert scores[2] == [-float("inf")] * 2
    assert list(made.decisions(pairs))[:3] == [True, False, False]
    assert all(score == scores[-1] for score in scores[4:])


def test_directions_of_the_opus_filter(saved: Path) -> None:
    """OpusFilter's search for thresholds reads them from the class."""
    opusfilter = importlib.import_module("opusfilter")
    assert {name: getattr(opusfilter, name) for name in DIRECTIONS} == DIRECTIONS
    filter_class = importlib.import_module("demotic.align.opus_filter").AlignmentFilter
    assert filter_class.score_direction == "clean_high"
    limits = filter_class.accept_threshold, filter_class.reject_threshold
    assert limits == (-float("inf"), 0.0)
    pairs = [("s1 s2 s3", "t1 t2 t3"), ("s1", "t41"), ("s1", ""), ("", "")]
    for limit, accepted in zip(limits, (True, False), strict=True):
        made = filter_class(
            aligner="aligner", workdir=str(saved), src_threshold=limit, tgt_threshold=limit
        )
        assert list(made.decisions(pairs)) == [accepted] * len(pairs)


def test_machine_aligner(saved: Path) -> None:
    module = importlib.import_module("demotic.align.machine_aligner")
    made = module.DemoticWordAligner(saved / "aligner")
    corpus = invented(40, seed=9)
    wanted = Aligner.load(saved / "aligner").align(corpus)
    segments = [(corpus.source[k], corpus.target[k]) for k in range(len(corpus))]
    found = made.align_batch(segments)
    for k, (source, target) in enumerate(segments):
        assert (found[k].row_count, found[k].column_count) == (len(source), len(target))
        links = [(i, j) for i in range(len(source)) for j in range(len(target)) if found[k][i, j]]
        assert links == wanted[k]
    alone = made.align(*segments[0])
    assert [alone[link] for link in wanted[0]] == [True] * len(wanted[0])
    assert made.align_batch([]) == []
    with pytest.raises(ValueError, match="tokens without spaces"):
        made.align(["a b"], ["c"])


def test_a_run_of_the_real_opus_filter(tmp_path: Path) -> None:
    opusfilter = pytest.importorskip("opusfilter.opusfilter", reason="needs OpusFilter")
    Aligner().fit(invented(300)).save(tmp_path / "aligner")
    corpus = invented(40, seed=9)
    good = [(" ".join(corpus.source[k]), " ".join(corpus.target[k])) for k in range(40)]
    bad = [(good[k][0], good[(k + 7) % 40][1]) for k in range(40)]
    for side, name in enumerate(("all.s", "all.t")):
        (tmp_path / name).write_text("".join(pair[side] + "\n" for pair in good + bad))
    flags = {"aligner": "aligner", "src_threshold": -3, "tgt_threshold": -3}
    step = {
        "type": "filter",
        "parameters": {
            "inputs": ["all.s", "all.t"],
            "outputs": ["good.s", "good.t"],
            "filters": [{"AlignmentFilter": flags, "module": "demotic.align.opus_filter"}],
        },
    }
    common = {"output_directory": str(tmp_path)}
    opusfilter.OpusFilter({"common": common, "steps": [step]}).execute_steps()
    kept = [(tmp_path / name).read_text().splitlines() for name in ("good.s", "good.t")]
    made = importlib.import_module("demotic.align.opus_filter").AlignmentFilter(
        workdir=str(tmp_path), **flags
    )
    decisions = list(made.decisions(good + bad))
    assert sum(decisions[:40]) > 30
    assert sum(decisions[40:]) < 10
    assert list(zip(*kept, strict=True)) == list(compress(good + bad, decisions))
