"""Results of measurements: nothing is lost by a kill, and all of it is read back."""

from __future__ import annotations

from pathlib import Path

from benchmarks.results import Results


def test_results_are_kept_and_read_back(tmp_path: Path) -> None:
    results = Results(tmp_path)
    assert results.records == []
    for key in ("a", "b"):
        results.keep({"key": key}, ["one line", f"line of {key}"])
    assert [record["key"] for record in results.records] == ["a", "b"]
    assert results.output("b") == ["one line", "line of b"]
    names = {path.name for path in results.folder.rglob("*.*")}
    assert names == {"a.txt", "b.txt", "results.jsonl"}
