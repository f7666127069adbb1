"""Tab-separated columns."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from demotic.errors import FormatError
from demotic.text import Pair
from tests.text.pair_writers import any_pairs, cleaned, only_format_errors, pairs_of, read


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.tsv"
    path.write_text("id\ten\tzh\n7\tgood morning\t早上 好\n8\tthank you\t谢谢\n", encoding="utf-8")
    return path


@given(pairs=any_pairs)
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]) -> None:
    path = tmp_path_factory.mktemp("tsv") / "t.tsv"
    plain = [tuple(text.translate({9: " ", 10: " "}) for text in pair) for pair in pairs]
    path.write_bytes("".join(f"{s}\t{t}\n" for s, t in plain).encode())
    # Only the beginning and the end of the whole line are trimmed of marks and carriage returns.
    expected = [(cleaned(f"{s}|")[:-1], cleaned(f"|{t}")[1:]) for s, t in plain]
    assert read(path) == expected


def test_columns_by_name_and_number(table: Path) -> None:
    named = pairs_of(table, columns=("zh", "en"))
    assert named == [
        Pair("早上 好", "good morning", str(table), 2),
        Pair("谢谢", "thank you", str(table), 3),
    ]
    assert read(table, columns=(3, "en")) == [(p.source, p.target) for p in named]
    assert read(table, columns=("3", "2"))[1:] == [(p.source, p.target) for p in named]


@pytest.mark.parametrize(
    ("text", "columns", "line", "message"),
    [
        ("a\tb\nc\td\te\n", (1, 2), 2, "3 columns .* expected 2 as before"),
        ("a\tb\nc\n", (1, 2), 2, "1 column separated"),
        ("a\tb\n\nc\td\n", (1, 2), 2, "1 column separated"),
        ("a\tb\n", (1, 3), 1, "2 columns .* expected at least 3"),
        ("a\n", (1, 1), 1, "1 column .* expected at least 2"),
        ("en\tzh\n", ("en", "fr"), 1, "columns 'en', 'zh'; expected one column 'fr'"),
        ("en\ten\n", ("en", 2), 1, "expected one column 'en'"),
        ("", ("en", "zh"), 0, "an empty file; expected a header with 'en' and 'zh'"),
    ],
)
def test_wrong_columns(
    tmp_path: Path, text: str, columns: tuple[object, object], line: int, message: str
) -> None:
    path = tmp_path / "t.tsv"
    path.write_text(text)
    with pytest.raises(FormatError, match=message) as caught:
        read(path, columns=columns)
    assert (caught.value.path, caught.value.line) == (str(path), line)


def test_columns_are_counted_from_one(table: Path) -> None:
    with pytest.raises(ValueError, match="numbers from 1"):
        read(table, columns=(0, 1))


def test_an_empty_table_has_no_pairs(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").touch()
    assert read(tmp_path / "t.tsv") == []


def test_skipped_lines_keep_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_bytes(b"\xfe\tx\na\tb\nc\xff\td\n")
    assert pairs_of(path, encoding_errors="skip") == [
        Pair("", "", str(path), 1),
        Pair("a", "b", str(path), 2),
        Pair("", "", str(path), 3),
    ]
    assert read(path, encoding_errors="replace")[2] == ("c\ufffd", "d")


def test_mutations(tmp_path: Path, table: Path) -> None:
    assert only_format_errors(tmp_path / "m.tsv", table.read_bytes()) > 30
