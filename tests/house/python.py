"""What the modules of the package import: at the top, within functions, or for types alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parents[2] / "src" / "demotic"


class Import(NamedTuple):
    module: str  # who imports, below demotic, with dots
    imported: str
    line: int
    types: bool  # under TYPE_CHECKING


def modules() -> dict[str, Path]:
    """By name below `demotic`; packages by their own name, the package itself as `__init__`."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts
        found[".".join(parts)] = path
    return found


def imports(name: str, text: str, known: set[str]) -> Iterator[Import]:
    """Of the module `name`; `known` tells modules from the names in them."""
    for node, types in _walk(ast.parse(text), types=False):
        for imported in _imported(node, known):
            yield Import(name, imported, node.lineno, types)


def _walk(tree: ast.AST, *, types: bool) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, types
        elif isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            yield from _walk(ast.Module(node.body, []), types=True)
            yield from _walk(ast.Module(node.orelse, []), types=types)
        else:
            yield from _walk(node, types=types)


def _imported(node: ast.Import | ast.ImportFrom, known: set[str]) -> Iterator[str]:
    """Modules of the package; an import with dots stays within its own folder."""
    if isinstance(node, ast.Import):
        yield from (one.name[8:] for one in node.names if one.name.startswith("demotic."))
    elif node.level:
        assert node.level == 1, f"line {node.lineno}: a relative import of another folder"
    elif node.module == "demotic":
        # `demotic.__version__` and the like are of no concept.
        yield from (one.name for one in node.names if not one.name.startswith("__"))
    elif node.module and node.module.startswith("demotic."):
        below = node.module[8:]
        for one in node.names:
            yield f"{below}.{one.name}" if f"{below}.{one.name}" in known else below
