"""TMX 1.4: adds a variant in the target language to units that lack one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from demotic.documents.budget import Budget
from demotic.documents.document import Languages, TextDocument
from demotic.documents.segment import Piece, Segment, Splice, plain_text
from demotic.documents.xml_inline import inline_parts, inline_pieces, space_before
from demotic.documents.xml_tree import Element, escaped, read_xml
from demotic.errors import FormatError
from demotic.text.readers.languages import language_fit

__all__ = ["read_tmx"]

_XML_LANG = "http://www.w3.org/XML/1998/namespace lang"


def read_tmx(data: bytes, name: str, languages: Languages, budget: Budget) -> TextDocument:
    text, encoded, root = read_xml(data, name, budget, "tmx")
    header, body = root.first("header"), root.first("body")
    if body is None:
        raise _error(text, name, root, "a memory without <body>", "<body> with units")
    default = header.attributes.get("srclang", "") if header is not None else ""
    wanted = Languages(languages.source or default, languages.target)
    if not wanted.source or not wanted.target:
        raise _error(
            text, name, root, "a memory, but the model does not declare its languages",
            "a model made by demotic make or prepare",
        )  # fmt: skip
    segments: list[Segment] = []
    seen: dict[str, None] = {}
    for unit in body.elements("tu"):
        variants = list(_variants(text, name, unit))
        seen.update(dict.fromkeys(language for language, *_ in variants))
        segments += _segments(text, unit, variants, wanted, budget)
    if seen and not segments:
        found = f"no unit in {wanted.source}; the file has {', '.join(list(seen)[:20])}"
        raise _error(text, name, body, found, f"units in {wanted.source}")
    return TextDocument(text, encoded, segments)


_Variant = tuple[str, Element, Element]  # language, <tuv>, <seg>


def _variants(text: str, name: str, unit: Element) -> Iterator[_Variant]:
    for variant in unit.elements("tuv"):
        language = variant.attributes.get(_XML_LANG) or variant.attributes.get("lang", "")
        segment = variant.first("seg")
        if not language:
            raise _error(text, name, variant, "<tuv> without xml:lang", "its language")
        if segment is None:
            raise _error(text, name, variant, "<tuv> without <seg>", "its text")
        yield language, variant, segment


def _segments(
    text: str, unit: Element, variants: list[_Variant], wanted: Languages, budget: Budget
) -> Iterator[Segment]:
    source = _best(variants, wanted.source)
    if source is None:
        return
    target = _best([one for one in variants if one is not source], wanted.target)
    known = target is not None and plain_text(inline_pieces(target[2], spaced=True)).strip()
    budget.segment(source[2].close_begin - source[2].open_end)
    pieces = inline_pieces(source[2], spaced=False)
    budget.parts(len(pieces))
    yield Segment(
        pieces,
        _writer(text, unit, source, target, wanted.target),
        translated=bool(known),
    )


def _writer(
    text: str, unit: Element, source: _Variant, target: _Variant | None, language: str
) -> Callable[[Sequence[Piece]], list[Splice]]:
    def write(pieces: Sequence[Piece]) -> list[Splice]:
        parts = inline_parts(pieces)
        if target is not None:
            opened = text[target[2].begin : target[2].open_end]
            tag = opened[:-2].rstrip() + ">" if opened.endswith("/>") else opened
            return [Splice(target[2].begin, target[2].end, (tag, *parts, "</seg>"))]
        last = list(unit.elements("tuv"))[-1]
        opened = f'<tuv xml:lang="{escaped(language)}" creationtool="Demotic"><seg>'
        indent = space_before(text, source[1].begin)
        return [Splice(last.end, last.end, (indent + opened, *parts, "</seg></tuv>"))]

    return write


def _best(variants: list[_Variant], language: str) -> _Variant | None:
    best = max(variants, key=lambda one: language_fit(language, one[0]), default=None)
    return best if best is not None and language_fit(language, best[0]) else None


def _error(text: str, name: str, element: Element, found: str, expected: str) -> FormatError:
    line = text.count("\n", 0, element.begin) + 1
    return FormatError(found, path=name, line=line, expected=expected, advice="correct the file")
