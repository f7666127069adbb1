"""Runs the program in a process of its own: CPU seconds and peak memory."""

from __future__ import annotations

import subprocess
import sys

__all__ = ["run_program"]

_SCRIPT = """
import resource, sys
from demotic.cli.main import run
code = run(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, file=sys.stderr)
sys.exit(code)
"""


def run_program(*arguments: str) -> tuple[float, float]:
    """CPU seconds, and peak memory in MB."""
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, *arguments, "--quiet", "--threads", "1"],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    cpu, peak = done.stderr.split()[-2:]
    return float(cpu), float(peak)
