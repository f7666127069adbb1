"""A `moses.ini` from before 2013, in terms of the features and weights of later ones.

Tables stood in sections of their own, and each section of weights listed those of all its tables
one after the other:

    [ttable-file]
    0 0 0 5 phrase-table.gz
    [weight-t]
    0.2
    ...
"""

from __future__ import annotations

import math
from collections.abc import Collection

from demotic.formats.moses_features import Feature
from demotic.formats.moses_sections import MosesIni
from demotic.formats.plan import config_number

__all__ = ["OLD_SECTIONS", "is_old", "old_features"]

_FILES = {"ttable-file", "lmodel-file", "distortion-file"}
_WEIGHTS = {"weight-t", "weight-l", "weight-d", "weight-w", "weight-u", "weight-p"}
OLD_SECTIONS = _FILES | _WEIGHTS
_TABLES = {
    "0": "PhraseDictionaryMemory",
    "1": "PhraseDictionaryBinary",
    "2": "PhraseDictionaryOnDisk",
    "6": "PhraseDictionaryMemory",  # hierarchical
    "8": "PhraseDictionarySuffixArray",
    "12": "PhraseDictionaryCompact",
    "14": "PhraseDictionaryDynSuffixArray",
}
_LANGUAGE_MODELS = {"0": "SRILM", "1": "IRSTLM", "8": "KENLM", "9": "KENLM"}
_SINGLE = {"weight-w": "WordPenalty", "weight-u": "UnknownWordPenalty", "weight-p": "PhrasePenalty"}
_DECIMAL = (*_LANGUAGE_MODELS.values(), "WordPenalty")
_UNSUPPORTED = (
    "generation-file",
    "global-lexical-file",
    *(f"weight-{name}" for name in ("bl", "dlm", "glm", "lex", "lr", "pb", "pp", "slm", "wt")),
)


def is_old(ini: MosesIni) -> bool:
    return any(name in OLD_SECTIONS for name in ini.sections)


def old_features(ini: MosesIni, *, charts: bool) -> tuple[list[Feature], dict[str, list[float]]]:
    """The features of the file, and their weights by name.  Raises FormatError."""
    _refuse_others(ini)
    reader = _Reader(ini)
    reader.add_tables()
    reader.add_language_models()
    reader.add_distortion(charts=charts)
    for section, kind in _SINGLE.items():
        if ini.sections.get(section):
            reader.add(kind, {}, ini.first(section)[0], reader.take(section, 1))
    if not ini.sections.get("weight-u"):
        reader.features.append(Feature("UnknownWordPenalty", "UnknownWordPenalty0", {}, 0))
    if charts:  # language models and word penalties of old charts had decimal logarithms
        for name in (name for name in reader.weights if name.startswith(_DECIMAL)):
            reader.weights[name] = [weight / math.log(10) for weight in reader.weights[name]]
    reader.check_all_used()
    return reader.features, reader.weights


def _refuse_others(ini: MosesIni) -> None:
    for name in ("feature", "weight"):
        if name in ini.sections:
            raise ini.refusal(
                ini.section_lines[name],
                f"[{name}] and sections of the format before 2013",
                "one of both formats",
            )
    for name in _UNSUPPORTED:
        if ini.sections.get(name):
            raise ini.refusal(
                ini.section_lines[name],
                f"the section [{name}]",
                "tables, reordering models, language models and penalties",
            )


class _Reader:
    """Collects features; weights of a section are taken in the order of its tables."""

    def __init__(self, ini: MosesIni) -> None:
        self.features: list[Feature] = []
        self.weights: dict[str, list[float]] = {}
        self._ini = ini
        self._left = {
            section: [(line, word) for line, text in lines for word in text.split()]
            for section, lines in ini.sections.items()
            if section in _WEIGHTS
        }

    def add_tables(self) -> None:
        for line, text in self._ini.sections.get("ttable-file", []):
            # In the oldest files the kind of the table is missing.
            known = f"0 {text}" if len(text.split()) == 4 else text
            kind, source, target, number, path = self._fields(
                line, known, "KIND 0 0 SCORES FILE", _TABLES
            )
            factors = {"input-factor": source, "output-factor": target}
            weights = self.take("weight-t", self._count(number, line))
            self.add(_TABLES[kind], factors | {"num-features": number, "path": path}, line, weights)

    def add_language_models(self) -> None:
        for line, text in self._ini.sections.get("lmodel-file", []):
            kind, factor, order, path = self._fields(
                line, text, "KIND 0 ORDER FILE", _LANGUAGE_MODELS
            )
            arguments = {"factor": factor, "order": order, "path": path}
            self.add(_LANGUAGE_MODELS[kind], arguments, line, self.take("weight-l", 1))

    def add_distortion(self, *, charts: bool) -> None:
        """The first weight is that of the distance, the others are those of reordering models."""
        if not self._left.get("weight-d"):
            return
        distance = self.take("weight-d", 1)
        if not charts:
            self.add("Distortion", {}, self._ini.first("weight-d")[0], distance)
        for line, text in self._ini.sections.get("distortion-file", []):
            factors, kind, number, path = self._fields(line, text, "0-0 TYPE SCORES FILE")
            source, _, target = factors.partition("-")
            arguments = {"input-factor": source, "output-factor": target, "type": kind}
            weights = self.take("weight-d", self._count(number, line))
            self.add("LexicalReordering", arguments | {"path": path}, line, weights)

    def add(self, kind: str, arguments: dict[str, str], line: int, weights: list[float]) -> None:
        name = f"{kind}{sum(one.kind == kind for one in self.features)}"
        self.features.append(Feature(kind, name, arguments, line))
        self.weights[name] = weights

    def take(self, section: str, number: int) -> list[float]:
        left = self._left.get(section, [])
        if len(left) < number:
            raise self._ini.refusal(
                self._ini.section_lines.get(section, 0),
                f"too few weights in [{section}]",
                "one per score of the tables, in their order",
            )
        taken = [left.pop(0) for _ in range(number)]
        return [
            config_number(word, self._ini.path, line, f"a weight of [{section}]")
            for line, word in taken
        ]

    def check_all_used(self) -> None:
        for section, left in self._left.items():
            if left:
                raise self._ini.refusal(
                    left[0][0],
                    f"more weights in [{section}] than its tables have scores",
                    "one per score of the tables, in their order",
                )

    def _count(self, text: str, line: int) -> int:
        return int(config_number(text, self._ini.path, line, "a number of scores"))

    def _fields(self, line: int, text: str, form: str, kinds: Collection[str] = ()) -> list[str]:
        fields = text.split()
        if len(fields) != len(form.split()) or (kinds and fields[0] not in kinds):
            known = f", KIND one of {' '.join(kinds)}" if kinds else ""
            raise self._ini.refusal(line, repr(text), f"{form}{known}")
        return fields
