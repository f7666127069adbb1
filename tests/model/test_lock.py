"""Locks: one writer at a time, and locks of dead processes are taken over."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from demotic.errors import Error
from demotic.lock import LOCK_NAME, locked


def test_second_writer_is_told_who_and_since_when(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(Error) as caught, locked(tmp_path):
        pass
    assert f"process {os.getpid()} on host {socket.gethostname()}" in str(caught.value)
    assert "since 20" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_other_processes_are_refused(tmp_path: Path) -> None:
    code = f"from demotic.lock import locked\nwith locked({str(tmp_path)!r}): pass"
    with locked(tmp_path):
        blocked = run_python(code)
    assert "one writer at a time" in blocked.stderr
    assert run_python(code).returncode == 0


def test_lock_of_a_dead_process_is_taken_over(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    lock = tmp_path / LOCK_NAME
    lock.write_text(f"{socket.gethostname()}\n{dead.pid}\n2020-01-01 00:00:00\n")
    with locked(tmp_path):
        assert str(os.getpid()) in lock.read_text()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["elsewhere\n1\n2020-01-01 00:00:00\n", "garbage\n"])
def test_locks_of_others_stay(text: str, tmp_path: Path) -> None:
    (tmp_path / LOCK_NAME).write_text(text)
    with pytest.raises(Error, match=r"remove \.demotic-lock"), locked(tmp_path):
        pass
    assert (tmp_path / LOCK_NAME).read_text() == text


def test_lock_is_released_after_a_failure(tmp_path: Path) -> None:
    with pytest.raises(KeyError), locked(tmp_path):
        raise KeyError
    assert list(tmp_path.iterdir()) == []


def test_folders_that_were_made_for_a_failure_are_removed(tmp_path: Path) -> None:
    with pytest.raises(KeyError), locked(tmp_path / "new" / "deep"):
        raise KeyError
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ZeroDivisionError), locked(tmp_path / "kept" / "deep"):
        print((tmp_path / "kept" / "file").write_text("") / 0)
    assert [entry.name for entry in (tmp_path / "kept").iterdir()] == ["file"]


def test_a_file_is_not_a_directory_to_lock(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    with pytest.raises(Error) as caught, locked(tmp_path / "file"):
        pass
    assert str(caught.value) == f"{tmp_path / 'file'}: a file; expected a directory or a new name"
    assert (tmp_path / "file").read_text() == "text"
