"""Tables of sparse weights are loaded as fast as they are filled."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from demotic import _core

COUNT = 120_000


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def test_loading_is_not_quadratic(tmp_path: Path) -> None:
    """A file has its keys in the order of their hashes, the worst one for a growing table."""
    keys = np.arange(COUNT, dtype=np.uint64) * np.uint64(2**40 + 15)
    table = _core.SparseTable(7)
    filling = _seconds(lambda: table.add(keys, keys.astype(np.float32), 3))
    path = str(tmp_path / "table")
    table.save(path)
    loaded: list[_core.SparseTable] = []
    loading = _seconds(lambda: loaded.append(_core.SparseTable.load(path)))
    assert loading < 10 * filling + 0.1
    assert len(loaded[0]) == COUNT
    loaded[0].save(str(tmp_path / "again"))
    assert (tmp_path / "again").read_bytes() == (tmp_path / "table").read_bytes()


def test_small_tables_are_loaded(tmp_path: Path) -> None:
    for count in range(9):
        table = _core.SparseTable(7)
        keys = np.arange(count, dtype=np.uint64) * np.uint64(1 << 40)
        table.add(keys, np.ones(count, np.float32), 0)
        table.save(str(tmp_path / "table"))
        loaded = _core.SparseTable.load(str(tmp_path / "table"))
        assert [loaded.weight(int(key)) for key in keys] == [1.0] * count
