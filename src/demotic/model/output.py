"""A directory that is to become a model: locked, never over another model unless told to.

A model that is replaced is set aside and comes back if the new one fails.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from demotic.errors import Error
from demotic.lines import PathLike
from demotic.lock import locked
from demotic.model.sharing import BITEXT
from demotic.outputs import set_aside, unchanged_on_failure

__all__ = ["WAY_OUT", "new_model", "refuse_existing", "refuse_inside", "replaced"]

WAY_OUT = "give --force to replace it, or choose another name"

_MODEL_NAME = "model.toml"
# What stands beside the parts that model.toml names.
_BESIDE = (BITEXT, "work", "runs", "training", "weights.tsv", "make.json", _MODEL_NAME)


def refuse_existing(directory: PathLike, *, advice: str = "") -> None:
    """A model is never written over: somebody may have it open. Raises Error."""
    if (Path(directory) / _MODEL_NAME).exists():
        raise Error(
            "a model is there already",
            path=os.fspath(directory),
            expected="a new directory",
            advice=advice or "remove it first, or choose another name",
        )


@contextmanager
def new_model(directory: PathLike, *, force: bool = False, advice: str = "") -> Iterator[Path]:
    """The directory, locked; after a failure it is as it was before."""
    if not force:
        refuse_existing(directory, advice=advice)
    home = Path(directory)
    with locked(home), replaced(home), unchanged_on_failure(home):
        yield home


def refuse_inside(directory: PathLike, source: Path) -> None:
    """Refuses to replace the directory of the model `source`, or one that contains it."""
    if source.resolve().is_relative_to(Path(directory).resolve()):
        raise Error(
            f"the directory of the model {source} itself",
            path=os.fspath(directory),
            expected="another directory for the new model",
            advice="choose another name",
        )


@contextmanager
def replaced(home: Path, work: Iterable[str] = ()) -> Iterator[None]:
    """Sets aside the model in `home`, if there is one, until another has taken its place.

    The folders `work` go with it, and without a model too: they are of unfinished work.
    """
    model = _names(home) if (home / _MODEL_NAME).exists() else []
    with set_aside(home, dict.fromkeys([*model, *work])):
        yield


def _names(home: Path) -> list[str]:
    """The entries of a model directory that belong to the model."""
    learnt = (path.name for kind in ("truecase", "segmenter") for path in home.glob(f"{kind}.*"))
    names = {*_BESIDE, *learnt}
    try:
        stored = tomllib.loads((home / _MODEL_NAME).read_text(encoding="utf-8"))
        parts = stored.get("parts", {}).values()
    except (OSError, ValueError, AttributeError):
        parts = ()
    for part in parts:
        for name in part if isinstance(part, list) else [part]:
            pure = PurePosixPath(str(name))
            if not pure.is_absolute() and ".." not in pure.parts and pure.parts:
                names.add(pure.parts[0])
    return sorted(names)
