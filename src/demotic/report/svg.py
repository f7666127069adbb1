"""SVG as text.  Colours come from the page's style.

Drawings with positions relative to the width (`responsive_svg`) fill the page; drawings of words
(`svg`) have a fixed size and scroll in their own box.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from html import escape

from demotic.report.markup import Html

__all__ = ["responsive_svg", "svg", "svg_text", "text_width", "title", "word_width"]

_SIZE = 13.0  # font size in pixels; 15 in drawings of words
_WORDS = 15.0


def text_width(text: str, size: float = _SIZE) -> float:
    """Estimated width: CJK characters are square, others a little over half as wide as high."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    narrow = sum(not unicodedata.combining(c) for c in text) - wide
    return size * (1.03 * wide + 0.585 * narrow)


def word_width(text: str) -> float:
    """The width of text in a drawing of words."""
    return text_width(text, _WORDS)


def svg(width: float, height: float, parts: Iterable[str], label: str = "") -> Html:
    """A drawing of words with a fixed size in pixels."""
    return Html(
        f'<svg class="words" role="img"{_label(label)} width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}">{"".join(parts)}</svg>'
    )


def responsive_svg(
    height: float, parts: Iterable[str], label: str = "", *, least: float = 0
) -> Html:
    """As wide as the page; x positions are in per cent.  `least`: minimum width in pixels."""
    style = f' style="min-width:{least:.0f}px"' if least else ""
    return Html(
        f'<svg role="img"{_label(label)} width="100%" height="{height:.0f}"{style}>'
        f"{''.join(parts)}</svg>"
    )


def _label(text: str) -> str:
    return f' aria-label="{escape(text)}"' if text else ""


def title(text: str) -> str:
    """The tooltip of an element."""
    return f"<title>{escape(text)}</title>" if text else ""


def svg_text(x: float | str, y: float, text: str, extra: str = "") -> str:
    """`x` in pixels, or a string with a unit."""
    at = x if isinstance(x, str) else f"{x:.1f}"
    return f'<text x="{at}" y="{y:.1f}"{extra}>{escape(text)}</text>'
