"""Fuzzes one reader, guided by coverage (needs atheris, of the dependency group bench).

    python -m tests.fuzz po --seconds 300

The inputs that it finds stay in `build/fuzz-inputs/po`, and the next run starts from them.  A
finding ends it with a traceback and is saved there as a file; `--save FILE` puts it into
`inputs/po.txt`, so that every run of the tests tries it again.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import atheris

from tests.fuzz.inputs import load, save
from tests.fuzz.targets import TARGETS, WORDS, check

FOLDER = Path(__file__).parents[2] / "build" / "fuzz-inputs"
MEGABYTES = 2048  # of memory
PATIENCE = 10  # seconds per input
LENGTH = 4096  # bytes of an input


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.fuzz")
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where inputs are kept")
    parser.add_argument("--save", type=Path, nargs="+", help="keep these inputs for the tests")
    given = parser.parse_args()
    if given.save:
        save(given.target, [path.read_bytes() for path in given.save])
    else:
        fuzz(given.target, given.seconds, given.folder / given.target)


def fuzz(target: str, seconds: int, folder: Path) -> None:
    """Does not return: the fuzzer ends the process, with 0 if it has found nothing."""
    for seed in TARGETS[target].seeds:
        check(target, seed)  # loads what is imported where it is used
    atheris.instrument_all()
    found = folder / "found"
    found.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate([*TARGETS[target].seeds, *load(target)]):
        (found / f"seed-{number}").write_bytes(seed)
    words = folder / "words.txt"
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in WORDS), encoding="ascii")
    settings = {
        "max_total_time": seconds,
        "timeout": PATIENCE,
        "rss_limit_mb": MEGABYTES,
        "max_len": LENGTH,
        "dict": words,
        "artifact_prefix": f"{folder}/",
        "verbosity": 0,
        "print_final_stats": 1,
    }
    options = [f"-{name}={value}" for name, value in settings.items()]
    atheris.Setup([sys.argv[0], *options, str(found)], lambda data: check(target, data))
    atheris.Fuzz()


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


if __name__ == "__main__":
    main()
