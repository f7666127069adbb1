"""Whether a directory may take a prepared corpus: nothing is written over another one."""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic import __version__
from demotic.errors import Error
from demotic.lines import PathLike
from demotic.steps import file_digest

if TYPE_CHECKING:
    from demotic.text.preparation import Preparation

__all__ = ["already_prepared", "work_key"]

FILE_NAME = "preparation.toml"


def work_key(inputs: Sequence[PathLike], preparation: Preparation, how: str = "") -> str:
    """Names the work: the same text prepared with the same choices. Empty for standard input."""
    try:
        digests = [] if "-" in inputs else [file_digest(path) for path in inputs]
    except OSError:  # whoever reads the file next has the better message
        return ""
    if not digests:
        return ""
    material = {
        "demotic": __version__,
        "inputs": [[os.fspath(path), one] for path, one in zip(inputs, digests, strict=True)],
        "how": how,
        "options": asdict(preparation.options),
        "sides": [
            [side.language, side.tokenizer.name, side.tokenizer.version]
            for side in preparation.sides
        ],
    }
    text = json.dumps(material, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def already_prepared(
    directory: PathLike, inputs: Sequence[PathLike], preparation: Preparation, *, force: bool
) -> bool:
    """Whether the very same work was done there; its key is `preparation.work`.

    Raises Error if another corpus is there (unless `force`), or if an input would be written over.
    """
    home = Path(directory)
    names = [f"corpus.{side.language}" for side in preparation.sides]
    for path in map(Path, inputs):
        if path.name in names and path.exists() and path.parent.resolve() == home.resolve():
            raise Error(
                f"the output {path.name} would replace an input",
                path=os.fspath(directory),
                expected="another directory than that of the input",
                advice="choose another name",
            )
    present = [name for name in (FILE_NAME, *names) if (home / name).exists()]
    if force or not present:
        return False
    stored = _stored(home)
    if preparation.work and preparation.work == stored.get("work") and len(present) > len(names):
        return True
    raise Error(
        f"a corpus is there already ({_described(stored) or ', '.join(present)})",
        path=os.fspath(directory),
        expected="a new directory",
        advice="give --force to replace it, or choose another name",
    )


def _stored(home: Path) -> dict[str, Any]:
    try:
        return tomllib.loads((home / FILE_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # there is none, or it is broken
        return {}


def _described(stored: dict[str, Any]) -> str:
    """Languages and size of the corpus that is there, as far as they are known."""
    languages = [stored.get(side, {}).get("language", "") for side in ("source", "target")]
    kept = stored.get("counts", {}).get("kept")
    if not (all(isinstance(name, str) for name in languages) and isinstance(kept, int)):
        return ""
    return f"{kept:,} sentences of {' and '.join(filter(None, languages))}"
