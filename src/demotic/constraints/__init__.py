"""What a user asks of a translation: terms, orders, tags and placeholders that stay.

Names are imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.lazy import lazy_names

if TYPE_CHECKING:
    from demotic.constraints.glossary import Glossary, read_glossary
    from demotic.constraints.lines import LineConstraints
    from demotic.constraints.markup import Format
    from demotic.constraints.translate import MarkupTranslator, translate_marked_up
    from demotic.search.constraint import Constraint, wall, zone

_MODULES = {
    "Constraint": "demotic.search.constraint",
    "Format": ".markup",
    "Glossary": ".glossary",
    "LineConstraints": ".lines",
    "MarkupTranslator": ".translate",
    "read_glossary": ".glossary",
    "translate_marked_up": ".translate",
    "wall": "demotic.search.constraint",
    "zone": "demotic.search.constraint",
}

__all__ = [
    "Constraint",
    "Format",
    "Glossary",
    "LineConstraints",
    "MarkupTranslator",
    "read_glossary",
    "translate_marked_up",
    "wall",
    "zone",
]

__getattr__, __dir__ = lazy_names(__name__, _MODULES, __all__)
