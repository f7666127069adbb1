"""XLIFF 1.2 and 2.x."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given

from demotic.errors import FormatError
from demotic.text import PairSource, read_pairs
from tests.text.pair_writers import (
    PAIRS,
    Texts,
    cleaned,
    only_format_errors,
    pairs_of,
    read,
    translated,
    xliff1,
    xliff2,
    xml_pairs,
)


def write(folder: Path, text: str | bytes, name: str = "app.xlf") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def source_of(path: Path) -> PairSource:
    return read_pairs([path], source_language="zh", target_language="en")


def one(body: str) -> str:
    """A 1.2 file with this in its body."""
    return xliff1([]).replace("<body>\n", f"<body>\n{body}")


def two(body: str) -> str:
    return xliff2([]).replace('id="f">\n', f'id="f">\n{body}')


@given(pairs=xml_pairs.map(translated))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, pairs: Texts) -> None:
    folder = tmp_path_factory.mktemp("xliff")
    expected = [(cleaned(source), cleaned(target)) for source, target in pairs]
    assert read(write(folder, xliff1(pairs))) == expected
    assert read(write(folder, xliff2(pairs))) == expected


def test_compressed_and_numbered(tmp_path: Path) -> None:
    path = write(tmp_path, gzip.compress(xliff2(PAIRS).encode()), "app.xliff.gz")
    assert [(pair.source, pair.line) for pair in pairs_of(path)] == [
        (source, number) for number, (source, _) in enumerate(PAIRS, 1)
    ]


def test_a_file_serves_both_ways(tmp_path: Path) -> None:
    swapped = [(target, source) for source, target in PAIRS]
    for text in (xliff1(PAIRS), xliff2(PAIRS)):
        path = write(tmp_path, text)
        assert read(path, source_language="en", target_language="zh") == swapped
    unnamed = write(tmp_path, xliff1(PAIRS, target_language=""))
    assert read(unnamed) == PAIRS


@pytest.mark.parametrize(
    ("segment", "text"),
    [
        ('a <g id="1">bright</g> <mrk mtype="x">star</mrk>', "a bright star"),
        ('<bpt id="1">&lt;b></bpt>bold<ept id="1">&lt;/b></ept><x id="2"/>ly', "boldly"),
        ('one<x id="1" ctype="lb"/>two', "one two"),
        ('a<ph id="1">code<sub>text</sub></ph>b', "a text b"),
        ('<n:odd xmlns:n="urn:n">kept</n:odd>', "kept"),
    ],
)
def test_inline_markup_1(tmp_path: Path, segment: str, text: str) -> None:
    unit = f"<trans-unit><source>{segment}</source><target>x</target></trans-unit>"
    assert read(write(tmp_path, one(unit))) == [(text, "x")]


@pytest.mark.parametrize(
    ("segment", "text"),
    [
        ('a <pc id="1">bright</pc> <mrk id="2">star</mrk><ph id="3"/>s', "a bright stars"),
        ('one<ph id="1" type="fmt" subType="xlf:lb"/>two', "one two"),
        ('one<cp hex="001A"/>two', "one two"),
        ('<sc id="1"/>a<ec startRef="1"/>', "a"),
    ],
)
def test_inline_markup_2(tmp_path: Path, segment: str, text: str) -> None:
    unit = f"<unit><segment><source>{segment}</source><target>x</target></segment></unit>"
    assert read(write(tmp_path, two(unit))) == [(text, "x")]


def test_states_of_1(tmp_path: Path) -> None:
    states = ["translated", "new", "needs-translation", "final", "needs-review-translation"]
    units = "".join(
        f'<trans-unit><source>s</source><target state="{state}">{state}</target></trans-unit>\n'
        for state in states
    )
    units += "<trans-unit><source>s</source></trans-unit>"
    units += "<trans-unit><source>s</source><target>  </target></trans-unit>"
    units += '<group translate="no"><trans-unit><source>s</source><target>t</target></trans-unit>'
    units += (
        '<trans-unit translate="yes"><source>s</source><target>yes</target></trans-unit></group>'
    )
    source = source_of(write(tmp_path, one(units)))
    assert [pair.target for pair in source] == ["translated", "final", "yes"]
    assert source.counts.skipped == {
        "untranslated": 4,
        "needs review": 1,
        "not to be translated": 1,
    }


def test_segments_and_states_of_2(tmp_path: Path) -> None:
    def segment(text: str, state: str = "") -> str:
        inner = f"<source>{text}</source><target>{text.upper()}</target>"
        attribute = f' state="{state}"' if state else ""
        return f"<segment{attribute}>{inner}</segment>"

    units = (
        f"<unit>{segment('a')}<ignorable><source> </source></ignorable>"
        f"{segment('b', 'initial')}{segment('c', 'reviewed')}</unit>\n"
        f"<unit>{segment('d', 'final')}</unit>"
    )
    source = source_of(write(tmp_path, two(units)))
    assert [(pair.target, pair.line) for pair in source] == [("A", 1), ("C", 1), ("D", 2)]
    assert source.counts.skipped == {"untranslated": 1}


def test_proposals_are_not_read(tmp_path: Path) -> None:
    unit = (
        "<trans-unit><source>s</source><seg-source><mrk>z</mrk></seg-source><target>t</target>"
        "<alt-trans><source>x</source><target>y</target></alt-trans></trans-unit>"
    )
    assert read(write(tmp_path, one(unit))) == [("s", "t")]
    unit = (
        '<unit><m:matches xmlns:m="urn:oasis:names:tc:xliff:matches:2.0"><m:match ref="#1">'
        "<source>x</source><target>y</target></m:match></m:matches>"
        "<segment><source>s</source><target>t</target></segment></unit>"
    )
    assert read(write(tmp_path, two(unit))) == [("s", "t")]


def test_files_in_other_languages_are_counted(tmp_path: Path) -> None:
    unit = "<trans-unit><source>s</source><target>{}</target></trans-unit>"
    text = '<xliff version="1.2">' + "".join(
        f'<file source-language="zh" target-language="{tag}"><body>{unit.format(tag)}</body></file>'
        for tag in ("fr", "en-GB", "de")
    )
    source = source_of(write(tmp_path, text + "</xliff>"))
    assert [(pair.target, pair.line) for pair in source] == [("en-GB", 2)]
    assert source.counts.skipped == {"other language": 2}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (xliff1(PAIRS)[:-20], 11, "broken XML"),
        (xliff2(PAIRS).replace("</unit>", "", 1), 9, r"broken XML \(mismatched tag\)"),
        (xliff1(PAIRS, target_language="fr"), 5, "no unit in zh and en; the file has zh, fr"),
        (xliff2(PAIRS).replace('trgLang="en"', 'trgLang="fr"'), 3, "the file has zh, fr"),
        (xliff2(PAIRS).replace('srcLang="zh"', ""), 2, "no srcLang"),
        (xliff1(PAIRS).replace('source-language="zh"', ""), 3, "no source-language"),
        (xliff1(PAIRS).replace('version="1.2"', 'version="3"'), 2, "XLIFF version '3'"),
        (xliff1(PAIRS).replace('version="1.2"', ""), 2, "XLIFF version ''"),
        (one("\n<trans-unit><target>t</target></trans-unit>"), 6, "a unit without <source>"),
        ("<tmx/>", 1, "<tmx>; expected <xliff>"),
        ('<!DOCTYPE xliff [<!ENTITY a "b">]>' + xliff1(PAIRS).split("\n", 1)[1], 1, "entity 'a'"),
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


@pytest.mark.parametrize("text", [xliff1(PAIRS), xliff2(PAIRS)])
def test_mutations(tmp_path: Path, text: str) -> None:
    assert only_format_errors(tmp_path / "m.xlf", text.encode()) > 150
