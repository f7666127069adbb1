"""A drawing of a page as an SVG file of its own, for documents and notebooks."""

from __future__ import annotations

import re

from demotic.report.markup import Html
from demotic.report.style import LIGHT, SVG_STYLE

__all__ = ["standalone_svg"]

_WIDTH = 760.0  # pixels, of drawings that are as wide as the page
_MARGIN = 10.0
_COLOUR = re.compile(r"var\(--([\w-]+)\)")
_SIZE = re.compile(r' (width|height)="([\d.]+)"')


def standalone_svg(drawing: Html) -> str:
    """The drawing with the colours of a light page, on a white background.

    Drawings that fill the page get a width of 760 pixels.
    """
    opening, inside = drawing.split(">", 1)
    sizes = {name: float(value) for name, value in _SIZE.findall(opening)}
    width, height = sizes.get("width", _WIDTH), sizes["height"]
    box = f'width="{width + 2 * _MARGIN:.0f}" height="{height + 2 * _MARGIN:.0f}"'
    kind = ' class="words"' if 'class="words"' in opening else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} '
        f'viewBox="0 0 {width + 2 * _MARGIN:.0f} {height + 2 * _MARGIN:.0f}">\n'
        f"<style>{_rules()}</style>\n"
        f'<rect {box} fill="{LIGHT["paper"]}"/>\n'
        f'<svg{kind} x="{_MARGIN:.0f}" y="{_MARGIN:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}">{inside}\n</svg>\n'
    )


def _rules() -> str:
    """With colours instead of variables, which not every program that shows SVG knows."""
    still = "\n".join(one for one in SVG_STYLE.splitlines() if ":hover" not in one)
    return _COLOUR.sub(lambda found: LIGHT[found[1]], still)
