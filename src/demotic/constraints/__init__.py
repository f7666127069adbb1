"""What a user asks of a translation: tags that stay.

Names are imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.lazy import lazy_names

if TYPE_CHECKING:
    from demotic.constraints.markup import Format
    from demotic.constraints.translate import MarkupTranslator, translate_marked_up

_MODULES = {
    "Format": ".markup",
    "MarkupTranslator": ".translate",
    "translate_marked_up": ".translate",
}

__all__ = ["Format", "MarkupTranslator", "translate_marked_up"]

__getattr__, __dir__ = lazy_names(__name__, _MODULES, __all__)
