"""The form of `model.toml` for pydantic, which tells all faults at once.

Apart from the reader because importing pydantic takes time that most runs need not spend.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

__all__ = ["FileTable", "ModelFile", "PartsTable"]

_STRICT = ConfigDict(extra="forbid", strict=True)

Scalar = bool | int | float | str
Name = Annotated[str, StringConstraints(min_length=1)]


class PartsTable(BaseModel):
    """[parts]: which file plays which role."""

    model_config = _STRICT
    vocabulary: Name = "vocabulary.bin"
    rules: Name = "rules.bin"
    weights: Name = "weights.tsv"
    language_models: list[Name] = []
    preparation: Name | None = None
    learnt: list[Name] = []
    distortion: Name | None = None
    sparse: Name | None = None
    templates: Name | None = None
    classes: list[Name] = []


class FileTable(BaseModel):
    """[files.NAME]: what the file was when the model was written."""

    model_config = _STRICT
    bytes: Annotated[int, Field(ge=0)]
    digest: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]


class ModelFile(BaseModel):
    """The whole file."""

    model_config = _STRICT
    format: int
    demotic: str
    kind: Literal["phrase", "hiero"]
    source_language: str = ""
    target_language: str = ""
    history: list[str] = []
    parts: PartsTable = PartsTable()
    search: dict[str, Scalar] = {}
    options: dict[str, Scalar] = {}
    origin: dict[str, Scalar] = {}
    files: dict[str, FileTable] = {}
