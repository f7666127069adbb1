"""Sphinx settings. The tables of options are written from the options classes before each build."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "Demotic"
author = "The Demotic authors"
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
html_theme = "alabaster"
html_title = "Demotic"
exclude_patterns = ["_build"]
