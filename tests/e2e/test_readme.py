"""The README's Python runs as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from demotic.demo import generate, write

README = Path(__file__).parents[2] / "README.md"


def test_python_of_the_readme(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(generate(3, train=400, dev=2, test=2), tmp_path / "corpus")
    (tmp_path / "talks").mkdir()
    for side in ("zh", "en"):
        (tmp_path / "corpus" / "tok" / f"train.{side}").rename(
            tmp_path / "talks" / f"corpus.{side}"
        )
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)
    assert "ParallelCorpus(400 pairs" in capsys.readouterr().out
    assert names["model"] is not None
