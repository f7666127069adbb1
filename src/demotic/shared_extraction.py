"""Extraction and counting of rules by workers, with the same rules as here.

Workers extract the rules of shards of the bitext, and divide each shard's into parts by a hash of
the target side.  The driver joins the shards of each part, in order; workers sort and count the
rules of a part; the driver scores and writes the parts, in order
(`core/.../divided_extraction.h`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

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
    count_lexicon,
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
    """What `extract` does, also if there are no workers; `threads` are those of the driver.

    Temporary files are in the folder of `path`: 32 bytes per occurrence of a rule.
    """
    if workers is None:
        given = source, target, links, path
        return extract(*given, kind=kind, options=options, threads=threads, progress=progress)
    native = options.native(kind, threads)
    lexicon = count_lexicon(source, target, list(links))
    driver = ExtractionDriver(source, target, list(links), lexicon, str(path), native)
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
        occurrences, gaps = _extracted(actors, len(source) * len(links), home, progress)
        parts = [{"file": workers.share(_part(home, part))} for part in range(_PARTS)]
        for counted in actors.map([(part, b"") for part in parts], of_round(progress, 1, _ROUNDS)):
            driver.add(counted)
    told = of_round(progress, 2, _ROUNDS)
    return driver.finish(occurrences, DistortionCounts(*gaps.tolist()), told)


def _extracted(
    actors: Actors, rows: int, home: Path, progress: Callable[..., None] | None
) -> tuple[int, NDArray[np.int64]]:
    """Writes a file per part; returns the number of rules and the counts of their gaps."""
    shards = [Shard(number + 1, _PARTS).part(rows) for number in range(_PARTS)]
    items = [({"rows": [one.start, one.stop]}, b"") for one in shards if one]
    occurrences, gaps = 0, np.zeros((2, MAX_GAP_SIZE), np.int64)
    with ExitStack() as stack:
        files = [stack.enter_context(open(_part(home, part), "wb")) for part in range(_PARTS)]
        for answer in actors.map(items, of_round(progress, 0, _ROUNDS)):
            arrays = from_bytes(answer)
            gaps += arrays["gaps"]
            for part, file in enumerate(files):
                file.write(arrays[str(part)].data)
                occurrences += arrays[str(part)].size // OCCURRENCE_BYTES
    return occurrences, gaps


def _part(home: Path, part: int) -> Path:
    return home / f"part-{part}"


def _saved(side: Corpus, path: Path) -> Path:
    side.save(str(path))
    return path


def _written(links: Alignments, path: Path) -> Path:
    write_links(path, links)
    return path


class ExtractionActor:
    """The other end, with the bitext: extracts the rules of rows, or counts those of a part."""

    def __init__(self, arguments: Arguments, data: bytes) -> None:
        source, target = (Corpus.open(arguments[side], True) for side in ("source", "target"))
        links = [read_links(path) for path in arguments["links"]]
        native = RuleOptions(**arguments["options"]).native(arguments["kind"], 1)
        self._worker = ExtractionWorker(source, target, links, native)

    def tell(self, arguments: Arguments, data: bytes) -> None:
        raise NotImplementedError("questions do not depend on earlier ones")

    def ask(self, arguments: Arguments, data: bytes) -> bytes:
        if "file" in arguments:
            with tempfile.TemporaryDirectory(prefix="demotic-") as folder:
                return self._worker.count(arguments["file"], folder)
        begin, end = arguments["rows"]
        parts, gaps = self._worker.extract(begin, end, _PARTS)
        arrays = {str(part): np.frombuffer(found, np.uint8) for part, found in enumerate(parts)}
        counts = np.array([gaps.in_order, gaps.reordered], np.int64)
        return to_bytes({"gaps": counts, **arrays})
