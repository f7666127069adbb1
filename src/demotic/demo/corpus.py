"""The bundled corpus: text, tags, trees and gold alignments in one compressed archive.

    write_corpus("corpus")                        # corpus/tok/train.zh, corpus/raw/test.en.0, ...
    read_corpus()["tok/train.links"]              # the same without writing files

`docs/corpus.md` lists the files. The archive is generated: `python -m bundled_corpus` in a clone of
the repository writes it again.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from demotic.lines import PathLike, write_text

__all__ = ["ARCHIVE", "REFERENCES", "read_corpus", "write_corpus", "write_files"]

ARCHIVE = "corpus.tar.bz2"
# References per sentence of dev and test.
REFERENCES = 4


def read_corpus() -> dict[str, str]:
    """The text of every file by its path in the corpus folder."""
    data = files(__package__).joinpath(ARCHIVE).read_bytes()
    texts = {}
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:bz2") as archive:
        for member in archive:
            file = archive.extractfile(member)
            assert file is not None, f"{ARCHIVE} holds only regular files"
            texts[member.name] = file.read().decode("utf-8")
    return texts


def write_corpus(directory: PathLike) -> list[Path]:
    """Write the corpus below the directory; returns the paths in the order written."""
    return write_files(read_corpus(), directory)


def write_files(texts: Mapping[str, str], directory: PathLike) -> list[Path]:
    """Write texts below the directory by their relative paths; existing files are replaced."""
    paths = []
    for name, text in texts.items():
        path = Path(directory) / name
        with write_text(path) as file:
            file.write(text)
        paths.append(path)
    return paths
