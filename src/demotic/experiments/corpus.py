"""The text of an experiment: the wanted part of the bundled corpus or of the user's files.

The wanted lines are written to a folder that is named after their content, so that everything made
from them is found again, and made anew only when they change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from demotic.errors import Error, FormatError
from demotic.experiments.settings import BUNDLED, CorpusSettings
from demotic.learn.dev_set import DevSet
from demotic.lines import read_lines, write_text
from demotic.metrics.references import unequal

if TYPE_CHECKING:
    from demotic.model import Model

__all__ = ["ExperimentText", "read_text"]

_PARTS = ("train", "dev", "test")
_COMPRESSED = ("", ".gz", ".xz", ".zst")
_REFERENCES = 100  # numbered files at most


@dataclass(frozen=True)
class ExperimentText:
    """Lines by file name: train.src, train.tgt, dev.src, dev.tgt.0, test.src, dev.trees, ..."""

    settings: CorpusSettings
    source: str
    target: str
    lines: dict[str, list[str]]

    @property
    def key(self) -> str:
        digest = hashlib.sha256(f"{self.source} {self.target}".encode())
        digest.update(f"{self.settings.tokenized} {self.settings.held_out}".encode())
        for name, lines in sorted(self.lines.items()):
            digest.update("\n".join([name, *lines, ""]).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:16]

    def references(self, part: str) -> list[str]:
        return [name for name in self.lines if name.startswith(f"{part}.tgt")]

    def write(self, folder: Path) -> None:
        for name, lines in self.lines.items():
            with write_text(folder / name) as file:
                file.writelines(f"{line}\n" for line in lines)

    def dev_set(self, folder: Path, part: str, model: Model, *, trees: bool = False) -> DevSet:
        """A part as a model reads it; of the dev set without what is held out."""
        named = folder / f"{part}.trees"
        if trees and not named.exists():
            raise Error(
                f"features of trees, but no trees of the {part} set",
                path=self.settings.folder,
                expected=f"{part}.{self.source}.trees",
            )
        found = DevSet.read(
            folder / f"{part}.src",
            [folder / name for name in self.references(part)],
            model.raw_text,
            trees=named if trees else None,
        )
        if part != "dev" or not self.settings.held_out:
            return found
        if self.settings.held_out >= len(found):
            raise Error(
                f"{self.settings.held_out} sentences held out of {len(found)}",
                expected="fewer, so that some are left to learn from",
            )
        count = len(found) - self.settings.held_out
        held_out = _cut(found, range(count, len(found)))
        return replace(_cut(found, range(count)), held_out=held_out)


def _cut(dev: DevSet, places: Sequence[int]) -> DevSet:
    from demotic.metrics.references import References

    first, texts = dev.references.first, dev.references.texts
    chosen = [texts[first[i] : first[i + 1]] for i in places]
    return DevSet([dev.source[i] for i in places], References.from_sentences(chosen))


def read_text(settings: CorpusSettings) -> ExperimentText:
    """Reads the wanted lines. Raises Error if a file is missing or lines do not match."""
    if settings.folder == BUNDLED:
        source, target = settings.source or "zh", settings.target or "en"
        found = _bundled(source, target, raw=not settings.tokenized)
    else:
        source, target = settings.source, settings.target
        found = _folder(Path(settings.folder), source, target)
    limits = {"train": settings.train, "dev": settings.dev, "test": settings.test}
    lines = {
        name: all_lines[: limits[name.split(".")[0]] or None] for name, all_lines in found.items()
    }
    for part in _PARTS:
        for name in (one for one in lines if one.startswith(f"{part}.tgt")):
            if len(lines[name]) != len(lines[f"{part}.src"]):
                counts = len(lines[name]), len(lines[f"{part}.src"])
                raise unequal(name, counts[0], f"{part}.src", counts[1])
        if not any(line.strip() for line in lines[f"{part}.src"]):
            raise FormatError("no lines", path=settings.folder, expected=f"sentences in {part}")
    return ExperimentText(settings, source, target, lines)


def _bundled(source: str, target: str, *, raw: bool) -> dict[str, list[str]]:
    from demotic.demo import read_corpus

    if {source, target} != {"zh", "en"}:
        raise Error(
            f"the bundled corpus from {source} to {target}",
            expected="zh and en",
            advice="omit corpus.source and corpus.target",
        )
    home = "raw" if raw else "tok"
    texts = {
        name.removeprefix(f"{home}/"): text.splitlines()
        for name, text in read_corpus().items()
        if name.startswith(f"{home}/")
    }
    return _named(texts, source, target, "the bundled corpus")


def _folder(folder: Path, source: str, target: str) -> dict[str, list[str]]:
    if not folder.is_dir():
        raise Error(
            "no folder",
            path=str(folder),
            expected=f"a folder with train.{source}, train.{target}, dev.{source}, ...",
        )
    texts = {}
    for path in sorted(folder.iterdir()):
        for end in _COMPRESSED[::-1]:
            name = path.name.removesuffix(end) if path.name.endswith(end) else ""
            if name and name.split(".")[0] in _PARTS and {source, target} & {*name.split(".")}:
                texts[name] = read_lines(path).tolist()
                break
    return _named(texts, source, target, str(folder))


def _named(
    texts: dict[str, list[str]], source: str, target: str, where: str
) -> dict[str, list[str]]:
    """Files by the names of `ExperimentText`."""
    found = {}
    for part in _PARTS:
        # A language with several references as source: the first of them.
        sources = [one for one in (f"{part}.{source}", f"{part}.{source}.0") if one in texts]
        numbered = [f"{part}.{target}.{k}" for k in range(_REFERENCES)]
        targets = [one for one in (f"{part}.{target}", *numbered) if one in texts]
        if not sources or not targets:
            missing = f"{part}.{source if not sources else target}"
            raise Error(
                f"no file {missing}",
                path=where,
                expected=f"{part}.{source} and {part}.{target} or {part}.{target}.0, ...",
            )
        found[f"{part}.src"] = texts[sources[0]]
        found |= {f"{part}.tgt.{k}": texts[name] for k, name in enumerate(targets)}
        if (trees := f"{part}.{source}.trees") in texts:
            found[f"{part}.trees"] = texts[trees]
    return found
