"""Search and MERT of this version of the core against those of another checkout, on the same input.

    python -m benchmarks.versions OTHER LIBRARY phrase MODEL SOURCE 30 100 100=81
    python -m benchmarks.versions OTHER LIBRARY hiero MODEL SOURCE 30 200
    python -m benchmarks.versions OTHER LIBRARY mert POOL 20

100=81 compares limit 100 of the other version with limit 81 of this one, to find equal scores.
OTHER is the other checkout, and LIBRARY the folder of libdemotic_core.a below each of the two.
MODEL is a directory that both can open: a model of `demotic build --preset fast`.  POOL is made
of a generated pool (benchmarks/learners.py) unless it exists.  Both sides run in turns, each in a
process of its own; opening the model is not measured.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.learners import generated_pool

HERE = Path(__file__).parent
FLAGS = ("-std=c++20", "-O3", "-DNDEBUG", "-march=x86-64-v2", "-ffp-contract=off")


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path)
    parser.add_argument("library", type=Path)
    parser.add_argument("job", choices=["phrase", "hiero", "mert"])
    parser.add_argument("input", nargs="+")
    parser.add_argument("--pairs", type=int, default=5)
    options = parser.parse_args()
    files = 1 if options.job == "mert" else 2
    inputs, limits = options.input[:files], options.input[files:]
    if options.job == "mert":
        _write_pool(Path(inputs[0]))
    with tempfile.TemporaryDirectory() as folder:
        sides = [
            _compiled(checkout, options.library, Path(folder) / f"side{i}")
            for i, checkout in enumerate((HERE.parent, options.other))
        ]
        print(f"{'limit':>8} {'CPU s':>8} {'other':>8} {'ratio (min-max)':>18}   scores")
        for limit in limits:
            _compare(sides, [options.job, *inputs], limit, options.pairs)


def _compiled(checkout: Path, library: Path, program: Path) -> Path:
    archive = checkout / library / "libdemotic_core.a"
    source = [str(HERE / "versions.cpp"), str(archive), "-lpthread", "-o", str(program)]
    subprocess.run(["g++", *FLAGS, f"-I{checkout / 'core/include'}", *source], check=True)
    return program


def _compare(sides: list[Path], arguments: list[str], limit: str, pairs: int) -> None:
    other, _, ours = limit.partition("=")
    jobs = list(zip(sides, (ours or other, other), strict=True))
    runs = [[_run(side, [*arguments, one]) for side, one in jobs] for _ in range(pairs)]
    times = [median(run[side][0] for run in runs) for side in (0, 1)]
    ratios = sorted(theirs[0] / mine[0] for mine, theirs in runs)
    print(
        f"{limit:>8} {times[0]:>8.3f} {times[1]:>8.3f}"
        f" {f'{median(ratios):.2f} ({ratios[0]:.2f}-{ratios[-1]:.2f})':>18}"
        f"   {runs[0][0][1]:.4f}, {runs[0][1][1]:.4f}",
        flush=True,
    )


def _run(program: Path, arguments: list[str]) -> tuple[float, float]:
    done = subprocess.run([program, *arguments], check=True, capture_output=True, text=True)
    _, seconds, score = done.stdout.split()
    return float(seconds), float(score)


def _write_pool(folder: Path, lists: int = 1000, length: int = 229) -> None:
    if folder.is_dir():
        return
    folder.mkdir()
    pool = generated_pool(lists, length)
    for name in ("offsets", "dense", "statistics"):
        getattr(pool, name).tofile(folder / name)


if __name__ == "__main__":
    run()
