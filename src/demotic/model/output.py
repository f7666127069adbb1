"""A directory that is to become a model: locked, never over another model unless told to.

A model that is replaced is set aside and comes back if the new one fails.
"""

from __future__ import annotations

import os
import shutil
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from demotic.errors import Error
from demotic.lines import PathLike
from demotic.lock import locked
from demotic.model.sharing import BITEXT
from demotic.outputs import remove_new, unchanged_on_failure

__all__ = ["new_model", "refuse_existing", "replaced"]

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


@contextmanager
def replaced(home: Path) -> Iterator[None]:
    """Sets aside the model in `home`, if there is one, until another has taken its place."""
    if not (home / _MODEL_NAME).exists():
        yield
        return
    aside = home / f".replaced-{os.getpid()}"
    aside.mkdir()
    names = [name for name in _names(home) if (home / name).exists()]
    try:
        for name in names:
            (home / name).rename(aside / name)
        yield
    except BaseException:
        _restore(home, aside)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _restore(home: Path, aside: Path) -> None:
    kept = {entry.name for entry in aside.iterdir()}
    remove_new(home, {entry for entry in home.iterdir() if entry.name not in kept})
    for name in kept:
        (aside / name).rename(home / name)
    aside.rmdir()


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
