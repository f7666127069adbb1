"""The first hour of a new user: the wheel in a fresh environment, then the README's commands."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.e2e.test_readme import write_talks
from tests.e2e.walk import README, Walk
from tests.external.where import data

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    """`demotic` as pip installs it from the wheel, with only the base dependencies."""
    home = tmp_path_factory.mktemp("fresh")
    wheel = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(home)]
    subprocess.run([*wheel, "--no-build-isolation", str(README.parent)], check=True)
    subprocess.run([sys.executable, "-m", "venv", str(home / "venv")], check=True)
    (built,) = home.glob("demotic-*.whl")
    assert built.stat().st_size < 6_000_000
    names = ZipFile(built).namelist()
    assert not _sources() - set(names)
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"demotic"}
    pip = [str(home / "venv" / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, str(built)], check=True)
    return str(home / "venv" / "bin" / "demotic")


def _sources() -> set[str]:
    """Everything that the package has, the bundled corpus and the experiments included."""
    home = README.parent / "src"
    files = (
        path for path in home.rglob("*") if path.is_file() and path.suffix not in (".pyc", ".so")
    )
    return {path.relative_to(home).as_posix() for path in files}


def test_bundled_corpus(program: str, tmp_path: Path) -> None:
    write_talks(tmp_path, train=4000, held_out=200)
    printed = Walk(tmp_path, program).run()
    assert _bleu(printed) > 40


TASKS = {
    "zh-en-tatoeba": ("zh", "他把书放在桌子上。", 25.5),
    "de-en-multi30k": ("de", "Ein Mann liest ein Buch im Park.", 39.8),
}


@pytest.mark.external
@pytest.mark.parametrize("task", TASKS)
def test_real_text(task: str, program: str, tmp_path: Path) -> None:
    language, sentence, expected = TASKS[task]
    raw = data() / task / "raw"
    for name, part in {"talks": "train", "dev": "dev", "test": "test", "new": "test"}.items():
        for side in (language, "en"):
            if (name, side) != ("new", "en"):
                text = gzip.decompress((raw / f"{part}.{side}.gz").read_bytes())
                (tmp_path / f"{name}.{side}").write_bytes(text)
    printed = Walk(tmp_path, program, language, sentence).run()
    assert _bleu(printed) >= expected


def _bleu(printed: dict[str, str]) -> float:
    """The scores of the final model, as printed by the last command, `evaluate`."""
    (text,) = (text for command, text in printed.items() if "demotic evaluate" in command)
    found = re.search(r"^ +test\.out\.en +(\d+\.\d+)", text, re.MULTILINE)
    assert found, text
    return float(found[1])
