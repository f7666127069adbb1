"""Gettext PO files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given

from demotic.errors import FormatError
from demotic.text import read_pairs
from tests.text.pair_writers import (
    PAIRS,
    any_pairs,
    cleaned,
    only_format_errors,
    pairs_of,
    po,
    read,
    translated,
)

HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'


def write(folder: Path, text: str | bytes, name: str = "help.po") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@given(pairs=any_pairs.map(translated))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]) -> None:
    path = write(tmp_path_factory.mktemp("po"), po(pairs))
    assert read(path) == [(cleaned(source), cleaned(target)) for source, target in pairs]


def test_compressed_and_numbered(tmp_path: Path) -> None:
    path = write(tmp_path, gzip.compress(po(PAIRS).encode()), "help.po.gz")
    assert [(pair.source, pair.line) for pair in pairs_of(path)] == [
        (source, number) for number, (source, _) in enumerate(PAIRS, 1)
    ]


def test_strings(tmp_path: Path) -> None:
    text = r"""
# a remark with "quotes"
#: file.c:3
#| msgid "an older text"
msgctxt "menu"
msgid  "Save\t" "the "
  "file\n"
msgstr
"say \"yes\" \\ \303\251\xc3\xa9 \q"
"""
    assert read(write(tmp_path, HEADER + text)) == [("Save the file ", 'say "yes" \\ éé q')]


def test_what_is_skipped_is_counted(tmp_path: Path) -> None:
    text = """
#, fuzzy, c-format
msgid "one"
msgstr "eins"

msgid "two"
msgstr ""

#, fuzzy
#~ msgid "three"
#~ msgstr "drei"

msgid "four"
msgstr "vier"
#, c-format
msgid "five"
msgstr "fünf"
#~ msgid "six"
#~ msgid_plural "sixes"
#~ msgstr[0] "sechs"
"""
    path = write(tmp_path, "#, fuzzy\n" + HEADER + text)
    source = read_pairs([path], source_language="en", target_language="de")
    assert [(pair.target, pair.line) for pair in source] == [("vier", 4), ("fünf", 5)]
    assert source.counts.read == 2
    assert source.counts.skipped == {"fuzzy": 1, "untranslated": 1, "obsolete": 2}


def plural(*forms: str) -> str:
    lines = "".join(f'msgstr[{i}] "{form}"\n' for i, form in enumerate(forms))
    return f'{HEADER}msgid "a file"\nmsgid_plural "%d files"\n{lines}'


def test_plural_forms(tmp_path: Path) -> None:
    three = read(write(tmp_path, plural("файл", "файла", "файлов")))
    assert three == [("a file", "файл"), ("%d files", "файла"), ("%d files", "файлов")]
    assert read(write(tmp_path, plural("%d 个文件"))) == [("%d files", "%d 个文件")]
    assert read(write(tmp_path, plural("", "файла"))) == [("%d files", "файла")]


@pytest.mark.parametrize(
    ("languages", "expected"),
    [
        (("en", "zh"), ("save", "保存")),
        (("zh", "en"), ("保存", "save")),
        (("en", "zh-CN"), ("save", "保存")),
    ],
)
def test_direction(tmp_path: Path, languages: tuple[str, str], expected: tuple[str, str]) -> None:
    path = write(tmp_path, po([("save", "保存")], header="Language: zh_CN.UTF-8\n"))
    assert read(path, source_language=languages[0], target_language=languages[1]) == [expected]


@pytest.mark.parametrize("charset", ["GB18030", "Shift_JIS", "ISO-8859-1", "CHARSET"])
def test_charsets(tmp_path: Path, charset: str) -> None:
    # In Shift_JIS the last byte of 表 is that of a backslash.
    target = {"ISO-8859-1": "vidé", "Shift_JIS": "空の表"}.get(charset, "空的")
    text = po([("empty", target)]).replace("UTF-8", charset)
    codec = "utf-8" if charset == "CHARSET" else charset
    assert read(write(tmp_path, text.encode(codec))) == [("empty", target)]


def test_a_charset_in_a_message_is_not_that_of_the_file(tmp_path: Path) -> None:
    message = "Content-Type: text/html; charset=latin-1"
    text = f'msgid "{message}"\nmsgstr "ü {message}"\n'
    languages = {"source_language": "en", "target_language": "de"}
    assert read(write(tmp_path, text), **languages) == [(message, f"ü {message}")]


def test_malformed_text(tmp_path: Path) -> None:
    data = po([("one", "eins"), ("two", "zw?ei")]).encode().replace(b"?", b"\xff")
    path = write(tmp_path, data)
    with pytest.raises(FormatError, match="text that is not UTF-8") as caught:
        read(path)
    assert caught.value.line == 13
    for policy, target in (("replace", "zw\ufffdei"), ("skip", "")):
        source = read_pairs(
            [path], source_language="de", target_language="en", encoding_errors=policy
        )
        assert [pair.target for pair in source] == ["eins", target]
        assert (source.notices.replaced, source.notices.skipped).count(1) == 1


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('msgid "a"\nmsgstr "b\n', 2, """'"b'; expected text between two double quotes"""),
        ('msgid "a" b\nmsgstr "b"\n', 1, "expected text between two"),
        ('msgid "a"\nmsgstr "b\\"\n', 2, "expected text between two"),
        ('msgid "a"\nmsgid "c"\nmsgstr "b"\n', 2, "a second or numbered msgid"),
        ('\nmsgid "a"\n\n', 2, "msgid without msgstr"),
        ('msgstr "b"\n', 1, "msgstr without msgid"),
        ('"a"\n', 1, "a string without a keyword"),
        ('msgid "a"\nmsgstr[0] "b"\n', 2, r"msgstr\[0\]; expected one msgstr"),
        ('msgid "a"\nmsgstr "b"\nmsgstr "b"\n', 3, "expected one msgstr"),
        ('msgid "a"\nmsgid_plural "a"\nmsgstr[1] "b"\n', 3, r"expected msgstr\[0\]"),
        ('msgid "a"\nmsgid_plural "a"\nmsgstr "b"\n', 3, r"expected msgstr\[0\]"),
        ('msgid "a"\nmsgstr "b"\n<html>\n', 3, "'<html>'; expected msgid"),
        (HEADER.replace("UTF-8", "KLINGON"), 0, "the charset 'KLINGON'"),
        (HEADER.replace("UTF-8", "UTF-16"), 0, "the charset 'UTF-16'"),
        (HEADER.replace("UTF-8", "unicode_escape"), 0, "the charset"),
        (HEADER.replace("Content", "Language: fr\\nContent"), 1, "'fr'; expected zh or en"),
        (r'msgid "a"' + "\n" + r'msgstr "\377"', 2, "text that is not UTF-8"),
        ('msgid "a"\nmsgstr ""\n' + ('"' + "b" * 1000 + '"\n') * 1100, 1051, "an entry of more"),
        ('msgid "a"\nmsgstr "' + "b" * (5 << 20), 2, "a line of more than 4 MB"),
    ],
)
def test_refused(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(FormatError, match=message) as caught:
        read(path)
    error = caught.value
    assert (error.path, error.line) == (str(path), line)
    assert error.expected
    assert error.advice


def test_mutations(tmp_path: Path) -> None:
    entries = po(PAIRS) + plural("one", "two").removeprefix(HEADER)
    assert only_format_errors(tmp_path / "m.po", entries.encode()) > 80
