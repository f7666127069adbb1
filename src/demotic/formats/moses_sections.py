"""The sections of a `moses.ini`, whatever its age."""

from __future__ import annotations

from dataclasses import dataclass, field

from demotic.errors import FormatError
from demotic.lines import LineFile, PathLike

__all__ = ["MosesIni", "read_sections"]


@dataclass
class MosesIni:
    """The raw file: sections with numbered lines."""

    path: PathLike
    sections: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    section_lines: dict[str, int] = field(default_factory=dict)

    def refusal(self, line: int, found: str, expected: str, advice: str = "") -> FormatError:
        return FormatError(found, path=self.path, line=line, expected=expected, advice=advice)

    def first(self, section: str) -> tuple[int, str]:
        lines = self.sections.get(section)
        return lines[0] if lines else (self.section_lines.get(section, 0), "")


def read_sections(path: PathLike) -> MosesIni:
    ini = MosesIni(path)
    current: list[tuple[int, str]] | None = None
    for number, raw in enumerate(LineFile(path), 1):
        text = raw.split("#", 1)[0].strip()
        if not text:
            continue
        if text.startswith("[") and text.endswith("]"):
            name = text[1:-1].strip()
            current = ini.sections.setdefault(name, [])
            ini.section_lines.setdefault(name, number)
        elif current is None:
            raise ini.refusal(number, repr(text), "a [section] first", "is this a moses.ini?")
        else:
            current.append((number, text))
    return ini
