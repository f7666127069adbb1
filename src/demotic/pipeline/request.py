"""The request to `demotic make`: text, languages, options."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic.errors import Error, FormatError, IoError
from demotic.lines import PathLike, display_name, read_lines
from demotic.metrics.references import unequal
from demotic.model.default_kind import default_kind
from demotic.model.presets import PRESETS as MODEL_PRESETS
from demotic.pipeline.options import PRESETS, MakeOptions, Preset
from demotic.pipeline.split import HeldOut
from demotic.pipeline.work import CONTENTS
from demotic.steps import file_digest
from demotic.text.languages import checked_language
from demotic.text.preparation import PrepareOptions
from demotic.text.readers import Column, Format, PairSource, read_pairs

if TYPE_CHECKING:
    from demotic.constraints.glossary import Glossary
    from demotic.features.dense import Kind
    from demotic.workers import Workers

__all__ = ["FilePair", "MakeRequest"]

_NEW_OPTIONS = (
    ("story", False),
    ("compounds", "auto"),
    ("tokenizer", "auto"),
    ("target_tokenizer", None),
)

FilePair = tuple[PathLike, PathLike]
"""A file of sentences and a file of their translations, line by line."""


@dataclass(frozen=True, kw_only=True)
class MakeRequest:
    """Everything that determines the result, and where it is written."""

    inputs: Sequence[PathLike]
    """Two plain text files, or TSV, TMX, PO or XLIFF files."""
    source_language: str
    target_language: str
    out: Path
    dev: Sequence[FilePair] = ()
    """Used instead of parts of the corpus; the same source file twice gives two references."""
    test: Sequence[FilePair] = ()
    glossaries: Sequence[PathLike] = ()
    """Terms that the translator obeys: CSV, TSV or TBX files."""
    options: MakeOptions = field(default_factory=MakeOptions)
    format: Format = "auto"
    columns: tuple[Column, Column] = (1, 2)
    threads: int = 1
    workers: Workers | None = field(default=None, compare=False, repr=False)
    """Who tunes and trains instead of threads; does not affect the result."""

    def __post_init__(self) -> None:
        for language in (self.source_language, self.target_language):
            checked_language(language)
        if not self.inputs:
            raise Error("no text", expected="two text files, or one TSV, TMX, PO or XLIFF file")
        for path in self._files:
            _check_file(path)

    @property
    def preset(self) -> Preset:
        return PRESETS[self.options.preset]

    @property
    def preparation(self) -> PrepareOptions:
        chosen = self.options
        return PrepareOptions(
            tokenizer=chosen.tokenizer,
            target_tokenizer=chosen.target_tokenizer,
            compounds=chosen.compounds,
        )

    def search(self, kind: str) -> Mapping[str, Any]:
        """The search settings of the finished model."""
        own = MODEL_PRESETS[self.options.preset].search("hiero" if kind == "hiero" else "phrase")
        return {**self.preset.search, **own}

    @property
    def kinds(self) -> tuple[Kind, ...]:
        match self.options.kind:
            case "best":
                return ("phrase", "hiero")
            case "auto":
                return (default_kind(self.source_language, self.target_language),)
            case kind:
                return (kind,)

    @property
    def combines(self) -> bool:
        return self.preset.combines and len(self.kinds) > 1

    @property
    def trains(self) -> bool:
        return self.options.train and self.preset.epochs > 0

    @property
    def _files(self) -> list[PathLike]:
        held_out = (path for pair in (*self.dev, *self.test) for path in pair)
        return [*self.inputs, *held_out, *self.glossaries]

    def glossary(self) -> Glossary | None:
        """The terms of all glossaries. Raises FormatError."""
        from demotic.constraints.glossary import read_glossaries

        return read_glossaries(self.glossaries, self.source_language, self.target_language)

    def command(self) -> dict[str, Any]:
        """What determines the result, by name; files count by content, not by name."""
        terms = [file_digest(path) for path in self.glossaries]
        return {
            "languages": [self.source_language, self.target_language],
            "format": self.format,
            "columns": [str(column) for column in self.columns],
            # Directories from before these options existed are those without them.
            **{k: v for k, v in asdict(self.options).items() if (k, v) not in _NEW_OPTIONS},
            "kind": self.options.kind if len(self.kinds) > 1 else self.kinds[0],
            CONTENTS: {
                "inputs": [file_digest(path) for path in self.inputs],
                "dev": [[file_digest(path) for path in pair] for pair in self.dev],
                "test": [[file_digest(path) for path in pair] for pair in self.test],
                **({"glossaries": terms} if terms else {}),
            },
        }

    def input_names(self) -> dict[str, Any]:
        """The files by name, in the order of their hashes in `command`."""
        name = os.path.abspath
        return {
            "inputs": [name(path) for path in self.inputs],
            "dev": [[name(path) for path in pair] for pair in self.dev],
            "test": [[name(path) for path in pair] for pair in self.test],
        }

    def pairs(self) -> PairSource:
        return read_pairs(
            self.inputs,
            source_language=self.source_language,
            target_language=self.target_language,
            format=self.format,
            columns=self.columns,
        )


def read_held_out(pairs: Sequence[FilePair]) -> HeldOut | None:
    """The sentences of all source files with their references; None if there are no files."""
    if not pairs:
        return None
    references: dict[str, list[PathLike]] = {}
    for source, target in pairs:
        references.setdefault(os.fspath(source), []).append(target)
    counts = {path: len(targets) for path, targets in references.items()}
    if len(set(counts.values())) > 1:
        named = ", ".join(f"{path} has {count}" for path, count in counts.items())
        raise Error(f"different numbers of references: {named}", expected="equal numbers per file")
    lines: list[str] = []
    streams: list[list[str]] = [[] for _ in next(iter(references.values()))]
    for path, targets in references.items():
        own = read_lines(path).tolist()
        lines += own
        for stream, target in zip(streams, targets, strict=True):
            found = read_lines(target).tolist()
            if len(found) != len(own):
                raise unequal(display_name(target), len(found), display_name(path), len(own))
            stream.extend(found)
    if not any(line.strip() for line in lines):
        raise FormatError("no sentences", path=display_name(pairs[0][0]), expected="one per line")
    return HeldOut(lines, streams)


def _check_file(path: PathLike) -> None:
    """Requires a regular file, since the text is read more than once."""
    name = display_name(path)
    if os.fspath(path) == "-":
        raise Error("standard input", expected="a file, because the text is read more than once")
    if os.path.isdir(path):
        raise Error("a directory", path=name, expected="a text file")
    if not os.path.exists(path):
        raise IoError("the file cannot be opened", path=name, errno=2)
