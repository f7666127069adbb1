"""Small models with bad weights, and a tuning set on which better ones are found."""

from __future__ import annotations

from pathlib import Path

from demotic.learn import DevSet
from demotic.metrics import References
from demotic.model import Model
from tests.search.small_models import pairs

BAD_WEIGHTS = {"language_model": -0.1, "distortion": -0.3, "glue": -0.5}


def untuned(model: Model, home: Path) -> Model:
    """The same rules with bad weights for the language model and for reordering."""
    changed = {name: value for name, value in BAD_WEIGHTS.items() if name in model.weights}
    return model.derive(home, weights=model.weights.replace(changed))


def write_dev(folder: Path, *, count: int = 32) -> None:
    """Writes dev.de and dev.en: raw sentences, the last of them empty."""
    for side, name in enumerate(("dev.de", "dev.en")):
        lines = [pair[side] for pair in pairs()[:count]] + [""]
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def dev_set(model: Model, count: int = 32) -> DevSet:
    """The same sentences, prepared for a model."""
    text = model.raw_text
    chosen = [*pairs()[:count], ("", "")]
    targets = [text.prepared_reference(target) for _, target in chosen]
    source = [text.prepared(source) for source, _ in chosen]
    return DevSet(source, References.from_streams([targets]))
