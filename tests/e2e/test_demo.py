"""`demotic demo` from end to end, as a new user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.model import Model


def test_corpus_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["demo", "--corpus-only", "--out", str(tmp_path), "--quiet"]) == 0
    names = capsys.readouterr().out.split()
    assert all(Path(name).exists() for name in names)
    lines = {
        name: (tmp_path / "tok" / name).read_text(encoding="utf-8").splitlines()
        for name in ("train.zh", "train.en", "train.links", "test.zh", "test.zh.trees", "test.en.3")
    }
    sizes = {name: len(text) for name, text in lines.items()}
    assert sizes["train.zh"] == sizes["train.en"] == sizes["train.links"] == 8000
    assert sizes["test.zh"] == sizes["test.zh.trees"] == sizes["test.en.3"] == 300
    assert not set(lines["train.zh"]) & set(lines["test.zh"])


def test_demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["demo", "--out", str(tmp_path), "--quiet", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["check: usable"] == "yes"
    # Gold links are known, so the aligner cannot hide: twice this would be a broken one.
    assert float(figures["align: alignment error rate"]) < 0.25
    assert float(figures["language model: perplexity of the test set"]) < 30
    # Both were above 70 when this was written; a search that is broken is far below.
    for kind in ("phrase", "hiero"):
        assert float(figures[f"translate: {kind}: BLEU of the test set, untuned"]) > 60
        before, after = figures[f"tune: {kind}: BLEU of the dev set"].split(" → ")
        assert float(after) > float(before) + 1
        before, after = figures[f"tune: {kind}: BLEU of the test set"].split(" → ")
        assert float(after) > float(before) - 1
        before, after = figures[f"train: {kind}: BLEU of the test set"].split(" → ")
        assert float(after) > float(before) - 1
        assert Model.load(tmp_path / f"{kind}-tuned").info.origin["tuned_by"] == "mira"
    for kind in ("phrase", "hiero"):
        assert len(Model.load(tmp_path / kind).rules) > 100_000
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Near misses" in page
    assert page.count("<svg") >= 8
