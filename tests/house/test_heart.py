"""The table of algorithms in ARCHITECTURE.md names functions that are where it says."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.house import architecture, cpp


def defines(path: Path, name: str) -> bool:
    """Whether the file has a body of the function, which may be a class's."""
    text = path.read_text("utf-8")
    owner, _, function = name.rpartition("::")
    if path.suffix == ".py":
        defined = [one for one in ast.walk(ast.parse(text)) if isinstance(one, ast.FunctionDef)]
        return any(one.name == name for one in defined)
    if cpp.has_body(text, rf"{owner}(?:<[^>\n]*>)?::{function}" if owner else function):
        return True
    return bool(re.search(rf"\b(?:class|struct) {owner}\b", text)) and cpp.has_body(text, function)


@pytest.mark.parametrize(
    ("algorithm", "heart", "file"),
    architecture.rows("algorithm", "heart"),
    ids=lambda cell: cell.split()[0],
)
def test_the_heart_is_where_the_table_says(algorithm: str, heart: str, file: str) -> None:
    (name,), (place,) = architecture.names(heart), architecture.names(file)
    assert defines(cpp.ROOT / place, name), f"{algorithm}: {place} does not define {name}"


def test_the_algorithms_of_the_field_are_there() -> None:
    assert len(architecture.rows("algorithm", "heart")) >= 25


def test_calls_and_declarations_are_not_taken_for_functions(tmp_path: Path) -> None:
    file = tmp_path / "one.cpp"
    file.write_text("int f(int a);\nint g() { return f(2); }\nint C<K>::h(int a) const {}\n")
    assert [defines(file, name) for name in ("f", "g", "C::h", "D::h")] == [0, 1, 1, 0]
