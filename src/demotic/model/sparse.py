"""Adds new sparse features to a derived model."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from demotic.errors import Error
from demotic.model.file import Parts, confined
from demotic.model.sharing import share_file

if TYPE_CHECKING:
    from demotic._core import ClassLayer
    from demotic.features import Templates
    from demotic.lines import PathLike
    from demotic.model import Model

__all__ = ["NewSparseParts"]

_WEIGHTS = "sparse.bin"
_TEMPLATES = "features.templates"
_CLASSES = "classes"


@dataclass(frozen=True)
class NewSparseParts:
    """Replacements of a model's own parts; None keeps a part."""

    sparse: PathLike
    templates: Templates | None
    classes: Sequence[ClassLayer] | None
    parts: Parts

    @classmethod
    def to(
        cls,
        model: Model,
        sparse: PathLike | None,
        templates: Templates | None,
        classes: Sequence[ClassLayer] | None,
    ) -> NewSparseParts | None:
        """None if nothing is attached; raises Error if a part is missing."""
        if sparse is None:
            if templates is not None or classes is not None:
                raise Error("templates or classes without weights", expected="sparse weights too")
            return None
        own = model.info.parts
        if templates is None and own.templates is None:
            raise Error("sparse weights without templates", expected="their templates too")
        parts = replace(
            own,
            sparse=_WEIGHTS,
            templates=own.templates if templates is None else _TEMPLATES,
            classes=own.classes
            if classes is None
            else tuple(f"{_CLASSES}/{layer.name}.bin" for layer in classes),
        )
        return cls(sparse, templates, classes, parts)

    def write(self, directory: Path) -> set[str]:
        """Writes the new parts; returns the names of the parts that are not shared."""
        from demotic.features.layers import save_layers

        written = {_WEIGHTS}
        share_file(Path(os.fspath(self.sparse)), confined(directory, _WEIGHTS))
        if self.templates is not None:
            self.templates.write(confined(directory, _TEMPLATES))
            written.add(_TEMPLATES)
        if self.classes is not None:
            written.update(save_layers(self.classes, directory, _CLASSES))
        return written
