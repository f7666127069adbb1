"""Self-contained pages: text, tables and drawings in one HTML file that needs no network."""

from demotic.report.markup import Html
from demotic.report.page import Page

__all__ = ["Html", "Page"]
