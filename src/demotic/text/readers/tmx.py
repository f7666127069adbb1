"""TMX 1.4 (Translation Memory eXchange): units with one variant per language.

Structure: `tu` > `tuv xml:lang` > `seg`.  A unit without both languages is skipped and counted; of
several variants in one language, the first with the best matching tag is used.
"""

from __future__ import annotations

from typing import ClassVar

from demotic.text.readers.languages import language_fit
from demotic.text.readers.markup import XML_LANG, XmlReader

__all__ = ["TmxReader"]

_Variant = tuple[str, str]  # language, text


class TmxReader(XmlReader):
    """Pairs of two languages of a translation memory."""

    root: ClassVar[str] = "tmx"

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "tu":
            self._require_parent(name, "body")
            self.begin_unit()
            self._variants: list[_Variant] = []
        elif name == "tuv":
            self._require_parent(name, "tu")
            self._language = attributes.get(XML_LANG) or attributes.get("lang", "")
            if not self._language:
                self.fail("<tuv> without xml:lang", "its language", 'add xml:lang="..."')
            self.saw_languages(self._language)
        elif name == "seg":
            self._require_parent(name, "tuv")
            self.begin_text()

    def text(self, name: str, text: str) -> None:
        self._variants.append((self._language, text))

    def end(self, name: str) -> None:
        if name != "tu":
            return
        source = _best(self._variants, self.options.source_language)
        rest = [variant for variant in self._variants if variant is not source]
        target = _best(rest, self.options.target_language)
        if source is None or target is None:
            self.skipped["other language"] += 1
        else:
            self.languages_found = True
            self.add(source[1], target[1], self.unit)

    def _require_parent(self, name: str, parent: str) -> None:
        if not self.open_elements or self.open_elements[-1] != parent:
            self.fail(
                f"<{name}> in the wrong place", f"<{name}> inside <{parent}>", "correct the file"
            )


def _best(variants: list[_Variant], language: str) -> _Variant | None:
    best = max(variants, key=lambda variant: language_fit(language, variant[0]), default=None)
    return best if best is not None and language_fit(language, best[0]) else None
