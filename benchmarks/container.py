"""The time to write a large container, to open it for the first time, and to open it again.

python -m benchmarks.container --megabytes 1024
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from demotic._core import Container, ContainerWriter
from demotic.verified import remember, should_verify

__all__ = ["main", "open_as_users_do", "write"]

KIND = "benchmark"
MEGABYTE = 1 << 20


def write(path: Path, megabytes: int) -> None:
    """Writes one section of `megabytes`, filled by repeating a block of random bytes."""
    block = os.urandom(MEGABYTE)
    writer = ContainerWriter(str(path), KIND, 1)
    writer.begin_section("bytes")
    for _ in range(megabytes):
        writer.append(block)
    writer.commit()


def open_as_users_do(path: Path) -> Container:
    """Opens the container, and verifies it if it was not verified before."""
    container = Container(str(path), KIND, 1)
    if should_verify(path):
        container.verify()
        remember(path)
    return container


def _seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def measure(folder: Path, megabytes: int) -> list[tuple[str, float]]:
    """Labels and seconds; the cache of verified files is in `folder` too."""
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    path = folder / "container"
    rows = [("write", _seconds(lambda: write(path, megabytes)))]
    if hasattr(os, "posix_fadvise"):
        with path.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        rows.append(("open first, verify, from disk", _seconds(lambda: open_as_users_do(path))))
    for _ in range(3):
        rows.append(("open again", _seconds(lambda: open_as_users_do(path))))
    rows.append(("verify, from memory", _seconds(Container(str(path), KIND, 1).verify)))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1024)
    arguments, _ = parser.parse_known_args()
    megabytes: int = arguments.megabytes
    with tempfile.TemporaryDirectory() as folder:
        for label, seconds in measure(Path(folder), megabytes):
            # Opening again reads a few hundred bytes, whatever the size.
            speed = "" if label == "open again" else f"{megabytes / seconds:>10.0f} MB/s"
            print(f"{label:<32}{1000 * seconds:>12.2f} ms{speed}")


if __name__ == "__main__":
    main()
