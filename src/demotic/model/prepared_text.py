"""What `demotic prepare` left next to the text of a model, and what of it goes into the model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic.errors import Error
from demotic.lines import PathLike
from demotic.model.sharing import copy_file

if TYPE_CHECKING:
    from demotic.text.preparation import Preparation

__all__ = ["PreparedText"]

_PREPARATION = "preparation.toml"
_GLOSSARY = "glossary.tsv"


@dataclass(frozen=True)
class PreparedText:
    """The files in the folder of a source text; none if the text was not prepared."""

    source: PathLike

    @property
    def _folder(self) -> Path:
        return Path(self.source).parent

    @property
    def _is_prepared(self) -> bool:
        return (self._folder / _PREPARATION).exists()

    @property
    def _has_glossary(self) -> bool:
        return self._is_prepared and (self._folder / _GLOSSARY).exists()

    @property
    def files(self) -> list[Path]:
        """The settings, and the terms that `demotic prepare` was given."""
        names = [_PREPARATION] * self._is_prepared + [_GLOSSARY] * self._has_glossary
        return [self._folder / name for name in names]

    @property
    def origins(self) -> list[Path]:
        """The file with the origin of each pair, if it exists."""
        from demotic.text.prepare import ORIGIN_NAME

        file = self._folder / ORIGIN_NAME
        return [file] if Path(self.source).name.startswith("corpus.") and file.exists() else []

    @cached_property
    def preparation(self) -> Preparation | None:
        """How the text was prepared."""
        from demotic.text.preparation import Preparation

        return Preparation.load(self._folder) if self._is_prepared else None

    def languages(self, source: str, target: str) -> list[str]:
        """The languages of the sides; refuses given ones that contradict the preparation."""
        given = [source, target]
        known = [side.language for side in self.preparation.sides] if self.preparation else given
        for one, other, side in zip(given, known, ("source", "target"), strict=True):
            if one and one != other:
                raise Error(
                    f"the {side} language {one}",
                    path=str(self._folder / _PREPARATION),
                    expected=f"{other}, the language of the prepared text",
                )
        return known

    def save(self, model: Path) -> dict[str, Any]:
        """Copies what a model needs into its directory; returns its parts by name."""
        if self._has_glossary:
            copy_file(self._folder / _GLOSSARY, model / _GLOSSARY)
        return {
            "preparation": _PREPARATION if self.preparation else None,
            "learnt": self.preparation.save(model) if self.preparation else (),
            "glossary": _GLOSSARY if self._has_glossary else None,
        }
