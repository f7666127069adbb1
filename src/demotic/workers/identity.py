"""What has to be the same on all machines for the same results: the program and the processor.

Vector loops of the core give the same bits on every processor, but the mathematical functions of
the operating system may not, so samples of their results are compared too.
"""

from __future__ import annotations

import hashlib
import math
import platform
import re
from functools import lru_cache
from pathlib import Path

from demotic import __version__, _core
from demotic.errors import Error

__all__ = ["identity", "refuse_other"]

# Instructions by which mathematical libraries choose among implementations.
_FEATURES = ("sse4_2", "avx", "avx2", "fma", "avx512f", "asimd", "sve")


@lru_cache
def identity() -> dict[str, str]:
    """Of this process, by what it is about."""
    return {
        "version": __version__,
        "program": _program(),
        "processor": " ".join([platform.machine(), *_features()]),
        "functions": _functions(),
    }


def refuse_other(worker: str, theirs: dict[str, str]) -> None:
    """Raises Error unless a worker that joins has the same identity as this process."""
    ours = identity()
    other = [name for name in ours if theirs.get(name) != ours[name]]
    if other:
        found = ", ".join(f"{name} {theirs.get(name)}" for name in other)
        raise Error(
            f"worker {worker} has another {found}",
            expected=", ".join(f"{name} {ours[name]}" for name in other),
            advice="install the same wheel everywhere and use machines of one kind: results would "
            "depend on which worker computes them",
        )


def _program() -> str:
    """The digest of the installed package: its Python files and the native module."""
    home = Path(__file__).parents[1]
    digest = hashlib.blake2b(digest_size=16)
    for path in [*sorted(home.rglob("*.py")), Path(_core.__file__)]:
        inside = path.is_relative_to(home)
        digest.update((path.relative_to(home).as_posix() if inside else path.name).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _features() -> list[str]:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:  # not Linux
        return []
    found = re.search(r"^(?:flags|Features)\s*:(.*)$", text, re.MULTILINE)
    known = set(found[1].split()) if found else set()
    return [name for name in _FEATURES if name in known]


def _functions() -> str:
    digest = hashlib.blake2b(digest_size=8)
    for i in range(1, 4096):
        values = math.exp(-i / 97), math.log(i / 89), math.pow(i / 83, 0.37), math.log1p(1 / i)
        digest.update("".join(map(float.hex, values)).encode())
    return digest.hexdigest()
