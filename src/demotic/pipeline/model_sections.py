"""The parts of the report that are read from the models: weights, derivations side by side."""

from __future__ import annotations

from demotic.explain import explain
from demotic.explain.comparison import add_comparison
from demotic.explain.learned import add_learned
from demotic.model import Model
from demotic.model.file import MODEL_NAME
from demotic.pipeline.result import MakeResult
from demotic.report import Page

__all__ = ["add_model_sections"]


def add_model_sections(page: Page, result: MakeResult) -> None:
    """Nothing if the models are gone: a report can be written from the results alone."""
    final = result.path
    if not (final / MODEL_NAME).exists():
        return
    add_learned(page, Model.load(final))
    first = next((one for one in result.stages if one.kind == result.best.kind), result.best)
    start = result.path / first.model
    single = result.best.name != "combined"  # the derivation of a combined model may be of either
    if not single or not result.good or first is result.best or not (start / MODEL_NAME).exists():
        return
    changed = (one for one in result.good if one.before != one.after)
    sentence = next(changed, result.good[0]).source
    page.heading(
        "Derivations side by side",
        "How the model translated one of the examples before and after learning: above the "
        "source, below its translation, then the links between words.",
    )
    models = ((first.label, start), (f"{result.best.label} (final)", final))
    add_comparison(page, [(name, explain(Model.load(path), sentence)) for name, path in models])
