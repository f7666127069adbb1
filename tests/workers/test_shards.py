"""Parts of a text, and files of their results."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.errors import Error, FormatError, InputError
from demotic.workers.shards import Shard, ShardFile, in_order


@given(st.integers(1, 70), st.integers(0, 1000))
def test_shards_cover_everything_once(of: int, size: int) -> None:
    parts = [Shard(number, of).part(size) for number in range(1, of + 1)]
    assert [i for part in parts for i in part] == list(range(size))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize(
    "text", ["", "3", "0/4", "5/4", "1/0", "-1/4", "a/b", "1/2/3", "1/9999999"][:]
)
def test_other_texts_are_no_shards(text: str) -> None:
    with pytest.raises(InputError, match=r"expected K/N with K from 1 to N, as in 3/64"):
        Shard.parse(text)
    assert str(Shard.parse("3/64")) == "3/64"


def _files(folder: Path, of: int, key: str = "k") -> list[Path]:
    paths = []
    for number in range(1, of + 1):
        paths.append(folder / f"{key}-{number}")
        text = f"part {number}".encode()
        ShardFile("v", key, Shard(number, of), {"a": [number]}, {"out": text}).write(paths[-1])
    return paths


def test_files_are_put_in_order(tmp_path: Path) -> None:
    paths = _files(tmp_path, 3)
    assert in_order([paths[2], paths[0], paths[1], paths[0]]) == paths
    one = ShardFile.read(paths[1])
    assert (one.about, one.parts) == ({"a": [2]}, {"out": b"part 2"})


def test_files_that_are_not_all_of_one_whole_are_refused(tmp_path: Path) -> None:
    paths, others = _files(tmp_path, 3), _files(tmp_path, 3, "other")
    with pytest.raises(
        Error, match=r"1 shard of 3 missing: 2; expected the files of all shards .*--shard 2/3"
    ):
        in_order([paths[0], paths[2]])
    with pytest.raises(Error, match="shard 2/3 of another demotic v than"):
        in_order([paths[0], others[1], paths[2]])
    with pytest.raises(InputError, match="no shards"):
        in_order([])
    ShardFile("v", "k", Shard(1, 3), {}, {"out": b"?"}).write(others[0])
    with pytest.raises(Error, match="another result of shard 1/3"):
        in_order([*paths, others[0]])


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    (path,) = _files(tmp_path, 1)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(FormatError):
        in_order([path])
