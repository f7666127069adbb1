"""Text files in all compressions: whole, in several streams, truncated, damaged, missing."""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from demotic import FormatError, IoError
from demotic.lines import CHUNK_BYTES, PIECE_BYTES, LineFile, open_plain_bytes, read_lines

TEXT = "the first line\nund die zweite ä 中\n\nthe end\n".encode()
LINES = TEXT.decode().splitlines()


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


KINDS: dict[str, Callable[[bytes], bytes]] = {
    "gz": lambda data: gzip.compress(data, mtime=0),
    "xz": lzma.compress,
    "zst": zstd,
}
kinds = pytest.mark.parametrize("kind", KINDS)


def read(path: Path, data: bytes, policy: str = "refuse") -> list[str]:
    path.write_bytes(data)
    return read_lines(path, encoding_errors=policy).tolist()  # type: ignore[arg-type]


def refusal(path: Path, data: bytes, policy: str = "refuse") -> str:
    with pytest.raises(FormatError) as caught:
        read(path, data, policy)
    assert caught.value.path == str(path)
    return caught.value.found


@kinds
@pytest.mark.parametrize("suffix", [True, False])
def test_compressed_is_read_by_its_first_bytes(tmp_path: Path, kind: str, suffix: bool) -> None:
    path = tmp_path / (f"f.{kind}" if suffix else "f")
    assert read(path, KINDS[kind](TEXT)) == LINES
    assert read(path, KINDS[kind](b"")) == []


@kinds
def test_streams_on_end_are_one_text(tmp_path: Path, kind: str) -> None:
    pack = KINDS[kind]
    assert read(tmp_path / "f", pack(TEXT[:20]) + pack(b"") + pack(TEXT[20:])) == LINES


@kinds
def test_padding_between_streams_of_any_length(tmp_path: Path, kind: str) -> None:
    pack = KINDS[kind]
    for zeros in (4, CHUNK_BYTES, 3 * CHUNK_BYTES):
        data = pack(TEXT[:20]) + bytes(zeros) + pack(TEXT[20:]) + bytes(zeros)
        assert read(tmp_path / "f", data) == LINES


@kinds
def test_more_than_a_chunk(tmp_path: Path, kind: str) -> None:
    text = b"".join(b"line %d\n" % (i * i) for i in range(100_000))
    noise = os.urandom(CHUNK_BYTES).hex().encode() + b"\n"  # incompressible
    path = tmp_path / "f"
    path.write_bytes(KINDS[kind](text + noise))
    assert path.stat().st_size > CHUNK_BYTES
    assert [line.encode() + b"\n" for line in LineFile(path)] == (text + noise).splitlines(True)


@pytest.mark.parametrize("kind", ["gz", "xz"])
def test_little_data_with_much_text_comes_in_pieces(tmp_path: Path, kind: str) -> None:
    """Also if the text ends at a piece boundary and if another stream follows."""
    pack = KINDS[kind]
    for size in (10 * PIECE_BYTES, 3 * PIECE_BYTES + 7, PIECE_BYTES, PIECE_BYTES - 1):
        text = b"a" * (size - 1) + b"\n"
        (tmp_path / "f").write_bytes(pack(text) + pack(TEXT))
        assert (tmp_path / "f").stat().st_size < CHUNK_BYTES
        pieces = list(open_plain_bytes(tmp_path / "f"))
        assert b"".join(pieces) == text + TEXT
        assert max(map(len, pieces)) <= PIECE_BYTES


@kinds
@pytest.mark.parametrize("policy", ["refuse", "replace", "skip"])
def test_every_truncation_is_refused(tmp_path: Path, kind: str, policy: str) -> None:
    whole = KINDS[kind](TEXT)
    for size in range(len(whole)):
        found = refusal(tmp_path / f"f.{kind}", whole[:size], policy)
        assert "end early" in found or "are not" in found


@kinds
def test_a_truncated_second_stream_is_refused(tmp_path: Path, kind: str) -> None:
    one, two = KINDS[kind](TEXT[:20]), KINDS[kind](TEXT[20:])
    for size in range(1, len(two)):
        refusal(tmp_path / "f", one + two[:size])


@kinds
def test_garbage_behind_the_stream_is_refused(tmp_path: Path, kind: str) -> None:
    whole = KINDS[kind](TEXT)
    for garbage in (b"x", b"\n", b"garbage " * 100, b"\0\0\0\0x"):
        refusal(tmp_path / "f", whole + garbage)


@kinds
@pytest.mark.parametrize("policy", ["refuse", "replace"])
def test_every_flipped_bit_is_refused_or_changes_nothing(
    tmp_path: Path, kind: str, policy: str
) -> None:
    """Some bits do not affect the text: the time in a gz header, those after the last block."""
    whole = bytearray(KINDS[kind](TEXT))
    path = tmp_path / f"f.{kind}"
    refused = 0
    for bit in range(8 * len(whole)):
        whole[bit // 8] ^= 1 << bit % 8
        try:
            assert read(path, bytes(whole), policy) == LINES
        except FormatError:
            refused += 1
        whole[bit // 8] ^= 1 << bit % 8
    assert refused > 0.8 * 8 * len(whole)


def test_plain_text_with_a_compressed_name_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "f.gz", TEXT) == "data that are not gzip in a file named .gz"
    assert refusal(tmp_path / "f.zst", b"") == "data that are not zstd in a file named .zst"


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (TEXT, gzip.compress(TEXT)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert list(LineFile("-")) == LINES
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))
    with pytest.raises(FormatError, match=r"^standard input line 1: byte 0xFF"):
        list(LineFile("-"))


@pytest.mark.parametrize(("name", "code"), [("missing", errno.ENOENT), (".", errno.EISDIR)])
def test_what_cannot_be_opened_is_an_io_error(tmp_path: Path, name: str, code: int) -> None:
    with pytest.raises(IoError) as caught:
        read_lines(tmp_path / name)
    assert caught.value.errno == code
    assert str(caught.value).startswith(f"{tmp_path / name}: the file cannot be opened (")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems want UTF-8 names")
def test_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt"))
    path.write_bytes(TEXT + b"\xff")
    with pytest.raises(FormatError, match=r"udcff\.txt line 5: byte 0xFF at position 1"):
        read_lines(path)


def test_notices_and_numbers_are_known_after_reading(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\x01\n\xff\n")
    file = LineFile(path, encoding_errors="skip")
    assert list(file) == ["a", "b ", ""]
    notices = file.notices
    assert (notices.byte_order_marks, notices.carriage_returns) == (1, 1)
    assert (notices.controls, notices.skipped, notices.replaced) == (1, 1, 0)
    assert file.lines_seen == 3
