"""Decides whether a prepared corpus may be written to a directory without overwriting another."""

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
    """A content key for this text prepared with these choices. Empty for standard input."""
    try:
        digests = [] if "-" in inputs else [file_digest(path) for path in inputs]
    except OSError:  # the reader of the file will report it better
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
    """Whether the same work was already done there; its key is `preparation.work`.

    Raises Error if another corpus exists there (unless `force`), or if an input would be replaced.
    """
    home = Path(directory)
    names = [f"corpus.{side.language}" for side in preparation.sides]
    for path in map(Path, inputs):
        if path.name in names and path.exists() and path.parent.resolve() == home.resolve():
            raise Error(
                f"the output {path.name} would replace an input",
                path=os.fspath(directory),
                expected="a directory other than the input's",
                advice="choose another name",
            )
    present = [name for name in (FILE_NAME, *names) if (home / name).exists()]
    if force or not present:
        return False
    stored = _stored(home)
    if preparation.work and preparation.work == stored.get("work") and len(present) > len(names):
        return True
    raise Error(
        f"a corpus exists already ({_described(stored) or ', '.join(present)})",
        path=os.fspath(directory),
        expected="a new directory",
        advice="give --force to replace it, or choose another name",
    )


def _stored(home: Path) -> dict[str, Any]:
    try:
        return tomllib.loads((home / FILE_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # missing or broken
        return {}


def _described(stored: dict[str, Any]) -> str:
    """Languages and size of the existing corpus, as far as known."""
    languages = [stored.get(side, {}).get("language", "") for side in ("source", "target")]
    kept = stored.get("counts", {}).get("kept")
    if not (all(isinstance(name, str) for name in languages) and isinstance(kept, int)):
        return ""
    return f"{kept:,} sentences of {' and '.join(filter(None, languages))}"
