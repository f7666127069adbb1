"""XLIFF and TMX."""

from __future__ import annotations

import pytest

from demotic.documents.document import Languages
from demotic.documents.formats import read_document
from demotic.errors import FormatError
from tests.documents.samples import LANGUAGES, TMX, XLIFF_1, XLIFF_2, shouted_text

MACHINE = 'state="needs-review-translation" state-qualifier="mt-suggestion"'


def test_xliff_1() -> None:
    expected = XLIFF_1
    for before, after in (
        (
            "alt.</source>\n",
            f'alt.</source>\n      <target {MACHINE}>DAS <g id="1">HAUS</g> IST <x id="2"/>'
            "GROSS &amp; ALT.</target>\n",
        ),
        ("<target/>", f"<target {MACHINE}>EIN HAUS</target>"),
        (
            '<target state="new">Haus</target>',
            f"<target {MACHINE}>A &lt;b&gt;HAUS&lt;/b&gt;</target>",
        ),
        (
            "</seg-source>",
            f'</seg-source><target {MACHINE}><mrk mtype="seg" mid="0">EINS.</mrk> '
            '<mrk mtype="seg" mid="1">ZWEI.</mrk></target>',
        ),
    ):
        assert expected.count(before) == 1
        expected = expected.replace(before, after)
    assert shouted_text(XLIFF_1, "xliff") == expected


def test_xliff_2() -> None:
    expected = XLIFF_2
    for before, after in (
        ('<segment id="1">', '<segment id="1" state="translated">'),
        (
            ".</source>",
            '.</source><target>DAS <pc id="1">HAUS</pc> IST <sc id="2"/>GROSS<ec startRef="2"/>.'
            "</target>",
        ),
        ('state="initial"', 'state="translated"'),
        ("<target>Ein Haus</target>", "<target>EIN HAUS</target>"),
    ):
        assert expected.count(before) == 1
        expected = expected.replace(before, after)
    assert shouted_text(XLIFF_2, "xliff") == expected


def test_the_target_language_is_declared() -> None:
    made = shouted_text(XLIFF_1.replace(' target-language="en"', ""), "xliff")
    assert 'datatype="plaintext" target-language="en">' in made
    assert 'trgLang="en"' in shouted_text(XLIFF_2.replace(' trgLang="en"', ""), "xliff")


def test_protected_inline_text() -> None:
    text = XLIFF_1.replace('<g id="1">Haus</g>', '<mrk mtype="protected">Haus</mrk>')
    assert '<mrk mtype="protected">Haus</mrk> IST' in shouted_text(text, "xliff")


def test_prefixes_and_preserved_space() -> None:
    text = (
        '<x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><x:file '
        'source-language="de"><x:body><x:trans-unit xml:space="preserve"><x:source>Eins\n  zwei'
        "</x:source></x:trans-unit></x:body></x:file></x:xliff>"
    )
    made = shouted_text(text, "xliff")
    assert f"</x:source><x:target {MACHINE}>EINS\n  ZWEI</x:target>" in made


def test_tmx() -> None:
    expected = TMX
    for before, after in (
        (
            ".</seg></tuv>\n",
            '.</seg></tuv>\n    <tuv xml:lang="en" creationtool="Demotic"><seg>DAS '
            '<bpt i="1">&lt;b></bpt>HAUS<ept i="1">&lt;/b></ept>.</seg></tuv>\n',
        ),
        ("<seg/>", "<seg>KIND</seg>"),
    ):
        assert expected.count(before) == 1
        expected = expected.replace(before, after)
    assert shouted_text(TMX, "tmx") == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<xliff", "line 1: broken XML"),
        ("<tmx/>", "line 1: <tmx>; expected <xliff> as root"),
        ("\n<xliff version='3.0'/>", "line 2: XLIFF version '3.0'"),
        (XLIFF_1.replace("<source>Haus</source>", ""), "line 11: a unit without <source>"),
        (XLIFF_1.replace('="de"', '="fr"'), "line 3: source-language 'fr'; expected de"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><xliff>&b;</xliff>", "line 1: declarations in a DOCTYPE"),
        ("<!DOCTYPE a SYSTEM 'x'><xliff>&b;</xliff>", "line 1: the entity 'b'"),
        ("<xliff>" + "<a>" * 300, "more than 256 nested elements"),
        ("<?xml version='1.0' encoding='utf-7'?><xliff/>", "the charset 'utf-7'"),
    ],
)
def test_broken_xliff(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_document(text.encode(), "xliff", "a.xlf", LANGUAGES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<tmx/>", "a memory without <body>"),
        (TMX.replace(' xml:lang="fr"', ""), "line 9: <tuv> without xml:lang"),
        (TMX.replace("<seg>maison</seg>", ""), "line 9: <tuv> without <seg>"),
        (TMX.replace('"de', '"pl'), "line 3: no unit in de; the file has pl-DE, pl, en, fr"),
    ],
)
def test_broken_tmx(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_document(text.encode(), "tmx", "a.tmx", LANGUAGES)
    with pytest.raises(FormatError, match="does not declare its languages"):
        read_document(TMX.encode(), "tmx", "a.tmx", Languages())
