"""Reads XML files as streams of segments, safely even if they are malicious.

Expat reads the file in chunks and loads nothing external.  Entities declared by the file,
references to unknown entities, unlimited markup and excessive nesting are refused.  Each format
defines which elements hold text; the text itself is collected here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar, NoReturn
from xml.parsers import expat

from demotic.lines import PathLike, open_plain_bytes
from demotic.text.pairs import Pair
from demotic.text.readers.charsets import is_text_charset
from demotic.text.readers.inline import InlineText
from demotic.text.readers.reader import MAX_SEGMENT, ReadOptions, SegmentReader

__all__ = ["XML_LANG", "XmlReader"]

XML_LANG = "http://www.w3.org/XML/1998/namespace lang"

_MAX_DEPTH = 256
_MAX_TOKEN = 1 << 22  # maximum bytes per tag, comment or instruction
_WELL_FORMED = "complete, well-formed XML"
_REPAIR = "correct the file; xmllint lists all its errors"


class XmlReader(SegmentReader):
    """Base of TMX and XLIFF.  A format overrides `start`, `end` and `text`."""

    root: ClassVar[str]  # the name of the outermost element

    def __init__(self, path: PathLike, options: ReadOptions) -> None:
        super().__init__(path, options)
        self.open_elements: list[str] = []
        self.unit = 0
        self.languages_found = False  # set by the format
        self._first_unit_line = 0
        self._languages: dict[str, None] = {}  # an ordered set
        self._done: list[Pair] = []
        self._inline: InlineText | None = None
        self._text_depth = 0
        self._namespace = ""
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.XmlDeclHandler = self._declaration
        self._parser.EntityDeclHandler = self._entity
        self._parser.SkippedEntityHandler = self._entity

    @abstractmethod
    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element outside segments starts; elements of foreign namespaces have no name."""

    @abstractmethod
    def end(self, name: str) -> None: ...

    @abstractmethod
    def text(self, name: str, text: str) -> None:
        """A segment that `begin_text` opened in `start` is complete."""

    def segments(self) -> Iterator[Pair]:
        fed = 0
        for data in open_plain_bytes(self.path):
            self._parse(data, last=False)
            fed += len(data)
            if fed - self._parser.CurrentByteIndex > _MAX_TOKEN:
                self.fail("a tag or comment of more than 4 MB", _WELL_FORMED, _REPAIR)
            yield from self._taken()
        self._parse(b"", last=True)
        yield from self._taken()
        self._refuse_other_languages()

    def begin_text(self) -> None:
        self._inline = InlineText()
        self._text_depth = len(self.open_elements)

    def add(self, source: str, target: str, unit: int) -> None:
        self._done.append(Pair(source, target, self.origin, unit))

    def fail(self, found: str, expected: str, advice: str) -> NoReturn:
        raise self.error(found, self.line, expected=expected, advice=advice)

    @property
    def line(self) -> int:
        return self._parser.CurrentLineNumber

    def begin_unit(self) -> None:
        self.unit += 1
        self._first_unit_line = self._first_unit_line or self.line

    def saw_languages(self, *tags: str) -> None:
        """Remembers the languages, for the error message if none of them is wanted."""
        if len(self._languages) < 20:
            self._languages.update(dict.fromkeys(tag for tag in tags if tag))

    def _refuse_other_languages(self) -> None:
        if self.unit and not self.languages_found:
            wanted = f"{self.options.source_language} and {self.options.target_language}"
            raise self.error(
                f"no unit in {wanted}; the file has {', '.join(self._languages) or 'none'}",
                self._first_unit_line,
                expected=f"units with both {wanted}",
                advice="name the languages as the file does",
            )

    def _parse(self, data: bytes, *, last: bool) -> None:
        try:
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            found = f"broken XML ({expat.ErrorString(error.code)})"
            raise self.error(found, error.lineno, expected=_WELL_FORMED, advice=_REPAIR) from None
        except (LookupError, ValueError) as error:  # an encoding that expat does not know
            self.fail(f"an encoding that cannot be read ({error})", "UTF-8", "convert it")

    def _taken(self) -> list[Pair]:
        done, self._done = self._done, []
        return done

    def _start(self, qualified: str, attributes: dict[str, str]) -> None:
        namespace, _, name = qualified.rpartition(" ")
        if not self.open_elements:
            self._namespace = namespace
            if name != self.root:
                self.fail(f"<{name[:40]}>", f"<{self.root}> as root element", "give --format")
        elif namespace != self._namespace:
            name = ""
        if len(self.open_elements) >= _MAX_DEPTH:
            self.fail(f"more than {_MAX_DEPTH} nested elements", "fewer", _REPAIR)
        if self._inline is not None:
            self._inline.start(name, attributes)
            self._check_size(self._inline)
        else:
            self.start(name, attributes)
        self.open_elements.append(name)

    def _end(self, _qualified: str) -> None:
        name = self.open_elements.pop()
        if self._inline is None:
            self.end(name)
        elif len(self.open_elements) > self._text_depth:
            self._inline.end(name)
        else:
            finished, self._inline = str(self._inline), None
            self.text(name, finished)

    def _characters(self, data: str) -> None:
        if self._inline is not None:
            self._inline.text(data)
            self._check_size(self._inline)

    def _check_size(self, inline: InlineText) -> None:
        if inline.size > MAX_SEGMENT:
            found = f"a segment of more than {MAX_SEGMENT} characters"
            self.fail(found, "sentences", "remove the segment from the file")

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        wide = encoding and encoding.lower().startswith("utf-16")
        if encoding and not wide and not is_text_charset(encoding):
            self.fail(f"the encoding {encoding!r}", "UTF-8 or UTF-16", "convert the file to UTF-8")

    def _entity(self, name: str, *_details: object) -> None:
        self.fail(
            f"the entity '{name[:40]}'",
            "no entities other than &amp; &lt; &gt; &quot; &apos;",
            "replace it by its content; entities can hide other files or unlimited text",
        )
