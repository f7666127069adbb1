"""Sparse features: templates, word classes for them, and what was learned about them."""

from __future__ import annotations

from demotic.features.templates import FAMILIES, Family, Templates, shipped

__all__ = ["FAMILIES", "Family", "Templates", "shipped"]
