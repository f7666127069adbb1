"""A large file is verified once, and again after any change."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from demotic import verified
from demotic.verified import remember, should_verify


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    monkeypatch.setenv("LOCALAPPDATA", str(folder))
    monkeypatch.setattr(verified, "ALWAYS_BELOW", 100)
    return folder


@pytest.fixture
def big(tmp_path: Path) -> Path:
    path = tmp_path / "big"
    path.write_bytes(bytes(100))
    return path


def test_a_big_file_is_verified_once(big: Path, cache: Path) -> None:
    assert should_verify(big)
    assert should_verify(big)  # not remembered yet
    remember(big)
    assert not should_verify(big)
    assert not should_verify(str(big))
    (marker,) = (cache / "demotic" / "verified").iterdir()
    assert marker.stat().st_size == 0


def test_a_small_file_is_always_verified(tmp_path: Path, cache: Path) -> None:
    small = tmp_path / "small"
    small.write_bytes(bytes(99))
    remember(small)
    assert should_verify(small)
    assert not cache.exists()


def test_the_limit_is_64_megabytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert verified.ALWAYS_BELOW == 4 * 1024 * 1024


def test_a_changed_file_is_verified_again(big: Path, tmp_path: Path) -> None:
    remember(big)
    status = big.stat()
    os.utime(big, ns=(status.st_atime_ns, status.st_mtime_ns + 1000))
    assert should_verify(big)
    remember(big)
    assert not should_verify(big)
    big.write_bytes(bytes(101))
    assert should_verify(big)


def test_another_file_in_its_place_is_verified_again(big: Path, tmp_path: Path) -> None:
    """Even with the same size and times: our writers rename, so the inode differs."""
    remember(big)
    status = big.stat()
    other = tmp_path / "other"
    other.write_bytes(b"x" * 100)
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(big)
    assert big.stat().st_mtime_ns == status.st_mtime_ns
    assert should_verify(big)


def test_a_copy_is_another_file_and_a_link_is_the_same(big: Path, tmp_path: Path) -> None:
    remember(big)
    copy, link = tmp_path / "copy", tmp_path / "link"
    copy.write_bytes(big.read_bytes())
    link.symlink_to(big)
    assert should_verify(copy)
    assert not should_verify(link)


def test_the_caller_can_insist(big: Path) -> None:
    remember(big)
    assert should_verify(big, "always")
    assert not should_verify(big, "auto")
    assert not should_verify(big, "never")
    assert not should_verify("missing", "never")


def test_no_cache_means_verifying_every_time(big: Path, cache: Path) -> None:
    cache.write_text("a file where the folder should be")
    remember(big)
    assert should_verify(big)


def test_a_missing_file_is_left_to_those_who_open_it(tmp_path: Path) -> None:
    remember(tmp_path / "missing")
    assert should_verify(tmp_path / "missing")


def test_without_the_variable_the_cache_is_in_the_home_folder(
    big: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for told in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", told)
        remember(big)
        assert not should_verify(big)
    assert (tmp_path / "home" / ".cache" / "demotic" / "verified").is_dir()


@pytest.mark.long
def test_a_gigabyte_opens_at_once_after_the_first_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchmarks.container import open_as_users_do, write

    monkeypatch.setattr(verified, "ALWAYS_BELOW", 64 << 20)
    path = tmp_path / "gigabyte"
    write(path, 1024)
    assert should_verify(path)
    open_as_users_do(path)
    assert not should_verify(path)
    begin = time.perf_counter()
    container = open_as_users_do(path)
    assert time.perf_counter() - begin < 0.1
    assert container.size_bytes > 1 << 30
