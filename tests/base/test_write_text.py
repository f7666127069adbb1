"""Text appears under its name completely or not at all, and messages name the right file."""

from __future__ import annotations

import errno
import gzip
import os
from itertools import count
from pathlib import Path

import pytest

from demotic import IoError
from demotic.lines import read_lines, write_text


def entries(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_plain_and_gz_come_back(tmp_path: Path) -> None:
    for name in ("f.txt", "f.gz", "new/folder/f.txt"):
        with write_text(tmp_path / name) as file:
            file.write("ä\n中\n")
        assert read_lines(tmp_path / name).tolist() == ["ä", "中"]
    assert (tmp_path / "f.txt").read_bytes() == "ä\n中\n".encode()
    assert gzip.decompress((tmp_path / "f.gz").read_bytes()) == "ä\n中\n".encode()
    assert entries(tmp_path) == ["f.gz", "f.txt", "new"]


def test_the_same_text_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.gz", "another.gz"):
        with write_text(tmp_path / name) as file:
            file.write("text\n" * 1000)
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "another.gz").read_bytes()


def test_the_name_appears_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "f.txt"
    path.write_text("old")
    with write_text(path) as file:
        file.write("new")
        file.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert entries(tmp_path) == ["f.txt"]


def fail_half_way(path: Path, failure: type[BaseException]) -> None:
    with write_text(path) as file:
        file.write("half")
        raise failure


@pytest.mark.parametrize("name", ["f.txt", "f.gz"])
def test_a_failure_leaves_nothing_and_keeps_what_was(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with pytest.raises(ZeroDivisionError):
        fail_half_way(path, ZeroDivisionError)
    assert entries(tmp_path) == []
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        fail_half_way(path, KeyboardInterrupt)
    assert path.read_text() == "old"
    assert entries(tmp_path) == [name]


def test_text_that_is_not_unicode_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError), write_text(tmp_path / "f") as file:
        file.write("\udcff")
    assert entries(tmp_path) == []


def refused(path: Path) -> IoError:
    with pytest.raises(IoError) as caught, write_text(path) as file:
        file.write("x")
    assert caught.value.path == str(path)
    assert caught.value.found.startswith("the file cannot be written")
    return caught.value


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert refused(tmp_path / "f").errno == errno.EACCES


def test_places_where_no_file_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder").mkdir()
    assert refused(tmp_path / "file" / "f").errno in (errno.ENOTDIR, errno.EEXIST)
    assert refused(tmp_path / "folder").errno == errno.EISDIR
    assert refused(tmp_path / ("n" * 250)).errno == errno.ENAMETOOLONG
    assert entries(tmp_path) == ["file", "folder"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f"
    monkeypatch.setattr("demotic.lines._temporary_numbers", count(7))
    path.with_name(f"f.partial-{os.getpid()}-7").symlink_to("/dev/full")
    error = refused(path)
    assert error.errno == errno.ENOSPC
    assert entries(tmp_path) == []


def test_two_writers_of_one_file_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "f"
    with write_text(path) as one, write_text(path) as other:
        one.write("one")
        other.write("other, longer")
    assert path.read_text() == "one"  # the outer one is finished last
    assert entries(tmp_path) == ["f"]


def test_other_files_keep_their_own_faults(tmp_path: Path) -> None:
    with pytest.raises(IoError) as caught, write_text(tmp_path / "out"):
        read_lines(tmp_path / "missing")
    assert caught.value.path == str(tmp_path / "missing")
    with pytest.raises(FileNotFoundError) as plain, write_text(tmp_path / "out"):
        (tmp_path / "missing").read_text()
    assert plain.value.filename == str(tmp_path / "missing")
    assert entries(tmp_path) == []
