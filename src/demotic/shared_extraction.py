"""Extraction, counting and scoring of rules by workers, with the same rules as here.

Three rounds (`core/.../divided_extraction.h`).  Workers extract the rules of shards of the bitext,
and divide each shard's into parts by a hash of the target side; the driver joins the shards of each
part, in order.  Workers count the rules of a part, and divide them into parts of consecutive source
sides, which the driver joins in the same way.  Workers score these; the driver writes them one
after another.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from demotic._core import (
    MAX_GAP_SIZE,
    OCCURRENCE_BYTES,
    Alignments,
    Corpus,
    DistortionCounts,
    ExtractionDriver,
    ExtractionWorker,
    ExtractReport,
    source_bounds,
)
from demotic.align.links import read_links, write_links
from demotic.lines import PathLike
from demotic.rules import RuleKind, RuleOptions, extract
from demotic.workers.arrays import from_bytes, to_bytes
from demotic.workers.rounds import of_round
from demotic.workers.shards import Shard

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demotic.workers import Arguments, Workers
    from demotic.workers.protocol import Actors

__all__ = ["ExtractionActor", "extract_shared"]

_PARTS = 64  # of the bitext, and of its rules; does not affect the result
_ROUNDS = 3  # extracting, counting, scoring


def extract_shared(
    workers: Workers | None,
    source: Corpus,
    target: Corpus,
    links: Sequence[Alignments],
    path: PathLike,
    *,
    kind: RuleKind,
    options: RuleOptions,
    threads: int = 1,
    progress: Callable[..., None] | None = None,
) -> ExtractReport:
    """What `extract` does, also if there are no workers; `threads` are for that case.

    Temporary files are in the folder of `path`: 32 bytes per occurrence of a rule, and 68 per rule.
    """
    if workers is None:
        given = source, target, links, path
        return extract(*given, kind=kind, options=options, threads=threads, progress=progress)
    driver = ExtractionDriver(source, target, str(path), options.native(kind, threads))
    with tempfile.TemporaryDirectory(prefix="rules.partial-", dir=Path(path).parent) as folder:
        home = Path(folder)
        asked = {
            "source": workers.share(_saved(source, home / "source")),
            "target": workers.share(_saved(target, home / "target")),
            "links": [
                workers.share(_written(one, home / f"links-{number}"))
                for number, one in enumerate(links)
            ],
            "kind": kind,
            "options": asdict(options),
        }
        actors = workers.actors("extraction", asked)
        found = _extracted(actors, len(source) * len(links), home, of_round(progress, 0, _ROUNDS))
        parts = _files(home, "target", _PARTS)
        counting = [{"count": workers.share(file), "bounds": found.bounds} for file in parts]
        totals = _counted(actors, counting, driver, home, of_round(progress, 1, _ROUNDS))
        parts = _files(home, "source", _PARTS)
        scoring = [{"score": workers.share(file), **totals} for file in parts]
        for scored in actors.map(_items(scoring), of_round(progress, 2, _ROUNDS)):
            driver.add(scored)
    return driver.finish(found.occurrences, DistortionCounts(*found.gaps.tolist()))


@dataclass
class _Extracted:
    """What was found out about all shards."""

    occurrences: int
    gaps: NDArray[np.int64]
    bounds: list[int]  # of parts by source side


def _extracted(
    actors: Actors, rows: int, home: Path, progress: Callable[..., None] | None
) -> _Extracted:
    """Writes a file per part of the target sides."""
    shards = [Shard(number + 1, _PARTS).part(rows) for number in range(_PARTS)]
    items = _items([{"rows": [one.start, one.stop]} for one in shards if one])
    occurrences, gaps = 0, np.zeros((2, MAX_GAP_SIZE), np.int64)
    samples: list[int] = []
    with _Joined(_files(home, "target", _PARTS)) as joined:
        for answer in actors.map(items, progress):
            arrays = from_bytes(answer)
            gaps += arrays["gaps"]
            samples += arrays["sample"].tolist()
            occurrences += joined.add(arrays) // OCCURRENCE_BYTES
    return _Extracted(occurrences, gaps, source_bounds(samples, _PARTS))


def _counted(
    actors: Actors,
    parts: list[Arguments],
    driver: ExtractionDriver,
    home: Path,
    progress: Callable[..., None] | None,
) -> dict[str, list[int]]:
    """Writes a file per part of the source sides; returns what scoring has to know of all rules."""
    place = [0]
    tallies: list[NDArray[Any]] = []
    with _Joined(_files(home, "source", _PARTS)) as joined:
        for answer in actors.map(_items(parts), progress):
            arrays = from_bytes(answer)
            driver.add_targets(arrays["targets"].tobytes())
            place.append(place[-1] + arrays["targets"].size)
            tallies.append(arrays["tallies"])
            joined.add(arrays)
    return {"place": place[:-1], "tallies": np.sum(tallies, axis=0).tolist()}


class _Joined(ExitStack):
    """Files to which the parts of answers are appended."""

    def __init__(self, paths: list[Path]) -> None:
        super().__init__()
        self._files = [self.enter_context(path.open("wb")) for path in paths]

    def add(self, arrays: dict[str, NDArray[Any]]) -> int:
        """Appends the arrays named by the numbers of files; returns their bytes."""
        for part, file in enumerate(self._files):
            file.write(arrays[str(part)].data)
        return sum(arrays[str(part)].nbytes for part in range(len(self._files)))


def _files(home: Path, side: str, count: int) -> list[Path]:
    return [home / f"{side}-{part}" for part in range(count)]


def _items(arguments: list[Arguments]) -> list[tuple[Arguments, bytes]]:
    return [(one, b"") for one in arguments]


def _saved(side: Corpus, path: Path) -> Path:
    side.save(str(path))
    return path


def _written(links: Alignments, path: Path) -> Path:
    write_links(path, links)
    return path


class ExtractionActor:
    """The other end, with the bitext: extracts rules of rows, counts or scores those of a part."""

    def __init__(self, arguments: Arguments, data: bytes) -> None:
        source, target = (Corpus.open(arguments[side], True) for side in ("source", "target"))
        links = [read_links(path) for path in arguments["links"]]
        native = RuleOptions(**arguments["options"]).native(arguments["kind"], 1)
        self._worker = ExtractionWorker(source, target, links, native)

    def tell(self, arguments: Arguments, data: bytes) -> None:
        raise NotImplementedError("questions do not depend on earlier ones")

    def ask(self, arguments: Arguments, data: bytes) -> bytes:
        if "rows" in arguments:
            return self._extract(*arguments["rows"])
        with tempfile.TemporaryDirectory(prefix="demotic-") as folder:
            if "score" in arguments:
                place, tallies = arguments["place"], arguments["tallies"]
                return self._worker.score(arguments["score"], folder, place, tallies)
            counted = self._worker.count(arguments["count"], folder, arguments["bounds"])
        targets, sources, tallies = counted
        arrays: dict[str, NDArray[Any]] = {
            "targets": _array(targets),
            "tallies": np.array(tallies, np.int64),
        }
        return to_bytes(arrays | _numbered(sources))

    def _extract(self, begin: int, end: int) -> bytes:
        parts, gaps, sample = self._worker.extract(begin, end, _PARTS)
        counts = np.array([gaps.in_order, gaps.reordered], np.int64)
        arrays: dict[str, NDArray[Any]] = {
            "gaps": counts,
            "sample": np.frombuffer(sample, np.uint64),
        }
        return to_bytes(arrays | _numbered(parts))


def _numbered(parts: list[bytes]) -> dict[str, NDArray[Any]]:
    return {str(number): _array(part) for number, part in enumerate(parts)}


def _array(data: bytes) -> NDArray[Any]:
    return np.frombuffer(data, np.uint8)
