"""A directory that will become a model: locked, and replacing another model only on request.

A replaced model is set aside and restored if the new one fails.
"""

from __future__ import annotations

import os
import shutil
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from demotic.errors import Error
from demotic.lines import PathLike
from demotic.lock import locked
from demotic.model.sharing import BITEXT
from demotic.outputs import set_aside, unchanged_on_failure

__all__ = [
    "WAY_OUT",
    "new_model",
    "refuse_existing",
    "refuse_inside",
    "remove_partial",
    "replaced",
]

WAY_OUT = "give --force to replace it, or choose another name"

_MODEL_NAME = "model.toml"
# Files of a model that model.toml does not name.
_BESIDE = (BITEXT, "work", "runs", "training", "weights.tsv", "make.json", _MODEL_NAME)


def refuse_existing(directory: PathLike, *, advice: str = "") -> None:
    """A model is never overwritten, since another process may have it open. Raises Error."""
    if (Path(directory) / _MODEL_NAME).exists():
        raise Error(
            "a model exists already",
            path=os.fspath(directory),
            expected="a new directory",
            advice=advice or "remove it first, or choose another name",
        )


def remove_partial(home: Path) -> None:
    """Removes temporary files and folders of a process that was killed."""
    for left in list(home.rglob("*.partial-*")):
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink(missing_ok=True)


@contextmanager
def new_model(directory: PathLike, *, force: bool = False, advice: str = "") -> Iterator[Path]:
    """The directory, locked; after a failure it is unchanged."""
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
    """Sets aside the model in `home`, if there is one, until another has replaced it.

    The folders `work` are set aside too, even without a model: they hold unfinished work.
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
