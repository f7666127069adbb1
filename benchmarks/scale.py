"""Growth of time and memory with the size of generated text: alignment and language models.

Each row is one run of the program with one thread. The exponents say how CPU time grows with the
size of the text; 1 is linear.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.generated import LENGTH, Generator, write_pairs
from benchmarks.program import run_program

TRAINING = (25_000, 50_000, 100_000)  # pairs
STREAM = (50_000, 100_000, 200_000)  # pairs
WORDS = (1_000_000, 2_000_000, 4_000_000)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        aligner = str(home / "aligner")
        _table(
            "training an HMM aligner, pairs",
            TRAINING,
            lambda size: _write_pairs(home / "text", size),
            lambda text: ("align", text, "--train-only", "--save", aligner, "--force"),
        )
        _table(
            "aligning with it, pairs",
            STREAM,
            lambda size: _write_pairs(home / "text", size, seed=2),
            lambda text: ("align", "--load", aligner, text),
        )
        out = str(home / "model.arpa")
        for memory in ((), ("--memory", "64M")):
            _table(
                f"language model of order 4 {' '.join(memory) or 'in memory'}, words",
                WORDS,
                lambda size: _write_words(home / "text", size),
                lambda text, m=memory: ("lm", text, "-o", out, "--force", *m),  # type: ignore[misc]
            )


def _table(
    title: str,
    sizes: tuple[int, ...],
    write: Callable[[int], Path],
    command: Callable[[str], tuple[str, ...]],
) -> None:
    print(f"{title:>52} {'CPU s':>8} {'per CPU s':>10} {'peak MB':>8}")
    points = []
    for size in sizes:
        cpu, peak = run_program(*command(str(write(size))))
        points.append((math.log(size), math.log(cpu)))
        print(f"{size:>52,} {cpu:>8.1f} {size / cpu:>10,.0f} {peak:>8,.0f}", flush=True)
    logs = np.array(points)
    slope = float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])
    print(f"{'CPU time grows as size^':>52}{slope:.2f}\n")


def _write_pairs(path: Path, size: int, seed: int = 1) -> Path:
    with open(path, "w", encoding="utf-8") as file:
        write_pairs(file, size, seed)
    return path


def _write_words(path: Path, size: int) -> Path:
    with open(path, "w", encoding="utf-8") as file:
        for source, _ in Generator().pairs(size // LENGTH):
            file.write(source + "\n")
    return path
