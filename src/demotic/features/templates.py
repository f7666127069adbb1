"""Files of feature templates: one template or family of features per line, `#` for comments,
`include NAME` for a shipped file.

    Templates.find("default")              # a shipped file
    Templates.find("default+nonlocal")     # several together
    Templates.find("c08-all")              # the sparse part of a set, see feature_sets.py
    Templates.find("my.templates")         # a file of your own

docs/features.md describes the template language.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from demotic._core import FeatureTemplate, feature_families
from demotic.errors import Error, FormatError
from demotic.feature_sets import SPARSE_PARTS
from demotic.lines import LineFile, PathLike, write_text

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = ["FAMILIES", "Templates", "shipped"]

FAMILIES: tuple[str, ...] = ("ruleid", "wordedges", "nonlocal", *feature_families())
"""Of templates by what they look at, then those that have names of their own."""

_SUFFIX = ".templates"


def shipped() -> tuple[str, ...]:
    """The names of the template files shipped with Demotic."""
    names = (one.name for one in _folder().iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)))


def _folder() -> Traversable:
    from importlib.resources import files

    return files(__package__)


class Templates:
    """Distinct templates in order; immutable."""

    def __init__(self, templates: Iterable[FeatureTemplate]) -> None:
        self.native = tuple(templates)
        if not self.native:
            raise Error("no templates", expected="at least one")
        if len(set(self.texts)) != len(self.native):
            raise Error("a template twice", expected="distinct templates")

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(one.text for one in self.native)

    @property
    def layers(self) -> tuple[str, ...]:
        """Names of the layers of word classes that the templates need, sorted."""
        return tuple(sorted({name for one in self.native for name in one.layers}))

    @property
    def trees(self) -> bool:
        """Whether any of them looks at source trees."""
        return any(one.trees for one in self.native)

    @property
    def own(self) -> bool:
        """Whether any of them is a function of the user's, which may look at tags and trees."""
        return any(one.family == "python" for one in self.native)

    def only(self, families: Iterable[str]) -> Templates:
        """The templates of some families."""
        kept = set(families)
        return Templates(one for one in self.native if one.family in kept)

    def __len__(self) -> int:
        return len(self.native)

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Templates) and self.texts == other.texts

    def __hash__(self) -> int:
        return hash(self.texts)

    def __repr__(self) -> str:
        counts = {name: sum(one.family == name for one in self.native) for name in FAMILIES}
        shown = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
        return f"Templates({shown})"

    @classmethod
    def find(cls, name: PathLike) -> Templates:
        """A shipped file, several joined by `+`, the sparse part of a set, or a file at a path."""
        text = os.fspath(name)
        sets = {str(key): part for key, part in SPARSE_PARTS.items()}
        if text in sets and text not in shipped() and not Path(text).exists():
            if not sets[text]:
                raise Error(
                    f"the set {text} has only dense features",
                    expected=f"a set with sparse features: {', '.join(filter(sets.get, sets))}",
                    advice="give it to demotic build --features",
                )
            text = sets[text]
        parts = text.split("+")
        if all(part in shipped() for part in parts):
            found = {one.text: one for part in parts for one in cls._shipped(part).native}
            return cls(found.values())
        if os.sep not in text and not Path(text).exists():
            raise Error(
                f"no templates called {text}",
                expected=f"{', '.join(shipped())}, several joined by +, a set such as c08-all, "
                "or a file",
            )
        return cls.read(text)

    @classmethod
    def read(cls, path: PathLike) -> Templates:
        """Reads a file; errors name the line."""
        found: dict[str, tuple[FeatureTemplate, int]] = {}
        for number, line in enumerate(LineFile(path), 1):
            for template in _parsed(line, path, number):
                if template.text in found:
                    raise FormatError(
                        f"'{template.text}' again (see line {found[template.text][1]})",
                        path=path,
                        line=number,
                        expected="distinct templates",
                        advice="remove one of them",
                    )
                found[template.text] = template, number
        if not found:
            raise FormatError(
                "no templates",
                path=path,
                expected="one per line, like source.first:word target.first:word",
            )
        return cls(template for template, _ in found.values())

    @classmethod
    def _shipped(cls, name: str) -> Templates:
        return cls.read(str(_folder().joinpath(name + _SUFFIX)))

    def write(self, path: PathLike) -> None:
        with write_text(path) as file:
            file.write("# Sparse feature templates; their order is part of the weights' keys.\n")
            file.writelines(f"{text}\n" for text in self.texts)


def _parsed(line: str, path: PathLike, number: int) -> tuple[FeatureTemplate, ...]:
    text = line.partition("#")[0].strip()
    if not text:
        return ()
    word, _, name = text.partition(" ")
    if word == "include":
        if name.strip() not in shipped():
            raise FormatError(
                f"'{text}'", path=path, line=number, expected=f"one of {', '.join(shipped())}"
            )
        return Templates._shipped(name.strip()).native
    try:
        return (FeatureTemplate(text),)
    except FormatError as error:
        raise FormatError(
            error.found, path=path, line=number, expected=error.expected, advice=error.advice
        ) from None
