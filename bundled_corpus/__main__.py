"""Regenerate the corpus that the package ships, or draw another one.

python -m bundled_corpus                                 # writes src/demotic/demo/corpus.tar.bz2
python -m bundled_corpus DIR --seed 2 --train 2000       # writes another corpus to a folder
"""

from __future__ import annotations

import argparse
from pathlib import Path

from demotic.demo.corpus import ARCHIVE

from .archive import pack
from .corpus import Corpus, generate
from .files import texts, write
from .statistics import statistics

SHIPPED = Path(__file__).resolve().parents[1] / "src" / "demotic" / "demo" / ARCHIVE


def main() -> None:
    parser = _parser()
    given = vars(parser.parse_args())
    directory = given.pop("directory")
    if directory is None and given != {name: parser.get_default(name) for name in given}:
        parser.error("a corpus of another seed or size needs a DIRECTORY")
    corpus = generate(**given)
    if directory is None:
        ship(corpus)
    else:
        write(corpus, directory)
    for name, figure in statistics(corpus).items():
        print(f"{name:28} {figure:>10}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bundled_corpus", description="Draw the Chinese-English corpus."
    )
    parser.add_argument(
        "directory",
        nargs="?",
        type=Path,
        help="folder for the corpus (default: write the archive that the package ships)",
    )
    for name, default, text in (
        ("seed", 1, "seed of the random draws"),
        ("train", 8000, "number of training pairs"),
        ("dev", 300, "number of dev sentences"),
        ("test", 300, "number of test sentences"),
    ):
        parser.add_argument(
            f"--{name}", type=int, default=default, help=f"{text} (default: {default})"
        )
    return parser


def ship(corpus: Corpus) -> None:
    """Replace the archive in the package's source folder."""
    data = pack(texts(corpus))
    SHIPPED.write_bytes(data)
    print(f"wrote {SHIPPED} ({len(data):,} bytes)")


if __name__ == "__main__":
    main()
