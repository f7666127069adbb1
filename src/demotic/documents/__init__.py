"""Documents: files whose text is translated and whose structure stays.

    data = translate_document(model, Path("app.po").read_bytes(), "po")

Names are imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.lazy import lazy_names

if TYPE_CHECKING:
    from demotic.documents.formats import FORMATS, format_of
    from demotic.documents.translate import DocumentTranslator, translate_document

_MODULES = {
    "FORMATS": ".formats",
    "DocumentTranslator": ".translate",
    "format_of": ".formats",
    "translate_document": ".translate",
}

__all__ = ["FORMATS", "DocumentTranslator", "format_of", "translate_document"]

__getattr__, __dir__ = lazy_names(__name__, _MODULES, __all__)
