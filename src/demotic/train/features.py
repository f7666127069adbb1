"""The sparse features of a training run: templates and their word classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from demotic import _core
from demotic.features import Templates
from demotic.features.feature_set import FeatureSet
from demotic.features.layers import LayerTexts, make_layers, save_layers
from demotic.learn.journal import key_of
from demotic.lines import PathLike, write_text
from demotic.steps import Steps
from demotic.verified import open_verified, policy

if TYPE_CHECKING:
    from demotic.model import Model
    from demotic.search.text import RawText
    from demotic.train.pairs import Bitext

__all__ = ["ClassTexts", "FeatureSet", "new_features", "training_features"]


def training_features(
    model: Model,
    name: PathLike | None,
    bitext: Bitext,
    folder: Path,
    progress: Callable[[int, int], object] | None = None,
) -> FeatureSet | None:
    """Features by the name of templates, or `none`; None takes the model's, else the default.

    Word classes are made from the bitext once and kept in `folder`.
    """
    if name == "none":
        return None
    if name is None and model.sparse is not None:
        return FeatureSet.of_part(model.sparse)
    texts = ClassTexts(bitext.source, bitext.target, bitext.digest)
    return new_features(model, Templates.find(name or "default"), texts, folder, progress)


class ClassTexts(NamedTuple):
    """The tokenised training text that word classes are made from, as far as it is known."""

    source: Sequence[str] | None = None
    target: Sequence[str] | None = None
    digest: str = ""

    @classmethod
    def read(cls, source: PathLike | None, target: PathLike | None, text: RawText) -> ClassTexts:
        """From files, prepared by `text`."""
        found = (
            None if source is None else text.read_source(source),
            None if target is None else text.read_references(target),
        )
        return cls(*found, key_of([list(lines or ()) for lines in found]))


def new_features(
    model: Model,
    templates: Templates,
    texts: ClassTexts,
    folder: Path,
    progress: Callable[[int, int], object] | None = None,
) -> FeatureSet:
    """Features for a model; word classes are made from the texts once and kept in `folder`."""
    layers = _layers(model, templates, texts, folder, progress)
    return FeatureSet.of(model.rules, model.info.kind, templates, layers)


def _layers(
    model: Model,
    templates: Templates,
    texts: ClassTexts,
    folder: Path,
    progress: Callable[[int, int], object] | None,
) -> list[_core.ClassLayer]:
    names = templates.layers
    if not names:
        return []
    paths = [folder / "classes" / f"{name}.bin" for name in names]

    def work() -> None:
        folder.mkdir(parents=True, exist_ok=True)
        source = _written(folder / "source.txt", texts.source)
        target = _written(folder / "target.txt", texts.target)
        try:
            files = LayerTexts(source=source, target=target)
            save_layers(make_layers(names, model.vocabulary, files, None, progress), folder)
        finally:
            for path in (source, target):
                if path is not None:
                    path.unlink()

    settings = {"layers": names, "words": len(model.vocabulary), "text": key_of(texts.digest)}
    Steps(folder).run("classes", work, outputs=paths, options=settings)
    return [open_verified(_core.ClassLayer.open, path, policy(True)) for path in paths]


def _written(path: Path, lines: Sequence[str] | None) -> Path | None:
    if lines is None:
        return None
    with write_text(path) as file:
        file.writelines(f"{line}\n" for line in lines)
    return path
