"""A small document of every format, and translators that need no model."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence

from demotic.constraints.placeholders import cut
from demotic.constraints.tokens import Word
from demotic.documents.document import Languages
from demotic.documents.translate import DocumentTranslator

LANGUAGES = Languages("de", "en")

PO = """\
# Translators
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: en\\n"

#. a comment
#: main.c:12
msgid "Das <b>Haus</b> ist groß."
msgstr ""

#, c-format
msgid "%d Haus"
msgid_plural "%d Häuser"
msgstr[0] ""
msgstr[1] ""

msgctxt "menu"
msgid "Datei"
msgstr "File"

#, fuzzy
#| msgid "alt"
msgid "Neu \\"und\\" alt"
msgstr "Old"

msgid ""
"Erste Zeile\\n"
"Zweite\\tZeile\\n"
msgstr ""

#~ msgid "weg"
#~ msgstr "gone"
"""
XLIFF_1 = """\
<?xml version="1.0" encoding="utf-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file source-language="de" target-language="en" original="a" datatype="plaintext"><body>
    <!-- a comment -->
    <trans-unit id="1">
      <source>Das <g id="1">Haus</g> ist <x id="2"/>groß &amp; alt.</source>
    </trans-unit>
    <trans-unit id="2" translate="no"><source>nichts</source></trans-unit>
    <group translate="no"><trans-unit id="3"><source>nichts</source></trans-unit></group>
    <trans-unit id="4"><source>Ein Haus</source><target/></trans-unit>
    <trans-unit id="5"><source>Haus</source><target state="final">House</target></trans-unit>
    <trans-unit id="6"><source><![CDATA[a <b>Haus</b>]]></source><target state="new">Haus</target>
      <alt-trans><target>home</target></alt-trans></trans-unit>
    <trans-unit id="7"><source>Eins. Zwei.</source><seg-source><mrk mtype="seg" mid="0">Eins.</mrk>
      <mrk mtype="seg" mid="1">Zwei.</mrk></seg-source></trans-unit>
  </body></file>
</xliff>
"""
XLIFF_2 = """\
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="de" trgLang="en">
 <file id="f"><unit id="u">
  <segment id="1"><source>Das <pc id="1">Haus</pc> ist <sc id="2"/>groß<ec startRef="2"/>.</source>
  </segment>
  <segment id="2" state="reviewed"><source>Haus</source><target>House</target></segment>
  <segment id="3" state="initial"><source>Ein Haus</source><target>Ein Haus</target></segment>
 </unit></file>
</xliff>
"""
TMX = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="de" segtype="sentence"/><body>
  <tu>
    <tuv xml:lang="de-DE"><seg>Das <bpt i="1">&lt;b></bpt>Haus<ept i="1">&lt;/b></ept>.</seg></tuv>
  </tu>
  <tu><tuv xml:lang="de"><seg>Haus</seg></tuv><tuv xml:lang="en"><seg>House</seg></tuv></tu>
  <tu><tuv xml:lang="de"><seg>Kind</seg></tuv><tuv xml:lang="en"><seg/></tuv></tu>
  <tu><tuv xml:lang="fr"><seg>maison</seg></tuv></tu>
</body></tmx>
"""
HTML = """\
<!DOCTYPE html>
<html lang="de"><head><meta charset="utf-8"><title>Das Haus</title>
<meta name="description" content="Ein &quot;Haus&quot;">
<script>if (a < b) { document.write("<p>nichts</p>"); }</script><style>p { x: "y" }</style></head>
<body class="seite">
<!-- nichts -->
<p>Das <b>Haus</b> ist <a href="x.html" title="ein Kind">groß</a>.
   Der Hund &amp; das Kind.<br>Ende</p>
<ul><li>eins<li translate="no">nichts<li>zwei</ul>
<pre>nichts</pre><p>Der Befehl <code>ls &lt;x&gt;</code> fehlt.</p>
<p class="notranslate">nichts <b>nichts</b></p><img src="a.png" alt='Ein Bild'>
<p>1 2 3</p></body></html>
"""
MARKDOWN = """\
---
title: nichts
---

# Das *Haus* #

Ein Satz mit **fetten Wörtern** und
einem [Link](http://a.de/b_(c) "nichts").\x20\x20
Danach `nichts` und <https://nichts.de>.

Setext
======

1. Eins
2. [ ] Zwei
   Fortsetzung
   - Drei

> Zitat
> weiter

| Kopf | Spalte |
|:-----|:------:|
| Zelle | `nichts|nichts` |

```sh
nichts
```

    nichts

<div>
nichts
</div>

Siehe [Haus] und ![ein Bild](a.png) \\* 2 < 3 [^1].

[^1]: Eine Fußnote.
[Haus]: http://nichts.de
"""
SRT = """\
1\r
00:00:01,000 --> 00:00:02,500\r
<i>Das Haus ist\r
groß.</i>\r
\r
2\r
00:00:03,000 --> 00:00:04,000 X1:1\r
- Ein Kind?\r
- {\\an8}Ein Hund.\r
\r
3\r
00:00:05,000 --> 00:00:06,000\r
\r
"""
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
DOCX_XML = (
    f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:document xmlns:w="{_WORD}" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>'
    '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Das Haus</w:t></w:r></w:p>'
    '<w:p><w:r><w:t xml:space="preserve">Das </w:t></w:r><w:r><w:rPr><w:b/></w:rPr>'
    '<w:t>gro</w:t></w:r><w:proofErr w:type="x"/><w:r><w:rPr><w:b/></w:rPr><w:t>ße</w:t></w:r>'
    '<w:r><w:t xml:space="preserve"> Haus &amp; </w:t></w:r><w:hyperlink r:id="rId1"><w:r><w:rPr>'
    "<w:u/></w:rPr><w:t>ein Kind</w:t></w:r></w:hyperlink><w:r><w:br/><w:t>Ende.</w:t></w:r></w:p>"
    '<w:p><w:bookmarkStart w:id="0"/></w:p><w:p/><w:sectPr/></w:body></w:document>'
)


def docx(xml: str = DOCX_XML, **more: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", xml)
        archive.writestr("word/media/a.png", b"\x89PNG" + bytes(100))
        for name, text in more.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), text)
    return out.getvalue()


SAMPLES: dict[str, tuple[str, bytes]] = {
    "po": ("po", PO.encode()),
    "po-crlf": ("po", PO.replace("\n", "\r\n").encode()),
    "po-latin1": ("po", PO.replace("UTF-8", "ISO-8859-1").encode("latin-1")),
    "xliff-1": ("xliff", XLIFF_1.encode()),
    "xliff-1-utf16": ("xliff", XLIFF_1.replace("utf-8", "utf-16").encode("utf-16")),
    "xliff-2": ("xliff", XLIFF_2.encode("utf-8-sig")),
    "tmx": ("tmx", TMX.encode()),
    "html": ("html", HTML.encode()),
    "html-latin1": ("html", HTML.replace("utf-8", "latin-1").encode("latin-1")),
    "markdown": ("markdown", MARKDOWN.encode()),
    "srt": ("srt", SRT.encode("utf-8-sig")),
    "docx": ("docx", docx()),
}


def shouted(sentences: Sequence[str]) -> list[str]:
    """Upper case, except for tags and entities, and for what every translator keeps."""
    return [re.sub(r"(<[^<>]*>|&\w+;)|[^<&]+", _shout, one) for one in sentences]


def _shout(match: re.Match[str]) -> str:
    parts = cut(match[0])
    return match[1] or "".join(one if isinstance(one, Word) else one.upper() for one in parts)


def shouting() -> DocumentTranslator:
    return DocumentTranslator(shouted, LANGUAGES)


def copying() -> DocumentTranslator:
    return DocumentTranslator(list, LANGUAGES)


def shouted_text(data: str | bytes, format_: str, *, retranslate: bool = False) -> str:
    encoded = data.encode() if isinstance(data, str) else data
    return shouting().translate(encoded, format_, retranslate=retranslate).data.decode("utf-8")
