"""Damaged files are refused: every mutation of a container raises an Error or changes nothing."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from demotic import Error, FormatError, IoError, ModelError
from demotic._core import (
    Container,
    ContainerWriter,
    Corpus,
    CorpusBuilder,
    Lines,
    Vocabulary,
    VocabularyBuilder,
)
from tests.base import forge


def write_container(path: str) -> None:
    writer = ContainerWriter(path, "thing", 1)
    writer.begin_section("text")
    writer.append(b"some bytes of text")
    writer.begin_section("empty")
    writer.begin_section("more")
    writer.append(bytes(range(100)))
    writer.commit()


def _built() -> tuple[Corpus, Vocabulary]:
    lines = Lines()
    for i in range(40):
        lines.append(" ".join(f"w{i * j % 97}" for j in range(i % 7)))
    words = VocabularyBuilder()
    builder = CorpusBuilder(words)
    builder.add(lines)
    return builder.finish(), words.finish()


def write_corpus(path: str) -> None:
    _built()[0].save(path)


def write_vocabulary(path: str) -> None:
    _built()[1].save(path)


def open_container(path: str) -> None:
    Container(path, "thing", 1).verify()


KINDS: dict[str, tuple[Callable[[str], None], Callable[[str], object]]] = {
    "container": (write_container, open_container),
    "vocabulary": (write_vocabulary, lambda path: Vocabulary.open(path, True)),
    "corpus": (write_corpus, lambda path: Corpus.open(path, True)),
}
kinds = pytest.mark.parametrize("kind", KINDS)


def mutated(sound: bytes, rng: random.Random) -> bytes:
    """A byte, several bytes, a truncation, an insertion, a removal, or two pieces swapped."""
    data = bytearray(sound)
    at, other = rng.randrange(len(data)), rng.randrange(len(data))
    length = rng.randint(1, 70)
    piece = data[at : at + length]
    match rng.choice(["byte", "byte", "bytes", "cut", "insert", "remove", "swap"]):
        case "byte":
            data[at] ^= rng.randrange(1, 256)
        case "bytes":
            data[at : at + length] = rng.randbytes(len(piece))
        case "cut":
            del data[at:]
        case "insert":
            data[at:at] = rng.choice([rng.randbytes(length), bytes(length), bytes(piece)])
        case "remove":
            del data[at : at + length]
        case "swap":
            data[at : at + length] = data[other : other + len(piece)]
            data[other : other + len(piece)] = piece
    return bytes(data)


def check_mutations(folder: Path, kind: str, count: int, seed: int) -> None:
    write, read = KINDS[kind]
    path = folder / "f"
    write(str(path))
    sound = path.read_bytes()
    read(str(path))
    rng = random.Random(seed)
    blamed = []
    for _ in range(count):
        data = mutated(sound, rng)
        path.write_bytes(data)
        try:
            read(str(path))
        except Error as error:
            blamed.append(error.path)
        else:
            assert data == sound, "a changed file was taken for a sound one"
    assert len(blamed) > 0.9 * count
    assert set(blamed) == {str(path)}


@kinds
def test_mutations_are_refused(tmp_path: Path, kind: str) -> None:
    check_mutations(tmp_path, kind, 1500, seed=1)


@pytest.mark.long
@kinds
def test_ten_thousand_mutations_are_refused(tmp_path: Path, kind: str) -> None:
    check_mutations(tmp_path, kind, 10_000, seed=2)


def test_the_format_is_what_is_described(tmp_path: Path) -> None:
    path = tmp_path / "f"
    write_container(str(path))
    sections = {
        "text": (b"some bytes of text", 1),
        "empty": (b"", 1),
        "more": (bytes(range(100)), 1),
    }
    assert path.read_bytes() == forge.container("thing", sections)
    container = Container(str(path), "thing", 1)
    assert container.sections == {name: len(data) for name, (data, _) in sections.items()}
    assert container.section("more") == bytes(range(100))
    assert container.size_bytes == path.stat().st_size
    assert container.path == str(path)


def test_a_vocabulary_of_a_foreign_hand(tmp_path: Path) -> None:
    """Valid checksums are not enough; and wrong arrays do not crash without verification."""
    words = b"<unk><s></s>"
    offsets = struct.pack("<4q", 0, 5, 8, 12)
    path = tmp_path / "f"
    for slots in ([1, 2, 3, 1, 2, 3, 1, 2], [9, 9, 9, 0, 0, 0, 0, 0], [1, 2, 3], []):
        table = struct.pack(f"<{len(slots)}I", *slots)
        path.write_bytes(
            forge.container(
                "vocabulary", {"bytes": (words, 1), "offsets": (offsets, 8), "slots": (table, 4)}
            )
        )
        for verify in (True, False):
            with pytest.raises(FormatError, match="inconsistent arrays"):
                Vocabulary.open(str(path), verify)


def test_the_wrong_thing_is_a_model_error_that_says_so(tmp_path: Path) -> None:
    path = str(tmp_path / "f")
    write_container(path)
    with pytest.raises(ModelError, match="a container of kind 'thing'; expected kind 'corpus'"):
        Corpus.open(path, True)
    with pytest.raises(ModelError, match="'thing' version 1; expected version 2"):
        Container(path, "thing", 2)
    with pytest.raises(ModelError, match="no section 'other'"):
        Container(path, "thing", 1).section("other")
    with pytest.raises(FormatError, match="another kind of file; expected a Demotic container"):
        Container(__file__, "thing", 1)
    with pytest.raises(IoError):
        Container(str(tmp_path), "thing", 1)


def test_without_commit_nothing_is_left(tmp_path: Path) -> None:
    writer = ContainerWriter(str(tmp_path / "f"), "thing", 1)
    writer.begin_section("text")
    writer.append(b"x")
    del writer
    assert list(tmp_path.iterdir()) == []


def test_a_finished_writer_takes_nothing_more(tmp_path: Path) -> None:
    writer = ContainerWriter(str(tmp_path / "f"), "thing", 1)
    writer.commit()
    for call in (writer.commit, lambda: writer.begin_section("x"), lambda: writer.append(b"x")):
        with pytest.raises(ValueError, match="finished"):
            call()
