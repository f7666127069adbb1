"""XLIFF 1.2 (`trans-unit`) and 2.x (`unit` > `segment`): a source and, once translated, a target.

Pairs are used in either direction: an English-Chinese file also serves Chinese-English.
Alternatives proposed by a tool (`alt-trans`, match candidates) are ignored.
"""

from __future__ import annotations

from typing import ClassVar

from demotic.text.readers.languages import directed
from demotic.text.readers.markup import XmlReader

__all__ = ["XliffReader"]

_UNITS = ("trans-unit", "unit")
_HOLDERS = ("trans-unit", "segment")
# Elements whose translate="no" applies to everything inside.
_SCOPES = ("file", "group", *_UNITS)
_REFUSED_STATES = {
    "new": "untranslated",
    "initial": "untranslated",
    "needs-translation": "untranslated",
    "needs-l10n": "untranslated",
    "needs-review-translation": "needs review",
    "needs-review-l10n": "needs review",
}


class XliffReader(XmlReader):
    """Pairs of the sources and targets of a localisation file."""

    root: ClassVar[str] = "xliff"

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if not self.open_elements:
            self._begin_document(attributes)
        elif name == "file" and self._version == 1:
            self._direct(attributes, "source-language", "target-language")
        elif name in _UNITS:
            self.begin_unit()
        if name in _SCOPES:
            above = self._translatable[-1]
            self._translatable.append(attributes.get("translate", "yes" if above else "no") != "no")
        if name in _HOLDERS:
            self._texts: dict[str, str] = {}
            self._state = attributes.get("state", "")
        if name in ("source", "target") and self.open_elements[-1] in _HOLDERS:
            self._state = attributes.get("state", self._state)
            self.begin_text()

    def text(self, name: str, text: str) -> None:
        self._texts[name] = text

    def end(self, name: str) -> None:
        if name in _HOLDERS:
            self._end_pair()
        if name in _SCOPES:
            self._translatable.pop()

    def _begin_document(self, attributes: dict[str, str]) -> None:
        version = attributes.get("version", "")
        if version[:2] not in ("1.", "2."):
            self.fail(f"XLIFF version {version[:20]!r}", "1.2, 2.0 or 2.1", "convert the file")
        self._version = int(version[0])
        self._translatable = [True]
        self._direction = 0
        if self._version == 2:
            self._direct(attributes, "srcLang", "trgLang")

    def _direct(self, attributes: dict[str, str], source: str, target: str) -> None:
        """Determines which of the two sides is the requested source."""
        tags = attributes.get(source, ""), attributes.get(target, "")
        if not tags[0]:
            self.fail(f"no {source}", "the language of the sources", f'add {source}="..."')
        self.saw_languages(*tags)
        wanted = self.options.source_language, self.options.target_language
        self._direction = directed(*wanted, tags)
        self.languages_found |= self._direction != 0

    def _end_pair(self) -> None:
        texts, self._texts = self._texts, {}
        if "source" not in texts:
            self.fail("a unit without <source>", "its text", "correct the file")
        reason = self._reason_to_skip(texts)
        if reason:
            self.skipped[reason] += 1
        elif self._direction > 0:
            self.add(texts["source"], texts["target"], self.unit)
        else:
            self.add(texts["target"], texts["source"], self.unit)

    def _reason_to_skip(self, texts: dict[str, str]) -> str:
        if self._direction == 0:
            return "other language"
        if not self._translatable[-1]:
            return "not to be translated"
        if self._state in _REFUSED_STATES:
            return _REFUSED_STATES[self._state]
        return "" if texts.get("target", "").strip() else "untranslated"
