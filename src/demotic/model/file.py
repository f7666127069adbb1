"""`model.toml`: the contents of a model directory; reading reports all errors at once."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from demotic import __version__
from demotic.errors import Error, IoError, ModelError
from demotic.features.dense import Kind
from demotic.schema import Condition
from demotic.steps import file_digest
from demotic.toml import checked_toml, read_toml, write_toml

__all__ = [
    "CONFIDENCE_NAME",
    "FORMAT",
    "MODEL_NAME",
    "FileRecord",
    "ModelInfo",
    "Parts",
    "changed_file",
    "check_size",
    "confined",
    "record",
]

FORMAT = 1
MODEL_NAME = "model.toml"
CONFIDENCE_NAME = "confidence.toml"
_ADVICE = "give a directory that demotic make, build, import, tune or train has made"
_HEADER = """\
A Demotic model. Paths are relative to this directory. `weights.tsv` may be edited by hand;
the files listed below may not.
"""

Scalar = bool | int | float | str
Name = Annotated[str, Condition("the name of a file", bool)]
Digest = Annotated[str, Condition("32 hexadecimal digits", re.compile("[0-9a-f]{32}").fullmatch)]
Size = Annotated[int, Condition("a whole number of at least 0", lambda size: size >= 0)]


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Which file plays which role; paths relative to the model directory."""

    vocabulary: Name = "vocabulary.bin"
    rules: Name = "rules.bin"  # a table, or an indexed bitext for rules on demand
    added: tuple[Name, ...] = ()  # further indexed bitexts
    aligners: tuple[Name, ...] = ()  # for text that is added
    weights: Name = "weights.tsv"
    language_models: tuple[Name, ...] = ()
    class_language_models: tuple[Name, ...] = ()
    operations: Name | None = None  # the n-gram model of the operation sequence model
    preparation: Name | None = None
    learnt: tuple[Name, ...] = ()  # learnt by the preparation: true case, segmenters
    glossary: Name | None = None  # terms that translations obey
    distortion: Name | None = None  # how often gaps were reordered
    sparse: Name | None = None  # weights of sparse features
    templates: Name | None = None  # templates of these features
    classes: tuple[Name, ...] = ()  # layers of word classes for them
    confidence: Name | None = None  # calibration of word confidence
    partner: Name | None = None  # directory of a model with which it decides together

    @property
    def big(self) -> tuple[str, ...]:
        """Large files, shared between models, whose digests are recorded."""
        sparse = () if self.sparse is None else (self.sparse,)
        operations = () if self.operations is None else (self.operations,)
        models = (*self.language_models, *self.class_language_models, *operations)
        learnt = (*models, *self.learnt, *self.classes)
        return (self.vocabulary, self.rules, *self.added, *self.aligners, *learnt, *sparse)

    @property
    def models(self) -> tuple[int, int]:
        """The number of language models of words, and of classes."""
        return len(self.language_models), len(self.class_language_models)

    @property
    def small(self) -> tuple[str, ...]:
        """Text files, which may be edited."""
        extra = (
            self.preparation,
            self.glossary,
            self.distortion,
            self.templates,
            self.confidence,
        )
        return (self.weights, *(name for name in extra if name is not None))


@dataclass(frozen=True)
class FileRecord:
    """The size and digest of a file when the model was written."""

    bytes: Size
    digest: Digest


@dataclass(frozen=True, kw_only=True)
class ModelInfo:
    """The contents of `model.toml`."""

    kind: Kind
    parts: Parts = Parts()
    source_language: str = ""
    target_language: str = ""
    search: Mapping[str, Scalar] = field(default_factory=dict)  # defaults of the decoder
    options: Mapping[str, Scalar] = field(default_factory=dict)  # what the model was built with
    origin: Mapping[str, Scalar] = field(default_factory=dict)  # where it came from
    history: tuple[str, ...] = ()  # one clause per verb that was applied
    features: tuple[str, ...] = ()  # optional dense features that it has
    files: Mapping[str, FileRecord] = field(default_factory=dict)

    def write(self, directory: Path) -> None:
        values: dict[str, Any] = {
            "format": FORMAT,
            "demotic": __version__,
            "kind": self.kind,
            "source_language": self.source_language or None,
            "target_language": self.target_language or None,
            "history": self.history or None,
            "features": self.features or None,
            "parts": {name: part for name, part in asdict(self.parts).items() if part != ()},
            "search": self.search,
            "options": self.options,
            "origin": self.origin,
            "files": {name: asdict(one) for name, one in sorted(self.files.items())},
        }
        shown = {key: value for key, value in values.items() if value != {}}
        write_toml(directory / MODEL_NAME, shown, header=_HEADER)

    @classmethod
    def read(cls, directory: Path) -> ModelInfo:
        path = directory / MODEL_NAME
        if not path.exists():
            from demotic.model.directories import no_model

            raise no_model(directory)
        stored = read_toml(path, advice=_ADVICE)
        version = stored.pop("format", None)
        if version != FORMAT:
            raise ModelError(
                f"a model of format {version!r}",
                path=path,
                expected=f"format {FORMAT}",
                advice="update Demotic, or build the model again",
            )
        stored.pop("demotic", None)
        return checked_toml(path, cls, stored, advice=_ADVICE)


def confined(directory: Path, name: str, *, allow_outside: bool = False) -> Path:
    """The path of a part, which must be inside the model directory."""
    path = directory / name
    parts = PurePosixPath(name).parts
    inside = not os.path.isabs(name) and ".." not in parts and "\\" not in name
    if not allow_outside and not (inside and path.resolve().is_relative_to(directory.resolve())):
        raise Error(
            f"a part at {name!r}, outside the model directory",
            path=str(directory / MODEL_NAME),
            expected="relative paths inside the directory",
            advice="give --allow-outside if you trust the model",
        )
    return path


def record(path: Path) -> FileRecord:
    try:
        return FileRecord(path.stat().st_size, file_digest(path))
    except OSError as error:
        raise IoError("the file cannot be read", path=str(path), errno=error.errno or 0) from None


def check_size(path: Path, name: str, info: ModelInfo) -> None:
    """Refuses a part that is missing, or whose size is not the recorded one."""
    try:
        size = path.stat().st_size
    except OSError as error:
        raise IoError(
            "a part of the model cannot be read", path=str(path), errno=error.errno or 0
        ) from None
    known = info.files.get(name)
    if known is not None and known.bytes != size:
        raise changed_file(path)


def changed_file(path: Path) -> ModelError:
    """The error for a part that is not the recorded one."""
    return ModelError(
        "a file that has changed since the model was written",
        path=path,
        expected="the size and digest recorded in model.toml",
        advice="copy the whole model directory again",
    )
