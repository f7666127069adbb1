"""TMX, and the safety of XML that XLIFF shares."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import zstandard
from hypothesis import given

from demotic.errors import FormatError
from demotic.text import read_pairs
from tests.text.pair_writers import (
    PAIRS,
    cleaned,
    only_format_errors,
    pairs_of,
    read,
    tmx,
    xml_pairs,
)


def write(folder: Path, text: str | bytes, name: str = "memory.tmx") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def unit(*variants: tuple[str, str]) -> str:
    inner = "".join(f'<tuv xml:lang="{tag}"><seg>{seg}</seg></tuv>' for tag, seg in variants)
    return f"<tu>{inner}</tu>"


def memory(*units: str) -> str:
    return f'<tmx version="1.4"><header/>\n<body>\n{"".join(units)}</body></tmx>'


@given(pairs=xml_pairs)
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]) -> None:
    path = write(tmp_path_factory.mktemp("tmx"), tmx(pairs))
    assert read(path) == [(cleaned(source), cleaned(target)) for source, target in pairs]


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_compressed(tmp_path: Path, suffix: str) -> None:
    data = tmx(PAIRS, prolog='<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n').encode()
    pack = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}[suffix]
    path = write(tmp_path, pack(data), f"memory.tmx{suffix}")
    pairs = pairs_of(path)
    assert [(pair.source, pair.target) for pair in pairs] == PAIRS
    assert [(pair.origin, pair.line) for pair in pairs] == [(str(path), n) for n in (1, 2, 3)]


def test_utf16(tmp_path: Path) -> None:
    text = tmx(PAIRS).replace("UTF-8", "UTF-16")
    assert read(write(tmp_path, text.encode("utf-16"))) == PAIRS


def test_many_chunks(tmp_path: Path) -> None:
    pairs = [(f"第 {i} 句", f"sentence {i} & more") for i in range(20_000)]
    assert read(write(tmp_path, tmx(pairs))) == pairs


@pytest.mark.parametrize(
    ("segment", "text"),
    [
        ("a <hi>bright</hi> star", "a bright star"),
        ('<bpt i="1">&lt;b></bpt>bold<ept i="1">&lt;/b></ept>ly', "boldly"),
        ("x<it pos='begin'>{\\i</it>y<ut>{\\f1}</ut>z", "xyz"),
        ("one<ph type='lb'>&lt;br/></ph>two", "one two"),
        ("one<ph>&lt;img/></ph>two", "onetwo"),
        ("Big.<ph>\\footnote{<sub>Very <hi>big</hi>.</sub>}</ph>", "Big. Very big. "),
        ("a<ph>code<sub>s<bpt i='1'>more code</bpt>t</sub>code</ph>b", "a st b"),
        ("<![CDATA[a <b> c]]>", "a <b> c"),
        ("\n  two\n  lines &#x2028;", "   two   lines \u2028"),
    ],
)
def test_inline_markup(tmp_path: Path, segment: str, text: str) -> None:
    path = write(tmp_path, memory(unit(("zh", segment), ("en", "x"))))
    assert read(path) == [(text, "x")]


@pytest.mark.parametrize(
    ("wanted", "tags", "chosen"),
    [
        ("zh", ["en", "zh-CN"], "zh-CN"),
        ("zh", ["ZH_tw", "zh"], "zh"),
        ("zh-CN", ["zh-TW", "zh", "zh-CN"], "zh-CN"),
        ("zh-CN", ["zh-TW", "zh"], "zh"),
        ("zh", ["zh-TW", "zh-CN"], "zh-TW"),
    ],
)
def test_languages(tmp_path: Path, wanted: str, tags: list[str], chosen: str) -> None:
    path = write(tmp_path, memory(unit(("de", "hallo"), *((tag, tag) for tag in tags))))
    assert read(path, source_language=wanted, target_language="de") == [(chosen, "hallo")]


def test_two_variants_of_one_language_make_a_pair(tmp_path: Path) -> None:
    path = write(tmp_path, memory(unit(("en", "a lift"), ("en-US", "an elevator"))))
    both = read(path, source_language="en", target_language="en-US")
    assert both == [("a lift", "an elevator")]
    assert read(path, source_language="en", target_language="en") == both


def test_units_without_a_language_are_counted(tmp_path: Path) -> None:
    units = unit(("zh", "一"), ("fr", "un")), unit(("zh", "二"), ("en", "two")), "<tu></tu>"
    source = read_pairs(
        [write(tmp_path, memory(*units))], source_language="zh", target_language="en"
    )
    assert [(pair.source, pair.line) for pair in source] == [("二", 2)]
    assert source.counts.read == 1
    assert source.counts.skipped == {"other language": 2}


def test_old_language_attribute(tmp_path: Path) -> None:
    text = memory(unit(("zh", "一"), ("en", "one"))).replace("xml:lang", "lang")
    assert read(write(tmp_path, text)) == [("一", "one")]


LAUGHS = (
    '<!DOCTYPE tmx [\n<!ENTITY a "ha">\n<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">\n'
    '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>\n'
)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (tmx(PAIRS)[:-30], 10, r"broken XML \(unclosed token\)"),
        (tmx(PAIRS).replace("</tmx>", ""), 13, r"broken XML \(no element found\)"),
        ("", 1, "broken XML"),
        ("not XML at all", 1, "broken XML"),
        (tmx(PAIRS, prolog=LAUGHS), 3, "the entity 'a'"),
        (
            tmx(PAIRS, prolog='<!DOCTYPE tmx [\n<!ENTITY e SYSTEM "file:secret">]>\n'),
            3,
            "the entity 'e'",
        ),
        (tmx(PAIRS, prolog='<!DOCTYPE tmx [\n<!ENTITY % p "x">]>\n'), 3, "the entity 'p'"),
        (
            tmx([("a", "b")], prolog='<!DOCTYPE tmx SYSTEM "x.dtd">\n').replace(">b<", ">&nbsp;<"),
            7,
            "the entity 'nbsp'",
        ),
        (tmx([("a", "b")]).replace(">b<", ">&nbsp;<"), 6, r"broken XML \(undefined entity\)"),
        (memory("<tu>\n<tuv><seg>a</seg></tuv></tu>"), 4, "<tuv> without xml:lang"),
        (memory("\n", unit(("fr", "un"), ("de", "eins"))), 4, "no unit in zh and en; .* fr, de"),
        ("<html>\n</html>", 1, "<html>; expected <tmx>"),
        (memory("<seg>a</seg>"), 3, "<seg> in the wrong place; expected <seg> inside <tuv>"),
        ("<tmx><body>\n<tu><tu></tu></tu></body></tmx>", 2, "<tu> in the wrong place"),
        ("<tmx>\n" + "<a>" * 300, 2, "more than 256 nested"),
        ('<?xml version="1.0" encoding="rot13"?><tmx/>', 1, "the encoding 'rot13'"),
        ('<?xml version="1.0" encoding="unicode_escape"?><tmx/>', 1, "unicode_escape"),
        ('<?xml version="1.0" encoding="gbk"?><tmx/>', 1, "encoding that cannot be read"),
        (memory(unit(("zh", "a" * (1 << 20) + "b"), ("en", "x"))), 3, "segment of more than"),
        (memory(unit(("zh", "<ph type='lb'/>" * (1 << 20) + "b"))), 3, "segment of more than"),
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


def test_malformed_utf8_is_refused(tmp_path: Path) -> None:
    data = tmx(PAIRS).encode().replace(b"wait", b"w\xffit")
    with pytest.raises(FormatError, match="broken XML") as caught:
        read(write(tmp_path, data), encoding_errors="replace")
    assert caught.value.line == 6


def test_endless_markup_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, '<tmx a="' + "x" * (6 << 20))
    with pytest.raises(FormatError, match="more than 4 MB"):
        read(path)


def test_mutations(tmp_path: Path) -> None:
    assert only_format_errors(tmp_path / "m.tmx", tmx(PAIRS).encode()) > 150
