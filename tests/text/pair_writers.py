"""Small writers of each format, mutations of files, and the expected cleaning of a text."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from xml.sax.saxutils import escape

from hypothesis import strategies as st

from demotic.errors import FormatError
from demotic.text import Pair, read_pairs

Texts = list[tuple[str, str]]

PAIRS: Texts = [
    ("我们 在 河边 等 船", "we wait for the boat by the river"),
    ("他 说 “ 明天 见 ” & 走 了", 'he said "see you tomorrow" & left'),
    ("价格 < 10 元", "the price is < 10 yuan"),
]

_SPACES = "[\x00-\x1f\x7f-\x9f]"


def cleaned(text: str) -> str:
    """The rules of lines, implemented a second time and slowly."""
    text = text.replace("\n", " ").rstrip("\r")
    return re.sub(_SPACES, " ", text.removeprefix("\ufeff"))


def read(*paths: Path, **settings: object) -> Texts:
    return [(pair.source, pair.target) for pair in pairs_of(*paths, **settings)]


def pairs_of(*paths: Path, **settings: object) -> list[Pair]:
    chosen = {"source_language": "zh", "target_language": "en"} | settings
    return list(read_pairs(paths, **chosen))  # type: ignore[arg-type]


# All that XML 1.0 can hold.
xml_texts = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")
    | st.sampled_from("\t\n\r\x85 <>&'\"]\u2028\ufeff"),
    max_size=30,
)
xml_pairs = st.lists(st.tuples(xml_texts, xml_texts), max_size=8)
any_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
any_pairs = st.lists(st.tuples(any_texts, any_texts), max_size=8)


def translated(pairs: Texts) -> Texts:
    """Those that no reader takes for headers or untranslated."""
    return [(source, target) for source, target in pairs if source.strip() and target.strip()]


def xml_escape(text: str) -> str:
    return escape(text, {"\r": "&#13;"})


def tmx(pairs: Iterable[tuple[str, str]], *, prolog: str = "") -> str:
    units = "".join(
        f'<tu><tuv xml:lang="zh-CN"><seg>{xml_escape(source)}</seg></tuv>\n'
        f'<tuv xml:lang="en"><seg>{xml_escape(target)}</seg></tuv></tu>\n'
        for source, target in pairs
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n{prolog}<tmx version="1.4">\n'
        f'<header srclang="zh-CN"/>\n<body>\n{units}</body>\n</tmx>\n'
    )


def xliff1(pairs: Iterable[tuple[str, str]], *, target_language: str = "en") -> str:
    units = "".join(
        f'<trans-unit id="{i}"><source>{xml_escape(source)}</source>\n'
        f"<target>{xml_escape(target)}</target></trans-unit>\n"
        for i, (source, target) in enumerate(pairs)
    )
    return (
        '<?xml version="1.0"?>\n'
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n'
        f'<file source-language="zh" target-language="{target_language}">\n'
        f"<body>\n{units}</body></file></xliff>\n"
    )


def xliff2(pairs: Iterable[tuple[str, str]]) -> str:
    units = "".join(
        f'<unit id="{i}"><segment><source>{xml_escape(source)}</source>\n'
        f"<target>{xml_escape(target)}</target></segment></unit>\n"
        for i, (source, target) in enumerate(pairs)
    )
    return (
        '<?xml version="1.0"?>\n<xliff version="2.0" srcLang="zh" trgLang="en" '
        f'xmlns="urn:oasis:names:tc:xliff:document:2.0"><file id="f">\n{units}</file></xliff>\n'
    )


def po_quote(text: str) -> str:
    for sign, escaped in (
        ("\\", "\\\\"),
        ('"', '\\"'),
        ("\n", "\\n"),
        ("\t", "\\t"),
        ("\r", "\\r"),
    ):
        text = text.replace(sign, escaped)
    return f'"{text}"'


def po(pairs: Iterable[tuple[str, str]], *, header: str = "Language: en\n") -> str:
    head = po_quote(header + "Content-Type: text/plain; charset=UTF-8\n")
    entries = "".join(
        f'\nmsgctxt "entry {i}"\nmsgid {po_quote(source)}\nmsgstr ""\n{po_quote(target)}\n'
        for i, (source, target) in enumerate(pairs)
    )
    return f'msgid ""\nmsgstr ""\n{head}\n{entries}'


def only_format_errors(path: Path, data: bytes, *, mutations: int = 300) -> int:
    """Reads mutated copies of a file; how many of them were refused."""
    rng = random.Random(7)
    refused = []
    for _ in range(mutations):
        path.write_bytes(_mutated(data, rng))
        try:
            read(path)
        except FormatError as error:
            refused.append(error)
    assert {error.path for error in refused} == {str(path)}
    return len(refused)


def _mutated(data: bytes, rng: random.Random) -> bytes:
    kinds: list[Callable[[int, int], bytes]] = [
        lambda i, j: data[:i] + bytes([rng.randrange(256)]) + data[i + 1 :],
        lambda i, j: data[:i] + data[j:],
        lambda i, j: data[:j] + data[i:],
        lambda i, j: data[:i],
        lambda i, j: data[:i] + data[i:j][::-1] + data[j:],
    ]
    first, second = sorted((rng.randrange(len(data)), rng.randrange(len(data))))
    return rng.choice(kinds)(first, second)
