"""What a model has learned: its dense weights, and its sparse features by family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.explain.feature_names import feature_meaning, feature_name
from demotic.report import Page
from demotic.report.bars import signed_bars
from demotic.report.markup import element

if TYPE_CHECKING:
    from demotic.model import Model

__all__ = ["add_learned"]

_TOP = 8  # heaviest sparse features listed, of each sign
_SUM = "sparse"


def add_learned(page: Page, model: Model, name: str = "") -> None:
    """A section of a page; `name` is that of the system, if the page has several."""
    of = f" by {name}" if name else ""
    page.heading(
        "What was learned",
        f"Weights of the dense features{of}: a positive weight prefers translations in which the "
        "feature is larger. Hover over a name to see what it measures.",
    )
    with page.inside("div", "columns"):
        rows = [
            (feature_name(one), feature_meaning(one), weight)
            for one, weight in model.weights.items()
            if one != _SUM
        ]
        with page.inside("section"):
            page.add(signed_bars(rows))
        if model.sparse is not None:
            with page.inside("section"):
                _sparse(page, model)


def _sparse(page: Page, model: Model) -> None:
    from demotic.features.summary import summary

    assert model.sparse is not None
    found = summary(model.sparse, top=_TOP)
    page.add(element("h3", "Sparse features by family"))
    page.table(
        ["family", "features", "mean weight"],
        [(one.name, one.features, f"{one.mean:.4f}") for one in found.families],
    )
    with page.fold("The heaviest sparse features"):
        rows = [
            (name, f"{weight:+.3f}")
            for side in (found.positive, found.negative)
            for name, weight in side[""]
        ]
        page.table(["feature", "weight"], rows)
