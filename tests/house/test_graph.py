"""Nothing points upwards: who may use whom stands in ARCHITECTURE.md, in the core and in Python.

The rows of that table go from the bottom to the top, and a row names only rows above itself, so no
concept can use itself through others.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache

import pytest

from tests.house import architecture, cpp, python

TYPES = " (types)"
Graph = dict[str, dict[str, str]]  # who uses whom, and where, for example


@lru_cache
def allowed(column: int) -> dict[str, list[str]]:
    """1: of the core; 2: of Python."""
    table = architecture.rows("concept", "core may include")
    return {row[0]: [one.strip() for one in row[column].split(",") if one] for row in table}


@lru_cache
def homes() -> dict[str, str]:
    """The concept of each module of the package, by the names in the table of concepts."""
    found: dict[str, str] = {}
    for concept, _, modules, *_ in architecture.rows("concept", "core"):
        for name in architecture.names(modules):
            key = name.rstrip("/").replace("/", ".")
            assert key not in found, f"{name} stands in two rows: {found[key]}, {concept}"
            found[key] = concept
    return found


def concept_of(module: str) -> str:
    """By the longest name that fits: `text.bitext_search`, then `text`."""
    parts = module.split(".")
    for end in range(len(parts), 0, -1):
        if home := homes().get(".".join(parts[:end])):
            return home
    return f"no concept has {module}"


@lru_cache
def core_graph() -> Graph:
    found: Graph = defaultdict(dict)
    for path in cpp.files(".h", ".cpp"):
        for header in cpp.included(path):
            begin, end = cpp.folder(path), header.partition("/")[0] if "/" in header else ""
            if end and begin != end:
                found[begin][end] = f"{path.relative_to(cpp.ROOT)} includes {header}"
    return found


@lru_cache
def python_graph() -> Graph:
    """An edge that types alone need is marked, unless another import needs it as well."""
    modules = python.modules()
    every = [
        one
        for name, path in modules.items()
        for one in python.imports(name, path.read_text("utf-8"), set(modules))
        if one.imported != "_core"
    ]
    found: Graph = defaultdict(dict)
    for one in sorted(every, key=lambda one: one.types):
        begin, end = concept_of(one.module), concept_of(one.imported)
        if begin != end and end not in found[begin]:
            mark = TYPES if one.types else ""
            found[begin][end + mark] = f"{one.module} line {one.line} imports {one.imported}"
    return found


GRAPHS = pytest.mark.parametrize(
    ("column", "graph"), [(1, core_graph), (2, python_graph)], ids=["core", "python"]
)


@GRAPHS
def test_only_allowed_edges_are_there(column, graph) -> None:  # type: ignore[no-untyped-def]
    table = allowed(column)
    wrong = [
        f"{begin} uses {end}: {place}"
        for begin, ends in graph().items()
        for end, place in ends.items()
        if end not in table.get(begin, ())
    ]
    assert wrong == [], "not in the table 'Who may use whom' of ARCHITECTURE.md"


@GRAPHS
def test_every_allowed_edge_is_needed(column, graph) -> None:  # type: ignore[no-untyped-def]
    found = graph()
    idle = [
        f"{begin} may use {end}, but does not"
        for begin, ends in allowed(column).items()
        for end in ends
        if end not in found[begin]
    ]
    assert idle == []


@pytest.mark.parametrize("column", [1, 2])
def test_allowed_edges_point_to_rows_above(column: int) -> None:
    order = list(allowed(column))
    upward = [
        f"{begin} uses {end}"
        for begin, ends in allowed(column).items()
        for end in ends
        if not end.endswith(TYPES) and order.index(end) >= order.index(begin)
    ]
    assert upward == []


def test_every_module_has_a_concept_and_every_name_a_module() -> None:
    modules = python.modules()
    assert [name for name in modules if concept_of(name).startswith("no concept")] == []
    assert [name for name in homes() if name not in modules and name != "__main__"] == []


def test_namespaces_see_what_folders_may_include() -> None:
    text = (cpp.INCLUDE / "namespaces.h").read_text("utf-8")
    seen = {
        name: set(re.findall(r"using namespace (\w+);", body))
        for name, body in re.findall(r"namespace (\w+) \{((?:\s*using namespace \w+;)*)\s*\}", text)
    }
    table = {begin: set(ends) for begin, ends in allowed(1).items()}
    folders = [name for name in seen if name != "all"]
    assert {name: _reached(seen, name) for name in folders} == {
        name: _reached(table, name) for name in folders
    }


def _reached(graph: dict[str, set[str]], begin: str) -> set[str]:
    found: set[str] = set()
    waiting = [begin]
    while waiting:
        new = graph.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def test_imports_are_read_wherever_they_stand() -> None:
    text = """
from __future__ import annotations
import demotic.lines
from demotic import __version__, _core
from demotic.text import corpus, Vocabulary
if TYPE_CHECKING:
    from demotic.model import Model
else:
    from demotic.weights import Weights
def late():
    from demotic.search.kinds import kind
"""
    known = {"lines", "text", "text.corpus", "model", "weights", "search", "search.kinds"}
    found = [(one.imported, one.types) for one in python.imports("here", text, known)]
    assert found == [
        ("lines", False),
        ("_core", False),
        ("text.corpus", False),
        ("text", False),
        ("model", True),
        ("weights", False),
        ("search.kinds", False),
    ]
