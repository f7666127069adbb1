"""Readers of markup and glossaries take any input: a value, or FormatError with file and line.

Each takes time in proportion to its input, whatever it holds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from demotic.constraints.glossary import is_forbidden, read_glossary
from demotic.constraints.markup import pieces_of
from demotic.constraints.xml_input import MarkedLine, read_xml
from demotic.errors import FormatError

LINES = [
    'er liest <n translation="a novel||volume" prob="0.7||0.3">ein Buch</n> .',
    "<zone>a b <wall/> c</zone> &lt; &amp;quot; &#64; d",
    "<x translation='y'><z translation='z'>a</z></x>",
]
TBX = [
    b"<martif type='TBX'><text><body><termEntry><langSet xml:lang='de'><tig><term>Haus</term></tig>"
    b"</langSet><langSet xml:lang='en'><tig><term>house</term>"
    b"<termNote type='administrativeStatus'>deprecatedTerm-admn-sts</termNote></tig>"
    b"</langSet></termEntry></body></text></martif>",
    b"<?xml version='1.0' encoding='UTF-8'?><tbx><text><body><conceptEntry><note>n</note>"
    b"<langSec xml:lang='de-DE'><termSec><term>das <hi>Buch</hi></term></termSec></langSec>"
    b"<langSec xml:lang='en'><termSec><term>book</term></termSec></langSec></conceptEntry></body>"
    b"</text></tbx>",
]
TABLES = [b"Haus\thouse\tnote\tforbidden\n# x\nBuch\tbook\n", b'source,target\n"a, b","c ""d"""\n']
SIGNS = [
    "<", ">", '"', "'", "&", ";", "/", "=", "||", "<!--", "<![CDATA[", "]]>", "<!DOCTYPE a>",
    "<?x?>", "\0", "\n", "\t", "\ufeff", "\ufffc", "&#0;", "&#xd800;", "&lt;", "<wall/>", "</zone>",
    "<zone>", "prob=", "translation=", "1e999", "nan", "-1", "\u2028", "\u202e", "<term>",
    "</langSet>", ",",
]  # fmt: skip


@st.composite
def changed(draw: st.DrawFn, samples: list[str]) -> str:
    """A sample in which some stretches are replaced by signs of the format."""
    text = draw(st.sampled_from(samples))
    for _ in range(draw(st.integers(0, 4))):
        begin = draw(st.integers(0, len(text)))
        end = min(len(text), begin + draw(st.integers(0, 20)))
        text = text[:begin] + draw(st.sampled_from(SIGNS) | st.text(max_size=4)) + text[end:]
    return text


def check(error: FormatError, name: str) -> None:
    """It names the file, what was found and what was expected."""
    assert Path(error.path).name == name
    assert error.found
    assert error.expected


def read_line(text: str) -> MarkedLine | None:
    try:
        return read_xml(text, line=7, name="in.de", decode=(True, True))
    except FormatError as error:
        check(error, "in.de")
        return None


@settings(max_examples=500, deadline=None)
@given(changed(LINES) | st.lists(st.sampled_from(SIGNS)).map("".join) | st.text(max_size=60))
@example('<a translation="x" translation="y">b</a>')
@example('<a translation="x" prob="1e999">b</a>')
@example("<a translation='x'>b</a")
@example("<zone><zone></zone>")
@example("&#xd800; &#1114112; &#99999999999;")
def test_xml_words(text: str) -> None:
    found = read_line(text)
    if found is None:
        return
    assert "".join(found.pieces) == found.text
    for wish in found.wishes:
        assert 0 <= wish.begin <= wish.end <= len(found.pieces)
        assert all(log <= 0 for _, log in wish.targets)


def glossary(folder: Path, name: str, data: bytes) -> None:
    path = folder / name
    path.write_bytes(data)
    try:
        found = read_glossary(path, source_language="de", target_language="en")
    except FormatError as error:
        check(error, name)
        return
    for entry in found.entries:
        assert entry.source
        assert entry.target
    for term in found.terms:
        assert term.targets or term.forbidden
        assert not set(term.targets) & set(term.forbidden)
    found.write(folder / "again.tsv")
    again = read_glossary(folder / "again.tsv")
    assert [one.source for one in again.terms] == [one.source for one in found.terms]
    marked = [is_forbidden(one.status) for one in found.entries]
    assert [is_forbidden(one.status) for one in again.entries] == marked


_SHARED = settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@_SHARED
@given(text=changed([one.decode() for one in TBX]))
@example(text="<tbx><!DOCTYPE a>")
@example(text="<!DOCTYPE a [<!ENTITY b 'c'>]><tbx>&b;</tbx>")
@example(text="<tbx>" * 200)
@example(text="<martif><term>a</term></martif>")
def test_tbx(tmp_path: Path, text: str) -> None:
    glossary(tmp_path, "terms.tbx", text.encode("utf-8", "surrogatepass"))


@_SHARED
@given(
    name=st.sampled_from(["terms.csv", "terms.tsv"]),
    data=st.binary(max_size=60)
    | changed([one.decode() for one in TABLES]).map(lambda text: text.encode("utf-8", "replace")),
)
@example(name="terms.csv", data=b'"')
@example(name="terms.csv", data=b'a,"b\n')
@example(name="terms.tsv", data=b"a\tb\r\n\x0c\tc")
@example(name="terms.tsv", data=b"\tb")
def test_tables(tmp_path: Path, name: str, data: bytes) -> None:
    glossary(tmp_path, name, data)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(SIGNS) | st.text(max_size=3)).map("".join))
def test_pieces_are_the_text(text: str) -> None:
    for form in ("html", "text"):
        pieces = pieces_of(text, form)  # type: ignore[arg-type]
        assert "".join(one.written or one.text for one in pieces) == text


PARTS = [
    "<",
    "<a ",
    "<zone>",
    "&",
    '<n a="',
    "<!--",
    "||",
    "</n>",
    "<a '\"",
    "<![CDATA[",
    "<?",
    "<b></i>",
]


def _long(count: int) -> Iterator[tuple[str, Callable[[], object]]]:
    for part in PARTS:
        yield f"XML words: {part}", lambda part=part: read_line(part * count)  # type: ignore[misc]
        yield f"HTML: {part}", lambda part=part: pieces_of(part * count, "html")  # type: ignore[misc]


@pytest.mark.parametrize("number", range(2 * len(PARTS)))
def test_the_time_is_proportional(number: int) -> None:
    """Not quadratic: sixteen times the text takes less than a hundred times as long."""

    def seconds(count: int) -> float:
        work = list(_long(count))[number][1]
        times = []
        for _ in range(3):
            began = time.process_time()
            work()
            times.append(time.process_time() - began)
        return min(times)

    assert seconds(16_000) < 0.05 + 100 * seconds(1_000)
