"""Sparse features: templates, their word classes, and summaries of the learned weights."""

from __future__ import annotations

from demotic.features.templates import FAMILIES, Templates, shipped

__all__ = ["FAMILIES", "Templates", "shipped"]
