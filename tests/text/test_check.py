"""Checks of corpora: each problem is found, with its line, and none stops the reading."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from demotic.errors import IoError
from demotic.text.check import CheckOptions, CheckReport, check_files, check_pairs
from demotic.text.pairs import Pair
from demotic.text.readers import read_pairs
from demotic.text.scripts import main_script

GOOD = [(f"das ist der Satz {i}", f"this is sentence {i}") for i in range(1, 41)]


def check(
    folder: Path, source: bytes, target: bytes, options: CheckOptions | None = None
) -> CheckReport:
    (folder / "a.de").write_bytes(source)
    (folder / "a.en").write_bytes(target)
    return check_files(folder / "a.de", folder / "a.en", options or CheckOptions())


def with_pair(folder: Path, source: str | bytes, target: str | bytes) -> CheckReport:
    """A good corpus whose line 41 is this."""
    sides = []
    for good, bad in zip(zip(*GOOD, strict=True), (source, target), strict=True):
        raw = bad if isinstance(bad, bytes) else bad.encode()
        sides.append("".join(f"{line}\n" for line in good).encode() + raw + b"\n")
    return check(folder, *sides, CheckOptions(bad_share=0.5))


def test_a_good_corpus(tmp_path: Path) -> None:
    report = with_pair(tmp_path, "noch einer", "one more")
    assert report.usable
    assert report.findings.kinds == {}
    assert report.pairs == 41
    assert report.source["lines"] == 41
    assert report.source["max_length"] == 5
    assert report.source["median_length"] == 5
    assert report.source["script"] == "Latin"
    assert sum(report.source["histogram"]) == 41


@pytest.mark.parametrize(
    ("source", "target", "kind", "side"),
    [
        ("", "one more", "empty line", "source"),
        ("noch einer", "\u00a0", "empty line", "target"),
        (b"noch \xff einer", "one more", "malformed UTF-8", "source"),
        ("noch \ufffd einer", "one more", "replacement character (lost text)", "source"),
        ("noch\x07 einer", "one more", "control character", "source"),
        ("noch\u00a0einer", "one more", "unusual white space", "source"),
        ("\ufeffnoch einer", "one more", "byte order mark", "source"),
        ("noch einer\r", "one more", "carriage return at the end", "source"),
        ("schÃ¶n", "fine", "looks encoded twice", "source"),
        ("noch <b>einer</b>", "one more", "markup or entity", "source"),
        ("noch einer", "one &amp; more", "markup or entity", "target"),
        ("noch einer", "еще один раз", "Cyrillic letters in a text of Latin letters", "target"),
        ("noch einer", "再来一个", "Han letters in a text of Latin letters", "target"),
        ("ja " * 101, "yes " * 101, "more than 100 tokens", "source"),
        ("x" * 61, "long", "word of more than 60 characters", "source"),
        ("noch einer", "noch einer", "source copied as target", ""),
        ("im Jahr 1999", "in the year 1998", "different numbers", ""),
        ("Wirklich?", "Really.", "different ends (. ! ?)", ""),
        ("das ist der Satz 3", "this is sentence 3", "duplicate pair", ""),
        ("ja", "a long sentence that says a lot more than yes", "unusual length ratio", ""),
    ],
)  # fmt: skip
def test_each_fault_is_found_with_its_line(
    tmp_path: Path, source: str | bytes, target: str | bytes, kind: str, side: str
) -> None:
    found = with_pair(tmp_path, source, target).findings.kinds[kind]
    first = found.examples[0]
    assert (first.line, first.side) == (41, side)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("es kostet 1.234,50 Euro", "it costs 1,234.50 euros"),
        ("em ٣ um 10:30", "at 3 by 10:30"),
        ("Sie sagt: „Ja.“", 'She says: "Yes."'),
        ("你好吗？ Wie?", "How are you?"),
        ("OK", "OK"),
    ],
)
def test_what_is_not_odd(tmp_path: Path, source: str, target: str) -> None:
    kinds = with_pair(tmp_path, source, target).findings.kinds
    assert not {"different numbers", "different ends (. ! ?)", "source copied as target"} & set(
        kinds
    )


def test_sources_with_many_translations(tmp_path: Path) -> None:
    source = b"wie gehts\n" * 7
    target = b"".join(b"how are you %d\n" % i for i in range(7))
    findings = check(tmp_path, source, target).findings
    assert findings["source with more than 5 translations"] == 1
    assert findings["duplicate pair"] == 0


def test_all_encoding_faults_are_listed(tmp_path: Path) -> None:
    report = check(tmp_path, b"a\xff\nb\nc\xc3\n", b"a\nb\xe4\nc\n", CheckOptions(show=9))
    found = report.findings.kinds["malformed UTF-8"]
    assert [(one.line, one.side) for one in found.examples] == [
        (1, "source"), (2, "target"), (3, "source")
    ]  # fmt: skip
    assert "byte 0xFF at position 2" in found.examples[0].text
    assert report.source["malformed"] == 2
    assert not report.usable
    assert "66.7 % of the lines of" in report.unusable[0]


def test_only_some_examples_are_kept(tmp_path: Path) -> None:
    report = check(tmp_path, b"\n" * 50, b"x\n" * 50, CheckOptions(show=3))
    found = report.findings.kinds["empty line"]
    assert found.count == 50
    assert [one.line for one in found.examples] == [1, 2, 3]


def test_different_counts_are_told_and_the_rest_is_looked_at(tmp_path: Path) -> None:
    report = check(tmp_path, b"a b c\n" * 3, b"x y z\n" * 2 + b"\n" * 3)
    assert not report.usable
    assert "a.de has 3 lines" in report.unusable[0]
    assert "a.en has 5" in report.unusable[0]
    assert report.findings["empty line"] == 3
    assert report.pairs == 3


@pytest.mark.parametrize(("source", "target"), [(b"", b""), (b"\n\n", b"a\nb\n")])
def test_nothing_to_use(tmp_path: Path, source: bytes, target: bytes) -> None:
    report = check(tmp_path, source, target)
    assert "no pair has text on both sides" in report.unusable


def test_truncated_file(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(b"line %d\n" % i for i in range(20000)))
    report = check(tmp_path, whole[: len(whole) // 2], b"x\n" * 10)
    assert not report.usable
    assert "gzip data that end early" in report.unusable[0]
    assert len(report.unusable) == 1  # that the counts differ follows from it


def test_missing_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x\n")
    with pytest.raises(IoError, match="cannot be opened"):
        check_files(tmp_path / "a", tmp_path / "b", CheckOptions())


def test_pairs_of_a_reader_keep_their_lines() -> None:
    pairs = [Pair("eins", "one", "f", 7), Pair("", "two", "f", 12)]
    report = check_pairs(pairs, "f", CheckOptions())
    assert report.findings.kinds["empty line"].examples[0].line == 12
    assert report.pairs == 2


def test_broken_table_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("a b\tc d\na b\n")
    pairs = read_pairs([tmp_path / "a.tsv"], source_language="und", target_language="und")
    report = check_pairs(pairs, "a.tsv", CheckOptions())
    assert report.pairs == 1
    assert "line 2: 1 column" in report.unusable[0]


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("plain words", "Latin"),
        ("été à Noël", "Latin"),
        ("Привет мир", "Cyrillic"),
        ("我是Tom", "Han"),
        ("これはペンです", "Kana"),
        ("안녕하세요", "Hangul"),
        ("مرحبا", "Arabic"),
        ("नमस्ते दुनिया", "Devanagari"),
        ("123 !?", ""),
        ("ab", ""),
        ("", ""),
        ("…", ""),
    ],
)
def test_main_script(text: str, script: str) -> None:
    assert main_script(text) == script


def test_japanese_has_two_scripts(tmp_path: Path) -> None:
    report = check(tmp_path, "これはペンです\n東京大学\n".encode() * 5, b"this is it\n" * 10)
    assert report.source["script"] == "Han and Kana"
    assert not [kind for kind in report.findings.kinds if "letters in a text" in kind]


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(source=st.binary(max_size=200), target=st.binary(max_size=200))
def test_any_bytes(source: bytes, target: bytes, tmp_path: Path) -> None:
    report = check(tmp_path, b"x" + source, b"x" + target)
    expected = (b"x" + source).count(b"\n") + (not source.endswith(b"\n"))
    assert report.source["lines"] == expected
    assert report.as_dict()["usable"] is report.usable


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.text(), st.text())))
def test_any_text(texts: list[tuple[str, str]]) -> None:
    pairs = [Pair(*both, "f", i) for i, both in enumerate(texts, 1)]
    assert check_pairs(pairs, "f", CheckOptions()).pairs == len(texts)
