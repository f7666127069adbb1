"""The corpus that the package ships is exactly what the generator draws, and it is small."""

from __future__ import annotations

import bz2
from importlib.resources import files
from pathlib import Path

import pytest

import demotic.demo
from bundled_corpus import Corpus, generate, texts
from bundled_corpus.archive import pack, tar
from demotic.demo import read_corpus, write_corpus
from demotic.demo.corpus import ARCHIVE, write_files

MOST_BYTES = 600_000


@pytest.fixture(scope="module")
def drawn() -> Corpus:
    return generate()


@pytest.fixture(scope="module")
def shipped() -> bytes:
    return files(demotic.demo).joinpath(ARCHIVE).read_bytes()


def test_the_archive_is_what_the_generator_draws(drawn: Corpus, shipped: bytes) -> None:
    """If this fails, `python -m bundled_corpus` brings the archive up to date."""
    assert bz2.decompress(shipped) == tar(texts(drawn))


def test_files_hold_the_drawn_text(drawn: Corpus, tmp_path: Path) -> None:
    paths = write_corpus(tmp_path)
    written = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in paths}
    assert written == {name: text.encode("utf-8") for name, text in texts(drawn).items()}
    assert list(written) == list(read_corpus())


def test_size(shipped: bytes) -> None:
    assert len(shipped) < MOST_BYTES


def test_packing_is_reproducible() -> None:
    one = {"tok/a.zh": "书\n", "README.txt": "text\n"}
    assert pack(one) == pack(dict(one))
    assert pack(one) != pack({**one, "README.txt": "other text\n"})


def test_files_are_replaced_as_a_whole(tmp_path: Path) -> None:
    write_files({"tok/a.zh": "a long old line\n"}, tmp_path)
    (path,) = write_files({"tok/a.zh": "书\r\n"}, tmp_path)
    assert path.read_bytes() == "书\r\n".encode()
    assert [one.name for one in (tmp_path / "tok").iterdir()] == ["a.zh"]
