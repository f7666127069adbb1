"""A drawing of a page as an SVG file of its own, for documents and notebooks."""

from __future__ import annotations

import re

from demotic.report.markup import Html
from demotic.report.style import LIGHT, STYLE

__all__ = ["standalone_svg"]

_WIDTH = 760.0  # pixels, of drawings that are as wide as the page
_MARGIN = 10.0
_RULE = re.compile(r"^svg [^{}]*\{[^}]*\}", re.MULTILINE)
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
    """The rules of the style that concern drawings, with colours instead of variables."""
    rules = "\n".join(rule for rule in _RULE.findall(STYLE) if ":hover" not in rule)
    for name, colour in LIGHT.items():
        rules = rules.replace(f"var(--{name})", colour)
    return rules
