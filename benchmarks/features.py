"""Tables of sparse weights: bytes per feature, and look-up time, at growing sizes.

Keys are like those of templates: a template's index, word ids that follow Zipf's law as far as that
many distinct keys allow, and a class.  Look-ups are sums over lists of 200 keys, as in a search, in
random order.  Bytes are those that the table reports, and the maximum growth of the process while
it is filled; for comparison, a C++ std::unordered_map of keys and two numbers takes about 56, a
Python dict of names about 200.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from benchmarks.pairing import measure
from demotic import _core

Keys = NDArray[np.uint64]

_FILL = """
import re, sys
from pathlib import Path
import numpy as np
from demotic import _core
def peak():
    return 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
table, size = _core.SparseTable(0), int(sys.argv[1])
ones, numbers = np.ones(25_000, np.float32), np.arange(25_000, dtype=np.uint64)
numbers * np.uint64(7) + np.uint64(1)
before = peak()
for begin in range(0, size, 25_000):
    table.add((numbers + np.uint64(begin)) * np.uint64(2**40 + 15), ones, begin)
print(peak() - before)
"""

LIST = 200  # keys per sum
LOOKED_UP = 4_000_000
TURNS = 3


def main(sizes: tuple[int, ...] = (1_000_000, 10_000_000, 30_000_000)) -> None:
    print(f"sums over lists of {LIST} random keys, {LOOKED_UP:,} look-ups, medians of {TURNS}")
    header = ("features", "table", "bytes", "growth", "hit ns", "miss ns", "mixed ns", "to make")
    print(("{:>12} {:<7}" + " {:>8}" * 6).format(*header))
    hits: dict[str, list[float]] = {}
    with TemporaryDirectory() as folder:
        for size in sizes:
            for name, hit in _measured(size, Path(folder) / "weights.bin"):
                hits.setdefault(name, []).append(hit)
    for name, times in hits.items():
        print(f"{name}: a hit at {sizes[-1]:,} / at {sizes[0]:,}: {times[-1] / times[0]:.2f}")


def _measured(size: int, path: Path) -> list[tuple[str, float]]:
    keys = _keys(size)
    rng = np.random.default_rng(1)
    inside = rng.choice(keys, LOOKED_UP)
    outside = inside ^ np.uint64(1 << 59)  # the same words with templates that do not exist
    mixed = np.where(rng.random(LOOKED_UP) < 0.3, inside, outside)
    table = _core.SparseTable(0)
    filled = measure(lambda: _fill(table, keys)).cpu
    stored_in = measure(lambda: _core.store_table(str(path), table, 0)).cpu
    stored = _core.StoredSparseWeights.open(str(path), True)
    rows: tuple[tuple[str, _core.SparseWeights, int, int, float], ...] = (
        ("train", table, table.size_bytes, _growth(size), filled),
        ("stored", stored, stored.size_bytes, path.stat().st_size, stored_in),
    )
    found = []
    for name, weights, size_bytes, growth, seconds in rows:
        hit, miss, both = (_nanoseconds(weights.sum, k) for k in (inside, outside, mixed))
        print(
            f"{size:>12,} {name:<7} {size_bytes / size:>8.2f} {growth / size:>8.2f} {hit:>8.1f} "
            f"{miss:>8.1f} {both:>8.1f} {seconds / size * 1e9:>6.0f}ns",
            flush=True,
        )
        found.append((name, hit))
    return found


def _fill(table: _core.SparseTable, keys: Keys) -> None:
    deltas = np.ones(24_000, np.float32)
    for begin in range(0, len(keys), len(deltas)):
        part = keys[begin : begin + len(deltas)]
        table.add(part, deltas[: len(part)], begin)


def _keys(size: int) -> Keys:
    """Distinct keys in random order; the index of the template is in the highest five bits."""
    rng = np.random.default_rng(0)
    found = np.zeros(0, np.uint64)
    while len(found) < size:
        words = [(60_000 ** rng.random(size)).astype(np.uint64) for _ in range(2)]
        spread = rng.integers(0, 200, size, np.uint64)
        template = rng.integers(0, 16, size, np.uint64) << np.uint64(60)
        drawn = template | words[0] << np.uint64(26) | words[1] << np.uint64(9) | spread
        found = np.unique(np.concatenate((found, drawn)))
    return rng.permutation(found)[:size].copy()


def _nanoseconds(total: Callable[[Keys], float], keys: Keys) -> float:
    lists = keys.reshape(-1, LIST)

    def work() -> None:
        for one in lists:
            total(one)

    work()
    return median(measure(work).cpu for _ in range(TURNS)) / keys.size * 1e9


def _growth(size: int) -> int:
    """The maximum growth of a process in bytes while it fills a table with this many features.

    0 where the system does not report it.
    """
    if not Path("/proc/self/status").exists():
        return 0
    done = subprocess.run(
        [sys.executable, "-c", _FILL, str(size)], capture_output=True, check=True, text=True
    )
    return int(done.stdout)
