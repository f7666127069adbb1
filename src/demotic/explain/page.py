"""An explanation as part of a page."""

from __future__ import annotations

from demotic.explain.explanation import Explanation
from demotic.explain.sections import sections
from demotic.report import Page

__all__ = ["add_to", "page_of"]


def page_of(of: Explanation) -> Page:
    page = Page("Why this translation?")
    add_to(page, of)
    return page


def add_to(page: Page, of: Explanation) -> None:
    """Appends every section, with its drawings."""
    for section in sections(of):
        page.heading(section.title)
        for text in section.texts:
            page.text(text)
        for svg, caption in section.figures:
            page.figure(svg, caption)
        if section.rows:
            page.table(section.header, section.rows)
