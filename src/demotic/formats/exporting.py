"""Writes a model for Moses or cdec: tables, language models, weights and a configuration.

All paths in it are relative: the decoder is started in the directory that was written.
"""

from __future__ import annotations

from typing import Literal

from demotic.errors import Error
from demotic.lines import PathLike
from demotic.model import Model
from demotic.outputs import new_directory

__all__ = ["ExportFormat", "export_model"]

ExportFormat = Literal["moses", "cdec"]


def export_model(
    model: Model, toolkit: ExportFormat, directory: PathLike, *, force: bool = False
) -> list[str]:
    """Gives the names of the files written into a new directory, or with `force` into any."""
    from demotic.formats.cdec_export import export_cdec
    from demotic.formats.moses_export import export_moses

    writers = {"moses": export_moses, "cdec": export_cdec}
    if toolkit not in writers:
        raise Error(f"the format {toolkit}", expected="moses or cdec")
    _refuse_sparse(model, toolkit)
    with new_directory(directory, force=force) as home:
        return writers[toolkit](model, home)


def _refuse_sparse(model: Model, toolkit: str) -> None:
    """Without its sparse weights a model would translate otherwise, and nobody would be told."""
    if model.sparse is None:
        return
    raise Error(
        f"sparse weights ({len(model.sparse.weights):,} features)",
        path=str(model.path),
        expected=f"dense weights alone, which are all that {toolkit} can be given",
        advice="export the model that this one was trained from",
    )
