"""Existing files are not overwritten, and a failure leaves everything unchanged."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from demotic.errors import Error, IoError
from demotic.lines import write_text
from demotic.model.output import new_model
from demotic.outputs import fresh_folders, new_directory, refuse_file


def tree(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text() if path.is_file() else ""
        for path in sorted(folder.rglob("*"))
    }


def fail_after(context: AbstractContextManager[object], *files: Path) -> None:
    """Writes files and fails."""
    with context:
        for file in files:
            file.parent.mkdir(exist_ok=True)
            file.write_text("half")
        raise KeyError


def test_a_file_that_exists_is_refused_with_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "en.lm"
    refuse_file(path)
    path.write_text("old")
    with pytest.raises(Error) as caught:
        refuse_file(path)
    assert str(caught.value) == (
        f"{path}: the file exists already; expected a new file "
        "(give --force to replace it, or choose another name)"
    )
    refuse_file(path, force=True)
    with pytest.raises(Error, match="a directory; expected the name of a file"):
        refuse_file(tmp_path, force=True)


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="no /dev/null here")
def test_devices_are_there_to_be_written_to() -> None:
    refuse_file("/dev/null")


def test_folders_of_a_failure_go_and_others_stay(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    for name in ("new/deep/er", "there/new", "there"):
        with pytest.raises(KeyError), fresh_folders(tmp_path / name):
            raise KeyError
    assert tree(tmp_path) == {"there": ""}
    with fresh_folders(tmp_path / "there" / "stays"):
        pass
    assert tree(tmp_path) == {"there": "", "there/stays": ""}


def test_a_text_that_fails_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(KeyError), write_text(tmp_path / "new" / "deep" / "file"):
        raise KeyError
    assert tree(tmp_path) == {}


def test_a_folder_under_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(IoError, match="Not a directory"), write_text(tmp_path / "file" / "text"):
        pass
    with pytest.raises(IoError, match="Not a directory"), fresh_folders(tmp_path / "file" / "x"):
        pass


def test_a_directory_with_contents_is_refused(tmp_path: Path) -> None:
    home = tmp_path / "out"
    with pytest.raises(KeyError):
        fail_after(new_directory(home), home / "half" / "file")
    assert tree(tmp_path) == {}
    with new_directory(home):
        (home / "file").write_text("one")
    with (
        pytest.raises(Error, match=r"is not empty.*--force"),
        new_directory(home),
    ):
        pass
    with pytest.raises(KeyError):
        fail_after(new_directory(home, force=True), home / "more")
    assert tree(home) == {"file": "one"}


MODEL = '[parts]\nrules = "rules.bin"\nclasses = ["classes/a.bin"]\nsparse = "../outside"\n'


@pytest.fixture
def model(tmp_path: Path) -> Path:
    home = tmp_path / "model"
    (home / "classes").mkdir(parents=True)
    (home / "work").mkdir()
    texts = {"model.toml": MODEL, "rules.bin": "old", "classes/a.bin": "a", "notes": "mine"}
    for name, text in texts.items():
        (home / name).write_text(text)
    (tmp_path / "outside").write_text("not ours")
    return home


def test_a_model_is_refused(model: Path) -> None:
    with pytest.raises(Error, match="a model exists already"), new_model(model):
        pass


def test_a_replaced_model_comes_back_after_a_failure(model: Path, tmp_path: Path) -> None:
    before = tree(tmp_path)
    with pytest.raises(KeyError):
        fail_after(new_model(model, force=True), model / "rules.bin", model / "vocabulary.bin")
    assert tree(tmp_path) == before


def test_a_replaced_model_goes_and_other_files_stay(model: Path, tmp_path: Path) -> None:
    with new_model(model, force=True):
        (model / "rules.bin").write_text("new")
    assert tree(model) == {"notes": "mine", "rules.bin": "new"}
    assert (tmp_path / "outside").read_text() == "not ours"


def test_files_of_a_failed_model_go(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        fail_after(new_model(tmp_path / "new"), tmp_path / "new" / "rules.bin")
    assert tree(tmp_path) == {}
