"""Two parallel files, and what holds for inputs of every format."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given

from demotic.errors import FormatError, IoError
from demotic.text import Pair, read_pairs
from tests.text.pair_writers import PAIRS, any_pairs, cleaned, pairs_of, read, tmx


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def both(folder: Path, source: str | bytes, target: str | bytes) -> tuple[Path, Path]:
    return write(folder, "text.zh", source), write(folder, "text.en", target)


@given(pairs=any_pairs)
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]) -> None:
    folder = tmp_path_factory.mktemp("plain")
    lines = [(s.replace("\n", " "), t.replace("\n", " ")) for s, t in pairs]
    paths = both(folder, "".join(f"{s}\n" for s, _ in lines), "".join(f"{t}\n" for _, t in lines))
    assert read(*paths) == [(cleaned(source), cleaned(target)) for source, target in lines]


def test_provenance_and_empty_lines(tmp_path: Path) -> None:
    source, target = both(tmp_path, "一\n\n三\n", "one\ntwo\n\n")
    assert pairs_of(source, target) == [
        Pair("一", "one", str(source), 1),
        Pair("", "two", str(source), 2),
        Pair("三", "", str(source), 3),
    ]


def test_different_counts_are_refused_before_any_pair(tmp_path: Path) -> None:
    good = both(tmp_path, "一\n", "one\n")
    long = write(tmp_path, "long.zh", "一\n二\n三\n")
    short = write(tmp_path, "short.en", "one\ntwo\n")
    source = read_pairs([*good, long, short], source_language="zh", target_language="en")
    with pytest.raises(FormatError, match=r"long\.zh: 3 lines here, but 2 in .*short\.en"):
        next(iter(source))
    assert source.counts.read == 0


def test_several_inputs_in_order(tmp_path: Path) -> None:
    first = both(tmp_path, "一\n", "one\n")
    memory = write(tmp_path, "memory.TMX", tmx(PAIRS))
    last = write(tmp_path, "b.zh", "三\n"), write(tmp_path, "b.en", "three\n")
    assert read(*first, memory, *last) == [("一", "one"), *PAIRS, ("三", "three")]


def test_an_odd_file_is_refused(tmp_path: Path) -> None:
    source, target = both(tmp_path, "一\n", "one\n")
    with pytest.raises(FormatError, match="without its translation") as caught:
        read(source, target, source)
    assert "source, target, source, target" in caught.value.expected


def test_a_missing_file_is_found_before_any_pair(tmp_path: Path) -> None:
    memory = write(tmp_path, "memory.tmx", tmx(PAIRS))
    source = read_pairs([memory, tmp_path / "none.tmx"], source_language="zh", target_language="en")
    with pytest.raises(IoError, match=r"none\.tmx"):
        next(iter(source))


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_compressed(tmp_path: Path, compress: object) -> None:
    packed = [compress(text.encode()) for text in ("一\n二\n", "one\ntwo\n")]  # type: ignore[operator]
    assert read(*both(tmp_path, *packed)) == [("一", "one"), ("二", "two")]


def test_truncated_gzip_is_refused(tmp_path: Path) -> None:
    packed = gzip.compress("一\n".encode() * 1000)[:-4]
    with pytest.raises(FormatError, match="truncated"):
        read(*both(tmp_path, packed, "one\n" * 1000))


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = write(tmp_path, "text.en", "one\ntwo\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("一\n二\n".encode())))
    assert pairs_of(Path("-"), target)[1] == Pair("二", "two", "-", 2)
    with pytest.raises(FormatError, match="standard input given twice"):
        read_pairs(["-", "-"], source_language="zh", target_language="en")


def test_pipes_are_read_once(tmp_path: Path) -> None:
    source = write(tmp_path, "text.zh", "一\n二\n")
    pipe = tmp_path / "pipe.en"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("one\ntwo\n",))
    writer.start()
    assert read(source, pipe) == [("一", "one"), ("二", "two")]
    writer.join()


def test_malformed_utf8(tmp_path: Path) -> None:
    paths = both(tmp_path, b"a\n\xff b\nc\n", b"d\ne\nf\n")
    with pytest.raises(FormatError, match=r"text\.zh line 2: byte 0xFF"):
        read(*paths)
    assert read(*paths, encoding_errors="replace")[1] == ("\ufffd b", "e")
    assert read(*paths, encoding_errors="skip")[1] == ("", "e")


def test_notices_are_merged_and_a_second_pass_starts_anew(tmp_path: Path) -> None:
    paths = both(tmp_path, "\ufeff一\r\n二\x85\n", "one\r\ntwo\r\n")
    source = read_pairs(paths, source_language="zh", target_language="en")
    for _ in range(2):
        assert len(list(source)) == 2
        assert source.counts.read == 2
        assert source.counts.skipped == {}
        assert source.notices.carriage_returns == 3
        assert source.notices.byte_order_marks == 1
        assert source.notices.controls == 1


def test_a_file_that_changes_is_noticed(tmp_path: Path) -> None:
    paths = both(tmp_path, "一\n" * 200_000, "one\n" * 200_000)
    pairs = iter(read_pairs(paths, source_language="zh", target_language="en"))
    next(pairs)
    paths[1].write_text("one\n")
    with pytest.raises(FormatError, match="changed while being read"):
        list(pairs)


def test_unknown_format() -> None:
    with pytest.raises(ValueError, match="auto, plain, tsv"):
        read(Path("x"), format="docx")
