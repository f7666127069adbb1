"""Growth of `demotic build` with the size of generated text: CPU time per step, memory, disk.

Each size is built in a process of its own with one thread; the exponents say how CPU time grows
with the number of pairs.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.generated import Generator

PAIRS = (80_000, 160_000, 320_000)

_SCRIPT = """
import json, resource, sys, time
from demotic.cli.main import run
from demotic.steps import Steps
plain, seconds, peaks = Steps.run, {}, {}
def timed(self, name, *arguments, **options):
    begin = time.process_time()
    key = plain(self, name, *arguments, **options)
    seconds[name] = time.process_time() - begin
    peaks[name] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return key
Steps.run = timed
code = run(["build", *sys.argv[1:], "--threads", "1", "--quiet"])
print(json.dumps({"seconds": seconds, "peaks": peaks}))
sys.exit(code)
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        rows = {size: _build(Path(folder), size) for size in PAIRS}
    steps = list(rows[PAIRS[0]][0])
    print(f"{'CPU s':>24}" + "".join(f"{size:>12,}" for size in PAIRS) + f"{'exponent':>10}")
    for step in (*steps, "all"):
        cpu = [
            sum(rows[size][0].values()) if step == "all" else rows[size][0][step] for size in PAIRS
        ]
        slope = float(np.polyfit([math.log(size) for size in PAIRS], np.log(cpu), 1)[0])
        print(f"{step:>24}" + "".join(f"{one:>12.1f}" for one in cpu) + f"{slope:>10.2f}")
    for title, column in (("peak so far, MB", 1), ("output, MB", 2)):
        print(title)
        for step in steps:
            values = "".join(f"{rows[size][column].get(step, 0):>12,.1f}" for size in PAIRS)
            print(f"{step:>24}{values}")


def _build(home: Path, size: int) -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    """CPU seconds, peak memory and output of each step."""
    source, target = write_text(home, size)
    model = home / f"{size}.model"
    sides = ["--src", str(source), "--tgt", str(target), "-o", str(model)]
    chosen = ["--preset", "fast", "--kind", "phrase"]
    command = [sys.executable, "-c", _SCRIPT, *sides, *chosen]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found = json.loads(done.stdout.splitlines()[-1])
    return found["seconds"], found["peaks"], _outputs(model)


def write_text(home: Path, size: int) -> list[Path]:
    """Generated source and target text of so many pairs."""
    text = [home / f"{size}.{side}" for side in ("s", "t")]
    with open(text[0], "w") as source, open(text[1], "w") as target:
        for one, other in Generator().pairs(size):
            source.write(one + "\n")
            target.write(other + "\n")
    return text


def _outputs(model: Path) -> dict[str, float]:
    from demotic.status import status_of

    return {Path(part.name).name: part.bytes / 1e6 for part in status_of(model).steps}
