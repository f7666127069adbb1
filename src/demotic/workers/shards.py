"""Shards: parts of a text by lines, and the files with the results of one shard each.

A shard K/N covers the lines from (K - 1) * n / N to K * n / N of n.  The result of a shard is a
container that knows what it is a part of, so that only parts of the same whole are merged.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from demotic import _core
from demotic.counts import counted
from demotic.errors import Error, FormatError, InputError
from demotic.lines import PathLike
from demotic.workers.messages import data_digest

__all__ = ["Shard", "ShardFile", "in_order"]

_KIND, _VERSION = "shard", 2
_MOST = 1_000_000
_SHOWN = 10  # numbers in an error


@dataclass(frozen=True)
class Shard:
    """One of several parts, counted from 1."""

    number: int
    of: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.of <= _MOST:
            raise InputError(f"shard {self}", expected="K/N with K from 1 to N, as in 3/64")

    @classmethod
    def parse(cls, text: str) -> Self:
        number, _, of = text.partition("/")
        if not (number.isdecimal() and of.isdecimal()):
            raise InputError(f"shard {text!r}", expected="K/N with K from 1 to N, as in 3/64")
        return cls(int(number), int(of))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def part(self, size: int) -> range:
        """The indices of its items among `size`."""
        return range((self.number - 1) * size // self.of, self.number * size // self.of)


class _Sections(Mapping[str, bytes]):
    """The bytes in a file by name, each read and checked when it is asked for."""

    def __init__(self, file: _core.Container, digests: Mapping[str, str]) -> None:
        self._file, self.digests = file, digests

    def __getitem__(self, name: str) -> bytes:
        if name not in self.digests:
            raise KeyError(name)
        data = self._file.section(name)
        if data_digest(data) != self.digests[name]:
            raise FormatError(
                f"a damaged section {name!r}",
                path=self._file.path,
                expected="bytes with the checksum that is stored with them",
                advice="compute this shard again",
            )
        return data

    def __iter__(self) -> Iterator[str]:
        return iter(self.digests)

    def __len__(self) -> int:
        return len(self.digests)


@dataclass(frozen=True)
class ShardFile:
    """The result of a shard: what it is a part of, and named bytes."""

    verb: str
    key: str
    """Identifies everything that the result depends on except the number of the shard."""
    shard: Shard
    about: Mapping[str, Any] = field(default_factory=dict)
    """What merging needs to know, as JSON."""
    parts: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    @property
    def digests(self) -> Mapping[str, str]:
        if isinstance(self.parts, _Sections):
            return self.parts.digests
        return {name: data_digest(data) for name, data in self.parts.items()}

    def write(self, path: PathLike) -> None:
        head = {
            "verb": self.verb,
            "key": self.key,
            "shard": str(self.shard),
            "about": self.about,
            "digests": self.digests,
        }
        file = _core.ContainerWriter(os.fspath(path), _KIND, _VERSION)
        for name, data in {"": json.dumps(head).encode(), **self.parts}.items():
            file.begin_section(name or "about")
            file.append(data)
        file.commit()

    @classmethod
    def read(cls, path: PathLike, *, verify: bool = True) -> Self:
        """Raises FormatError for a file that is not the undamaged result of a shard.

        Without `verify` the parts are checked only as they are used.
        """
        file = _core.Container(os.fspath(path), _KIND, _VERSION)
        if verify:
            file.verify()
        head = json.loads(file.section("about"))
        parts = _Sections(file, head["digests"])
        return cls(head["verb"], head["key"], Shard.parse(head["shard"]), head["about"], parts)


def in_order(paths: Sequence[PathLike], *, verify: bool = True) -> list[PathLike]:
    """The files of all shards of one whole by number; a file may be given twice.

    Raises Error if some are missing, or do not belong together.
    """
    found: dict[int, tuple[PathLike, ShardFile]] = {}
    for path in paths:
        one = ShardFile.read(path, verify=verify)
        first = next(iter(found.values()), (path, one))
        _refuse_other(path, one, *first)
        known = found.setdefault(one.shard.number, (path, one))
        if known[1].digests != one.digests:
            raise Error(
                f"another result of shard {one.shard} than {os.fspath(known[0])}",
                path=os.fspath(path),
                expected="the same bytes",
                advice="compute this shard again on a machine like the others",
            )
    if not found:
        raise InputError("no shards to merge", expected="the files of all shards")
    of = next(iter(found.values()))[1].shard.of
    missing = [number for number in range(1, of + 1) if number not in found]
    if missing:
        shown = ", ".join(map(str, missing[:_SHOWN])) + ", ..." * (len(missing) > _SHOWN)
        raise Error(
            f"{counted(len(missing), 'shard')} of {of} missing: {shown}",
            expected="the files of all shards",
            advice=f"run the command of the others with --shard {missing[0]}/{of}",
        )
    return [found[number][0] for number in range(1, of + 1)]


def _refuse_other(path: PathLike, one: ShardFile, first: PathLike, known: ShardFile) -> None:
    if (one.verb, one.key, one.shard.of) != (known.verb, known.key, known.shard.of):
        raise Error(
            f"shard {one.shard} of another demotic {one.verb} than {os.fspath(first)}",
            path=os.fspath(path),
            expected="shards of the same text, model, options and number of shards",
            advice="merge each set by itself",
        )
