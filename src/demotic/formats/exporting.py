"""Writes a model for Moses or cdec: tables, language models, weights and a configuration.

All paths in the configuration are relative to the output directory, where the decoder is started.
"""

from __future__ import annotations

from typing import Literal

from demotic.counts import counted
from demotic.errors import Error
from demotic.formats.tables import TableProgress
from demotic.lines import PathLike
from demotic.model import Model
from demotic.outputs import new_directory

__all__ = ["ExportFormat", "export_model"]

ExportFormat = Literal["moses", "cdec"]


def export_model(
    model: Model,
    toolkit: ExportFormat,
    directory: PathLike,
    *,
    force: bool = False,
    progress: TableProgress | None = None,
) -> list[str]:
    """Returns the names of the files written into a new directory, or with `force` into any.

    `progress` counts the rules of a table.
    """
    from demotic.formats.cdec_export import export_cdec
    from demotic.formats.moses_export import export_moses

    writers = {"moses": export_moses, "cdec": export_cdec}
    if toolkit not in writers:
        raise Error(f"the format {toolkit}", expected="moses or cdec")
    model.rules.require_table("demotic export")
    _refuse_sparse(model, toolkit)
    _refuse_distortion(model, toolkit)
    _refuse_own_models(model, toolkit)
    with new_directory(directory, force=force) as home:
        return writers[toolkit](model, home, progress)


def _refuse_sparse(model: Model, toolkit: str) -> None:
    """Refuses sparse weights, since omitting them would silently change translations."""
    if model.sparse is None or not len(model.sparse):
        return
    raise Error(
        f"sparse weights ({counted(len(model.sparse), 'feature')})",
        path=str(model.path),
        expected=f"dense weights only, since {toolkit} cannot use sparse ones",
        advice="export the model from before its sparse features were learnt",
    )


def _refuse_own_models(model: Model, toolkit: str) -> None:
    """Refuses parts of the score that the exported files could not express."""
    names = model.rules.store.score_names
    hierarchical = any(name.startswith("reordering_hierarchical_") for name in names)
    for has, what, flag in (
        (model.class_language_models, "a language model of word classes", "--class-lm"),
        (model.info.parts.operations, "an operation sequence model", "--operations"),
        (hierarchical, "hierarchical reordering scores", "--orientation hierarchical"),
    ):
        if has:
            raise Error(
                what,
                path=str(model.path),
                expected=f"features that an export to {toolkit} has",
                advice=f"build a model without {flag}, such as one of --preset fast",
            )


def _refuse_distortion(model: Model, toolkit: str) -> None:
    """Refuses a feature that depends on the words in gaps, unless its weight is 0."""
    for name in model.info.features:
        if model.weights[name]:
            raise Error(
                f"the weight {model.weights[name]:g} of {name}",
                path=str(model.path),
                expected=f"features that {toolkit} has",
                advice="build a model without this feature, or set its weight to 0",
            )
