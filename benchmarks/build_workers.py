"""What `demotic build --workers local:2` costs: CPU s of the driver and of its workers per step.

Generated text; the same build with one thread for comparison, whose files must be the same.  What
the driver does limits how much more machines can help.  Linux only.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.build_growth import write_text

PAIRS = 80_000

_SCRIPT = """
import glob, json, os, sys, time
from demotic.cli.main import run
from demotic.steps import Steps

def workers():
    total = 0
    for path in glob.glob(f"/proc/{os.getpid()}/task/*/children"):
        for child in open(path).read().split():
            values = open(f"/proc/{child}/stat").read().rpartition(")")[2].split()
            total += int(values[11]) + int(values[12])
    return total / os.sysconf("SC_CLK_TCK")

plain, seconds = Steps.run, {}
def timed(self, name, *arguments, **options):
    begin = time.process_time(), workers()
    key = plain(self, name, *arguments, **options)
    seconds[name] = time.process_time() - begin[0], workers() - begin[1]
    return key
Steps.run = timed
code = run(["build", *sys.argv[1:], "--threads", "1", "--quiet"])
print(json.dumps(seconds))
sys.exit(code)
"""


def main(pairs: int = PAIRS) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        source, target = write_text(home, pairs)
        text = ["--src", str(source), "--tgt", str(target)]
        chosen = ["--preset", "fast", "--kind", "phrase"]
        one = _build(home / "one", *text, *chosen)
        two = _build(home / "two", *text, *chosen, "--workers", "local:2")
        same = _files(home / "one") == _files(home / "two")
    print(f"{pairs:,} pairs, CPU s{'one process':>16}{'driver':>10}{'workers':>10}")
    for step, (alone, _) in one.items():
        driver, workers = two[step]
        print(f"{step:>20}{alone:>20.1f}{driver:>10.1f}{workers:>10.1f}")
    print("the same files" if same else "DIFFERENT FILES")


def _build(model: Path, *flags: str) -> dict[str, tuple[float, float]]:
    command = [sys.executable, "-c", _SCRIPT, *flags, "-o", str(model)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, tuple[float, float]] = json.loads(done.stdout.splitlines()[-1])
    return found


def _files(model: Path) -> dict[str, bytes]:
    """All but the records of the steps, which hold times."""
    paths = [path for path in model.rglob("*") if path.is_file() and path.suffix != ".json"]
    return {path.relative_to(model).as_posix(): path.read_bytes() for path in paths}


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
