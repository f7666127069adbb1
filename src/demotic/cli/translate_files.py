"""The output file of each input of `demotic translate`; nothing is replaced without --force."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from demotic.errors import Error

if TYPE_CHECKING:
    from demotic.model.file import ModelInfo

__all__ = ["Job", "jobs", "refuse_outputs"]

_PACKED = (".gz", ".xz", ".zst")


class Job(NamedTuple):
    """A text to translate and the file for its translation; None for standard output."""

    source: str
    target: Path | None


def jobs(files: Sequence[str], out: str | None, info: ModelInfo) -> list[Job]:
    """One job per file; `out` is a directory if it is one, ends in /, or there are several."""
    sources = list(files) or ["-"]
    if out is None:
        return [Job(source, None) for source in sources]
    folder = len(sources) > 1 or os.path.isdir(out) or out.endswith(("/", os.sep))
    if not folder:
        return [Job(sources[0], Path(out))]
    if "-" in sources:
        raise click.UsageError("standard input needs a file for its translation: -o FILE")
    if os.path.exists(out) and not os.path.isdir(out):
        raise Error(
            "a file",
            path=out,
            expected=f"a directory for {len(sources)} translations",
            advice="give another name with -o",
        )
    targets = [Path(out) / _name(source, info) for source in sources]
    doubled = {target for target in targets if targets.count(target) > 1}
    if doubled:
        raise click.UsageError(f"several files would be translated into {min(doubled)}")
    return [Job(source, target) for source, target in zip(sources, targets, strict=True)]


def refuse_outputs(targets: Iterable[Path], sources: Iterable[str], *, force: bool) -> None:
    """Raises Error for an output that is an input, or that exists and may not be replaced."""
    inputs = [source for source in sources if os.path.exists(source)]
    for target in filter(os.path.lexists, targets):
        if any(os.path.exists(target) and os.path.samefile(target, one) for one in inputs):
            raise Error(
                "the output is one of the inputs",
                path=str(target),
                expected="another file",
                advice="give another name with -o",
            )
        if not force or not os.path.isfile(target):
            raise Error(
                "the output exists already",
                path=str(target),
                expected="a new file",
                advice="choose another name, or give --force to replace a file",
            )


def _name(source: str, info: ModelInfo) -> str:
    """a.zh becomes a.en if the model translates from zh to en; other names are unchanged."""
    name = os.path.basename(source)
    for suffix in _PACKED:
        name = name.removesuffix(suffix)
    here, there = info.source_language, info.target_language
    if here and there and name.endswith(f".{here}"):
        return f"{name.removesuffix(here)}{there}"
    return name
