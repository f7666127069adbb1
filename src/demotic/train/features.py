"""The sparse features of a training run: templates and their word classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

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
    from demotic.train.pairs import Bitext

__all__ = ["FeatureSet", "training_features"]


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
    templates = Templates.find(name or "default")
    layers = _layers(model, templates, bitext, folder, progress)
    return FeatureSet.of(model.rules, model.info.kind, templates, layers)


def _layers(
    model: Model,
    templates: Templates,
    bitext: Bitext,
    folder: Path,
    progress: Callable[[int, int], object] | None,
) -> list[_core.ClassLayer]:
    names = templates.layers
    paths = [folder / "classes" / f"{name}.bin" for name in names]

    def work() -> None:
        folder.mkdir(parents=True, exist_ok=True)
        source = _written(folder / "source.txt", bitext.source)
        target = _written(folder / "target.txt", bitext.target)
        texts = LayerTexts(source=source, target=target)
        save_layers(make_layers(names, model.vocabulary, texts, None, progress), folder)
        source.unlink()
        target.unlink()

    settings = {"layers": names, "words": len(model.vocabulary), "text": key_of(bitext.digest)}
    Steps(folder).run("classes", work, outputs=paths, options=settings)
    return [open_verified(_core.ClassLayer.open, path, policy(True)) for path in paths]


def _written(path: Path, lines: Sequence[str]) -> Path:
    with write_text(path) as file:
        file.writelines(f"{line}\n" for line in lines)
    return path
