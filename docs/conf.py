"""Sphinx settings.  Three pages are written at each build, from the program and the notebooks."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from written_pages import notebook_page, options_page  # noqa: E402

project = "Demotic"
author = "The Demotic authors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "mathml"]
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 3  # sections can be linked to
html_math_renderer = "mathml"
html_theme = "furo"
html_title = "Demotic"
html_static_path: list[str] = []
exclude_patterns = ["_build"]
autodoc_typehints = "none"  # docstrings say it in words
autodoc_class_signature = "separated"
autodoc_default_options = {"exclude-members": "__init__, __new__"}
add_module_names = False

PAGES = {
    "options.md": options_page(),
    "notebook-first-translator.md": notebook_page("first_translator"),
    "notebook-inside-the-search.md": notebook_page("inside_the_search"),
}
for name, text in PAGES.items():
    (HERE / name).write_text(text, encoding="utf-8")
