"""Just enough C++ to read what a file of the core includes, and what it defines at namespace scope.

The code has one style (clang-format), no macros that open braces, and no raw strings with braces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
INCLUDE = ROOT / "core" / "include" / "demotic"
SOURCE = ROOT / "core" / "src"
ANONYMOUS = "(anonymous)"

_NOISE = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])+'""", re.S
)
_TYPE = re.compile(
    r"\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+(?:alignas\([^)]*\)\s*)?([\w:]*\w)"
)
_ALIAS = re.compile(r"^(?:template\s*<.*>\s*)?using\s+(\w+)\s*=")
_CONSTANT = re.compile(
    r"\b(?:constexpr|const|constinit)\b[^(]*?\b(\w+)(?:\[[^\]]*\])?\s*(?:=|\{|$)"
)


def files(*suffixes: str) -> list[Path]:
    """Headers and sources of the core with one of `suffixes`."""
    every = [path for home in (INCLUDE, SOURCE) for path in sorted(home.rglob("*"))]
    return [path for path in every if path.suffix in suffixes]


def folder(path: Path) -> str:
    """Which concept a file belongs to; '' for a header beside the folders."""
    home = INCLUDE if path.is_relative_to(INCLUDE) else SOURCE
    parts = path.relative_to(home).parts
    return parts[0] if len(parts) > 1 else ""


def included(path: Path) -> list[str]:
    """The project's headers that a file includes, below include/demotic."""
    return re.findall(r'^#include "demotic/([^"]+)"', path.read_text("utf-8"), re.M)


def definitions(text: str) -> Iterator[str]:
    """Types, aliases and constants that are defined at namespace scope, with their namespace."""
    text = re.sub(r"^\s*#[^\n]*(?:\\\n[^\n]*)*", "", text, flags=re.M)
    plain = _NOISE.sub(lambda found: " " if found["comment"] else '""', text)
    yield from _scope(plain, 0, "")


def _scope(text: str, start: int, name: str) -> Iterator[str]:
    """Statements of a namespace that begins at `start` and ends with its brace."""
    at, begin = start, start
    while at < len(text) and text[at] != "}":
        if text[at] == ";":
            yield from _defined(text[begin:at], "", name)
            begin = at + 1
        elif text[at] == "{":
            end = _closing(text, at)
            head = text[begin:at].strip()
            if inner := re.search(r"\bnamespace(?:\s+([\w:]+))?$", head):
                yield from _scope(text, at + 1, f"{name}{inner[1] or ANONYMOUS}::")
            else:
                yield from _defined(head, "{", name)
            # The rest of the statement, up to its semicolon, declares nothing new.
            at, begin = end, end + 1
        at += 1


def _closing(text: str, opening: int, pair: str = "{}") -> int:
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] == pair[0]) - (text[at] == pair[1])
        if depth == 0:
            return at
    raise ValueError(f"a {pair[0]} that is not closed")


def _defined(statement: str, end: str, name: str) -> Iterator[str]:
    statement = re.sub(r"\s+", " ", statement).strip()
    body = re.sub(r"^template ?<.*?> ?(?=class|struct|using|inline|constexpr)", "", statement)
    is_type = end and "(" not in body.split(":")[0]
    found = (
        (_TYPE.match(body) if is_type else None)
        or _ALIAS.match(body)
        or (_CONSTANT.search(body) if "(" not in body.split("=")[0] else None)
    )
    if found:
        yield name + found[1]


def has_body(text: str, function: str) -> bool:
    """Whether a function whose name matches is defined, not only declared or called."""
    plain = _NOISE.sub(lambda found: " " if found["comment"] else '""', text)
    for found in re.finditer(rf"\b{function}\(", plain):
        rest = plain[_closing(plain, found.end() - 1, "()") + 1 :]
        if re.match(r"\s*(?:const\b\s*|noexcept\b\s*|override\b\s*)*(?::|\{)", rest):
            return True
    return False
