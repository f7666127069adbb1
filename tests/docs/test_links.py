"""Links between pages, to their sections and to files of the repository lead somewhere."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from demotic.cli.main import VERBS

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
    if "_build" not in path.parts and not path.name.startswith("notebook-")
)
WRITTEN = {"options.md", "notebook-first-translator.md", "notebook-inside-the-search.md"}
CODE = re.compile(r"^(```+)[^\n]*\n.*?^\1`*$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


@cache
def text_of(path: Path) -> str:
    """Without blocks of code."""
    return CODE.sub("", path.read_text(encoding="utf-8"))


@cache
def sections(path: Path) -> frozenset[str]:
    """The anchors of the headings, as GitHub and MyST make them."""
    headings = re.findall(r"^#{1,3} (.+)$", text_of(path), re.MULTILINE)
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", one).lower() for one in headings)
    return frozenset(re.sub(r"[^\w\- ]", "", one).strip().replace(" ", "-") for one in plain)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links(page: Path) -> None:
    broken = []
    for link in LINK.findall(re.sub(r"`[^`\n]*`", "", text_of(page))):
        place, _, section = link.partition("#")
        if "://" in place or place.startswith("mailto:") or Path(place).name in WRITTEN:
            continue
        target = (page.parent / place).resolve() if place else page
        if not target.exists() or (section and section not in sections(target)):
            broken.append(link)
    assert not broken


def test_every_page_is_in_the_contents() -> None:
    docs = ROOT / "docs"
    listed: set[Path] = set()
    for page in PAGES:
        for tree in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            names = [line for line in tree.splitlines() if line and not line.startswith(":")]
            listed |= {(page.parent / f"{name}.md").resolve() for name in names}
    pages = {path for path in PAGES if path.is_relative_to(docs)}
    written = {docs / name for name in WRITTEN}
    assert listed - written == pages - written - {docs / "index.md"}


def test_the_index_lists_its_contents_once() -> None:
    text = (ROOT / "docs" / "index.md").read_text("utf-8")
    trees = "\n".join(re.findall(r"```\{toctree\}\n(.*?)```", text, re.DOTALL))
    names = [f"{line}.md" for line in trees.splitlines() if line and not line.startswith(":")]
    assert sorted(names) == sorted(set(names))
    assert [link for link in LINK.findall(text) if link.endswith(".md")] == names


def test_every_verb_is_in_the_guide() -> None:
    rows = re.findall(r"^\| (`.+?) \|", text_of(ROOT / "docs" / "guide.md"), re.MULTILINE)
    listed = {name.removeprefix("demotic ") for row in rows for name in re.findall("`(.+?)`", row)}
    assert set(VERBS) <= listed
